import FileTesting
import Foundation
import Glibc
import SocketTesting
import Testing

/// A cluster that `config/cluster/up` has started.
final class Cluster {
    private let directory: URL
    let ports: [Int]
    /// The primary's port; the standbys have the next two.
    let databasePort: Int
    private let key: MadeKey

    /// The file with the password of the nodes' user.
    var passfile: String { directory.appending(path: "passfile").path }

    struct Failure: Error {
        var description: String
    }

    init(_ key: MadeKey, nodeCount: Int = 3) throws {
        self.key = key
        directory = FileManager.default.temporaryDirectory.appending(path: "deckd-\(UUID().uuidString)")
        // Below the ports that the system gives to connections.
        let base = Int.random(in: 0..<1000) * 10 + 20_000
        ports = (0..<nodeCount).map { base + $0 }
        databasePort = base + 5
        try run(
            "up",
            "--nodes",
            "\(nodeCount)",
            "--port",
            "\(base)",
            "--postgres-port",
            "\(databasePort)",
            "--deckd",
            Command.executable,
            environment: Nodes.environment(key)
        )
    }

    deinit {
        _ = try? run("down", "--remove")
    }

    /// Lets the primary offer TLS with a certificate.
    func offerTLS(_ certificate: Certificate) throws {
        let folder = certificate.folder.path
        if geteuid() == 0 {
            // PostgreSQL runs as another user, and takes a key only if that user owns it.
            _ = try Command.run("/usr/bin/env", ["chown", "-R", "postgres", folder])
        }
        let files = ["ssl_cert_file": certificate.certificate, "ssl_key_file": certificate.key]
        for (name, file) in files { try query("ALTER SYSTEM SET \(name) = '\(file)'") }
        try query("ALTER SYSTEM SET ssl = on")
        try query("SELECT pg_reload_conf()")
    }

    /// Runs SQL on the primary as the superuser, and returns what psql prints, without headers.
    @discardableResult
    func query(_ sql: String) throws -> String {
        let address = "host=\(directory.path)/sockets port=\(databasePort) user=postgres dbname=deckd"
        let arguments = ["psql", address, "--no-psqlrc", "--tuples-only", "--no-align", "--command", sql]
        let result = try Command.run("/usr/bin/env", arguments)
        guard result.status == 0 else { throw Failure(description: result.errors) }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs one of the scripts. The sum of what a script waits for is some minutes.
    @discardableResult
    func run(_ script: String, _ arguments: String..., environment: [String: String] = [:]) throws -> String {
        let program = Command.repository.appending(path: "config/cluster/\(script)").path
        let place = ["--directory", directory.path]
        let result = try Command.run(program, place + arguments, environment: environment, seconds: 300)
        guard result.status == 0 else {
            let said = "\(result.status), \(result.output) \(result.errors)"
            throw Failure(description: "\(script) \(arguments): \(said)")
        }
        return result.output
    }

    /// The status of an answer of a node; 0: there is none.
    func status(_ method: String, _ path: String, node: Int = 0) -> Int {
        let body = method == "PUT" ? #"{"count":1}"# : ""
        return Answer(ports[node], method, path, body, headers: ["Authorization: Bearer \(key.secret)"])?.status ?? 0
    }

    /// Whether a node's answer has a status within a minute.
    func becomes(_ status: Int, _ method: String, _ path: String, node: Int = 0) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while self.status(method, path, node: node) != status {
            guard .now < end else { return false }
            usleep(50_000)
        }
        return true
    }

    private func text(_ file: String) throws -> String {
        let text = try String(contentsOf: directory.appending(path: file), encoding: .utf8)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func standbys() throws -> [String] {
        let leader = try text("leader")
        return ["primary", "standby1", "standby2"].filter { $0 != leader }
    }

    /// Kills a server of PostgreSQL with all its processes, as a machine's failure does.
    func kill(_ server: String) throws {
        guard let id = pid_t(try text("\(server).pid")) else { throw Failure(description: "no process of \(server)") }
        _ = try Command.run("/usr/bin/env", ["pkill", "-KILL", "-P", "\(id)"])
        #expect(Glibc.kill(id, SIGKILL) == 0)
    }

    /// Kills the primary, promotes a standby and brings the killed server back as a standby.
    ///
    /// - Returns: the seconds from the kill until a node has committed a change.
    func failOver() throws -> Double {
        let former = try text("leader")
        let next = try standbys().randomElement() ?? ""
        let start = ContinuousClock.now
        try kill(former)
        try run("promote", next)
        let port = ports.randomElement() ?? 0
        while Answer(port, "PUT", "/v1/decks/probe", #"{"count":1}"#, headers: ["Authorization: Bearer \(key.secret)"])?
            .status ?? 0 >= 300
        {
            guard .now - start < .seconds(60) else {
                throw Failure(description: "no change is taken after the failover")
            }
            usleep(5_000)
        }
        let seconds = (.now - start) / .seconds(1)
        try run("rejoin", former)
        return seconds
    }
}
