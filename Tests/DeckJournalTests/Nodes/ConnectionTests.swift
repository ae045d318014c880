import DeckJournal
import JournalTesting
import Testing

@testable import DeckJournalPostgreSQL

struct ConnectionTests {
    @Test func aStatementThatReadsAWholeTableIsNotCompiled() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let connection = try Connection(Connection.Target(address: address))
        let plan = try connection.run("EXPLAIN ANALYZE SELECT * FROM meta").rows.map { try $0.text(0) }
        #expect(plan.contains { $0.contains("Seq Scan on meta") })
        #expect(!plan.contains { $0.contains("JIT") }, "\(plan)")
        try await journal.closed()
    }

    /// Without that, the locks of a node that has lost its network last for hours.
    @Test func theServerNoticesALostConnection() throws {
        let address = try PostgreSQLServer.newAddress()
        let names = ["tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout"]
        func settings(_ address: String) throws -> [String] {
            let connection = try Connection(Connection.Target(address: address))
            // Over a Unix socket the server does not use them, and SHOW returns 0.
            let setting = "SELECT reset_val FROM pg_settings WHERE name = $1"
            return try names.map { try connection.run(setting, [.text($0)]).first?.text(0) ?? "" }
        }
        #expect(try settings(address) == ["5", "2", "3", "10000"])
        #expect(try settings(address + "%20-ctcp_user_timeout%3D3000") == ["5", "2", "3", "3000"])
    }
}
