import FileTesting
import Foundation
import SocketTesting
import Testing

/// nginx or HAProxy with the configuration that is shipped, in front of a deckd.
final class ProxyServer {
    enum Program: String, CaseIterable, CustomStringConvertible {
        case nginx, haproxy

        var path: String { "/usr/sbin/\(rawValue)" }

        var shipped: URL {
            Command.repository.appending(path: self == .nginx ? "config/nginx.conf" : "config/haproxy.cfg")
        }

        var description: String { rawValue }

        /// The arguments that have it check a configuration and end.
        func check(_ file: String) -> [String] {
            self == .nginx ? ["-t", "-c", file] : ["-c", "-f", file]
        }
    }

    private let folder: TemporaryFolder
    private let child: Child
    private let output = Stream()
    private let errors = Stream()
    private let socket: String

    struct Failure: Error {
        var description: String
    }

    /// - Parameters:
    ///   - port: that of the deckd it stands in front of.
    ///   - second: that of another node; nil: there is one.
    init(_ program: Program, port: Int, second: Int? = nil) throws {
        folder = try TemporaryFolder()
        socket = folder.file("socket")
        let file = folder.url("configuration")
        var text = try String(contentsOf: program.shipped, encoding: .utf8)
        for (shipped, own) in Self.places(program, in: folder, port: port) + Self.node(program, second) {
            guard text.ranges(of: shipped).count == 1 else { throw Failure(description: "not once: \(shipped)") }
            text.replace(shipped, with: own)
        }
        try text.write(to: file, atomically: true, encoding: .utf8)
        child = try Command.start(
            program.path,
            program == .nginx ? ["-c", file.path, "-g", "daemon off;"] : ["-db", "-f", file.path],
            [:],
            output: output,
            errors: errors
        )
        try waitUntilItListens()
    }

    deinit {
        // Its own processes end with it, which SIGKILL would leave.
        child.send(SIGTERM)
        _ = child.wait()
    }

    /// The ports and paths of the shipped files, and those of a test. It is listened to at a path, of which each test has
    /// a new one without asking.
    private static func places(_ program: Program, in folder: TemporaryFolder, port: Int) -> [(String, String)] {
        switch program {
        case .nginx:
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
            return [
                ("        listen 80;\n", "        listen unix:\(folder.path)/socket;\n"),
                ("        listen [::]:80;\n", ""),
                ("\n        server 127.0.0.1:8080 ", "\n        server 127.0.0.1:\(port) "),
                ("/run/nginx.pid", "\(folder.path)/pid"), ("/var/log/nginx/access.log", "\(folder.path)/log"),
                ("\nhttp {\n", "\nhttp {\n    \(temporary)\n"),
            ]
        case .haproxy:
            let user = "    user haproxy\n    group haproxy\n    chroot /var/lib/haproxy\n"
            return [
                // Only root can become another user.
                (user, getuid() == 0 ? user : ""), ("\n    bind :80\n", "\n    bind unix@\(folder.path)/socket\n"),
                ("    bind :::80 v6only\n", ""),
                (" deckd1 127.0.0.1:8080\n", " deckd1 127.0.0.1:\(port)\n"),
            ]
        }
    }

    /// The second node, which is a comment in the shipped files.
    private static func node(_ program: Program, _ port: Int?) -> [(String, String)] {
        guard let port else { return [] }
        return switch program {
        case .nginx: [("#server 127.0.0.1:8081 ", "server 127.0.0.1:\(port) ")]
        case .haproxy: [("#server deckd2 127.0.0.1:8081\n", "server deckd2 127.0.0.1:\(port)\n")]
        }
    }

    /// Neither program reports when it has started, so requests are sent until one is answered.
    private func waitUntilItListens() throws {
        let deadline = Date(timeIntervalSinceNow: 30)
        while try curl("/").status != 0 {
            guard child.isRunning, Date() < deadline else {
                child.send(SIGTERM)
                throw Failure(description: errors.readToEnd() + output.readToEnd())
            }
            usleep(20_000)
        }
    }

    /// The ids of the users that serve clients: those of the processes that it has started, if there are any.
    func users() throws -> [String] {
        let children = try String(contentsOfFile: "/proc/\(child.id)/task/\(child.id)/children", encoding: .utf8)
        let workers = children.split(separator: " ").map(String.init)
        return try (workers.isEmpty ? ["\(child.id)"] : workers).map { process in
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            return String(status.firstMatch(of: /\nUid:\t(\d+)/)?.1 ?? "none")
        }
    }

    /// The environment of a server without keys, so that it answers under the name that the proxy passes on.
    static let environment = ["DECKD_ACCESS_ALLOWED_HOSTS": "deckd.example"]

    /// What `curl` says of a path.
    func curl(_ path: String, _ arguments: [String] = []) throws -> Command.Result {
        let start = ["curl", "-sS", "--path-as-is", "--max-time", "30", "--unix-socket", socket]
        return try Command.run("/usr/bin/env", start + arguments + ["http://deckd.example\(path)"])
    }

    /// Everything that it answers to some bytes until it closes the connection, or until nothing more has come for a while.
    func answers(to bytes: String) throws -> String {
        let connection = try RawClient(path: socket)
        try connection.send(bytes)
        return connection.readUntilClosed()
    }

    /// Ends it and gives what it logged.
    func stop() throws -> String {
        child.send(SIGTERM)
        _ = child.wait()
        let file = folder.url("log")
        return output.readToEnd() + errors.readToEnd() + ((try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }
}
