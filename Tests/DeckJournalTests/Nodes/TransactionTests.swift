import DeckJournal
import JournalTesting
import Testing

@testable import DeckJournalPostgreSQL

/// Transactions that change the journal.
@Suite struct TransactionTests {
    @Test func theirIsolationDoesNotDependOnTheServersDefault() async throws {
        let address = try PostgreSQLServer.newAddress() + "%20-cdefault_transaction_isolation%3Dserializable"
        let journal = try PostgreSQLJournal(address: address)
        let link = Link(Connection.Target(address: address), preparation: Transaction.limits)
        let level = "SHOW transaction_isolation"
        #expect(try link.connected().run(level).first?.text(0) == "serializable")
        let clock = DatabaseClock(WallTime.now)
        var transaction = try Transaction(link, Needs([Need]()), JournalAges(), clock, after: Tally())
        #expect(try transaction.run([Statement(level)])[0].first?.text(0) == "read committed")
        _ = transaction.end()
        try await journal.closed()
    }

    /// A node that hangs in the middle of a transaction.
    @Test func aTransactionWhoseResponsesAreNotReadIsEnded() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let hanging = try Connection(Connection.Target(address: address))
        _ = try hanging.run([Statement("BEGIN"), Tally.locking])
        try hanging.post(Statement("SELECT repeat('x', 1000) FROM generate_series(1, 100000)"))
        #expect(await eventually { (try? await journal.created(.sample("a"))) != nil })
        try await journal.closed()
    }
}
