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
}
