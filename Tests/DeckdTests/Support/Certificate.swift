import FileTesting
import Foundation

/// A certificate for 127.0.0.1 and localhost with its key, made by `openssl` in a folder that goes with its owner.
final class Certificate {
    let folder: TemporaryFolder
    let certificate: String
    let key: String

    struct Failure: Error {
        var description: String
    }

    init() throws {
        folder = try TemporaryFolder()
        certificate = folder.file("certificate.pem")
        key = folder.file("key.pem")
        try openssl(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
                + ["-keyout", key, "-out", certificate]
        )
    }

    func openssl(_ arguments: [String]) throws {
        let result = try Command.run("/usr/bin/env", ["openssl"] + arguments)
        guard result.status == 0 else { throw Failure(description: result.errors) }
    }

    /// When it expires, in the format of RFC 3339.
    func expiry() throws -> String {
        let arguments = ["openssl", "x509", "-noout", "-enddate", "-dateopt", "iso_8601", "-in", certificate]
        let line = try Command.run("/usr/bin/env", arguments).output
        guard let match = line.firstMatch(of: /notAfter=(\S+) (\S+)Z/) else { throw Failure(description: line) }
        return "\(match.1)T\(match.2).000Z"
    }

    /// The settings that name the files.
    var environment: [String: String] {
        ["DECKD_TLS_CERTIFICATE": certificate, "DECKD_TLS_KEY": key]
    }

    /// What `curl` prints that trusts this certificate and no other.
    func curl(_ arguments: String...) throws -> Command.Result {
        try Command.run("/usr/bin/env", ["curl", "-sS", "--max-time", "10", "--cacert", certificate] + arguments)
    }
}
