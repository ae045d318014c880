import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// Groups of changes in PostgreSQL.
@Suite struct GroupTests {
    @Test func aRecordThatCannotBeStoredFailsAlone() async throws {
        let journal = try PostgreSQLJournal(address: PostgreSQLServer.newAddress())
        // A text of PostgreSQL cannot have NUL.
        let ids = (0..<40).map { $0 % 10 == 3 ? "bad\0\($0)" : "good\($0)" }
        let errors = await withTaskGroup(of: (String, JournalError?).self) { group in
            for id in ids {
                group.addTask { (id, await failure { journal.create(.sample(id), completion: $0) }) }
            }
            return await group.reduce(into: [String: JournalError?]()) { $0[$1.0] = $1.1 }
        }
        for id in ids { #expect((errors[id] ?? nil) == nil || id.hasPrefix("bad"), "\(id): \(errors)") }
        #expect(errors.filter { $0.key.hasPrefix("bad") }.allSatisfy { $0.value?.isUnavailable == true })
        #expect(journal.statistics.sessions == 36)
        #expect(journal.statistics.queuedChanges == 0 && journal.statistics.queuedBytes == 0)
        try await journal.closed()
    }

    /// What is left of sessions that ended is removed as fast as they end.
    @Test func endedSessionsLeaveNothing() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        for number in 0..<300 {
            try await journal.created(.sample("\(number)", cards: [1], logLines: [bytes("line")]))
            _ = try await journal.ended("\(number)")
        }
        let rows =
            "(SELECT count(*) FROM leftover) + (SELECT count(*) FROM log_line) + (SELECT count(*) FROM session_cards)"
        let start = ContinuousClock.now
        #expect(try await eventually { try PostgreSQLServer.run("SELECT \(rows)", at: address) == "0" })
        #expect(.now - start < .seconds(20))
        let hashes = "SELECT count(*) FROM session WHERE token_hash IS NOT NULL OR spectator_token_hash IS NOT NULL"
        #expect(try PostgreSQLServer.run(hashes, at: address) == "0")
        try await journal.closed()
    }

    @Test func aChangeAfterALostConnectionSucceeds() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        var revision = try await journal.created(.sample("a"))
        for version in 2...6 {
            try PostgreSQLServer.cutConnections(of: address)
            revision = try await journal.appended(.sample("a", version), to: "a", after: revision)
            #expect(try await journal.found("a").session?.revision == revision)
        }
        try await journal.closed()
    }
}
