import Foundation
import JournalTesting
import Testing

/// Several `deckd serve` that share PostgreSQL databases.
final class Nodes {
    let addresses: [String]
    let key: MadeKey
    private(set) var servers: [RunningServer] = []
    private(set) var ports: [Int] = []

    /// - Parameters:
    ///   - addresses: the databases; nil: new schemas of the tests' server.
    ///   - databaseCount: how many new schemas.
    init(count: Int = 3, addresses: [String]? = nil, databaseCount: Int = 1) throws {
        self.addresses = try addresses ?? (0..<databaseCount).map { _ in try PostgreSQLServer.newAddress() }
        key = try makeKey("test")
        for _ in 0..<count {
            let server = try start(port: 0)
            servers.append(server)
            ports.append(try server.port())
        }
    }

    private func start(port: Int) throws -> RunningServer {
        try RunningServer(
            ["--port", "\(port)"],
            environment: Self.environment(key),
            data: addresses.joined(separator: " ")
        )
    }

    /// The settings of a node. The clients of a test are a few that do much, for as long as the test takes.
    static func environment(_ key: MadeKey) -> [String: String] {
        [
            "DECKD_ACCESS_KEYS": key.entry, "DECKD_LIMITS_COST_PER_SECOND": "0",
            "DECKD_LIMITS_COPIES_PER_SESSION": "0",
        ]
    }

    /// Starts a node again, at its port.
    func restart(_ index: Int) throws {
        servers[index] = try start(port: ports[index])
        #expect(try servers[index].port() == ports[index])
    }

    /// Cuts all connections to one of the databases, whatever is in progress.
    func cutConnections() throws {
        try PostgreSQLServer.cutConnections(of: addresses.randomElement() ?? "")
    }

    /// Ends all nodes in order.
    func stop() {
        for server in servers { server.child.send(SIGTERM) }
        for server in servers { #expect(server.child.wait() == .exit(0)) }
    }
}
