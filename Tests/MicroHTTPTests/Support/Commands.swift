import FileTesting
import Foundation
import MicroHTTP

/// A certificate for 127.0.0.1 and localhost in a separate folder, made by `openssl` and removed with this value.
final class TestCertificate: Sendable {
    let certificateFile: URL
    let identity: TLSIdentity
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        certificateFile = folder.url("certificate.pem")
        let keyFile = folder.url("key.pem")
        _ = try run(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout",
            keyFile.path,
            "-out",
            certificateFile.path
        )
        identity = TLSIdentity(
            certificatePEM: try String(contentsOf: certificateFile, encoding: .utf8),
            keyPEM: try String(contentsOf: keyFile, encoding: .utf8)
        )
    }

    /// What `curl` prints that trusts this certificate and no other.
    func curl(_ arguments: String...) throws -> String {
        try run("curl", ["--silent", "--show-error", "--max-time", "10", "--cacert", certificateFile.path] + arguments)
    }
}

struct CommandFailure: Error {
    let command: String
    let status: Int32
    let output: String
}

/// Runs a command found in the path to its end and returns what it wrote, both ways together.
func run(_ command: String, _ arguments: String...) throws -> String {
    try run(command, arguments)
}

func run(_ command: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw CommandFailure(command: command, status: process.terminationStatus, output: output)
    }
    return output
}
