import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// How PostgreSQL reads the steps of a long feed.
@Suite struct FeedPlanTests {
    private static let filters = [
        FeedFilter.all, FeedFilter(deck: "x"), FeedFilter(kinds: [.reverted]),
        FeedFilter(kinds: [.reverted], deck: "x"),
        FeedFilter(user: "zoë"), FeedFilter(kinds: [.given], user: "max"), FeedFilter(session: "b"),
    ]

    /// Reads a page and its end with each filter.
    private func readPages(of journal: any Journal) async throws {
        for filter in Self.filters {
            _ = try await value { journal.feed(after: .start, filter: filter, limit: 9, completion: $0) }
            _ = try await value { journal.feedEnd(after: .start, filter: filter, limit: 9, completion: $0) }
        }
    }

    /// The server plans a statement when its tables are small, and has no newer statistics for a while.
    @Test func noStepReadsTheWholeFeed() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        for (id, user) in [("a", "zoë"), ("b", "max")] {
            var session = NewSession.sample(id, deck: "x")
            session.identity.user = user
            try await journal.created(session)
        }
        try await journal.appended(.sample("b", 2, verdicts: [.given(1)]), to: "b")
        try await readPages(of: journal)
        let perEntry = 2500
        for entry in 0...3 * FeedFilter.mostRowsRead / perEntry {
            let verdicts = (1...perEntry).map { VerdictRecord.given(entry * perEntry + $0) }
            try await journal.appended(.sample("a", 2 + entry, verdicts: verdicts), to: "a")
        }
        func statistic(_ column: String) throws -> Int {
            let tables = "FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname = 'verdict'"
            return Int(try PostgreSQLServer.run("SELECT \(column) \(tables)", at: address)) ?? -1
        }
        // The server counts late.
        let before = try statistic("idx_scan")
        let isCounted = try await eventually {
            try await readPages(of: journal)
            return try statistic("idx_scan") > before + 100
        }
        #expect(isCounted)
        // The rows of the small table may have been read as a whole.
        #expect(try statistic("seq_tup_read") < FeedFilter.mostRowsRead)
        try await journal.closed()
    }
}
