import Foundation
import JournalTesting
import Testing

/// Several `deckd serve` that share a PostgreSQL database.
final class Nodes {
    let address: String
    let key: MadeKey
    private(set) var servers: [RunningServer] = []
    private(set) var ports: [Int] = []

    /// - Parameter address: the database; nil: a new schema of the tests' server.
    init(count: Int = 3, address: String? = nil) throws {
        self.address = try address ?? PostgreSQLServer.newAddress()
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
            // The clients of a test are a few that do much.
            environment: ["DECKD_ACCESS_KEYS": key.entry, "DECKD_LIMITS_COST_PER_SECOND": "0"],
            data: address
        )
    }

    /// Starts a node again, at its port.
    func restart(_ index: Int) throws {
        servers[index] = try start(port: ports[index])
        #expect(try servers[index].port() == ports[index])
    }

    /// Cuts all connections to the database, whatever is under way.
    func cutConnections() throws {
        try PostgreSQLServer.cutConnections(of: address)
    }

    /// Ends all nodes in order.
    func stop() {
        for server in servers { server.child.send(SIGTERM) }
        for server in servers { #expect(server.child.wait() == .exit(0)) }
    }
}
