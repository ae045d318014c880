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
    private func readPages(of journal: any Journal, after cursor: FeedCursor) async throws {
        for filter in Self.filters {
            _ = try await value { journal.feed(after: cursor, filter: filter, limit: 9, completion: $0) }
            _ = try await value { journal.feedEnd(after: cursor, filter: filter, limit: 9, completion: $0) }
        }
    }

    /// A deck can have many more rows than one of its sessions, and the server has no statistics of them for a while.
    @Test func theRowsOfASessionAreReadWithoutThoseOfItsDeck() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        for id in ["a", "b"] { try await journal.created(.sample(id, deck: "x")) }
        let count = 3 * FeedFilter.mostRowsRead
        let notices = """
            INSERT INTO notice
            SELECT place, (SELECT number FROM session WHERE id = 'a'), 'x', 3, 0, 0 FROM generate_series(1, \(count)) AS place;
            UPDATE tally SET last_position = \(count)
            """
        try PostgreSQLServer.run(notices, at: address)
        func scans(_ index: String) throws -> Int {
            let indexes = "FROM pg_stat_user_indexes WHERE schemaname = current_schema() AND indexrelname = '\(index)'"
            return Int(try PostgreSQLServer.run("SELECT idx_scan \(indexes)", at: address)) ?? -1
        }
        // The server counts late.
        let isCounted = try await eventually {
            let filter = FeedFilter(deck: "x", session: "b")
            let page = try await value { journal.feed(after: .start, filter: filter, limit: 9, completion: $0) }
            #expect(page.rows.isEmpty && !page.isPartial)
            return try scans("notice_by_session") > 20
        }
        #expect(isCounted)
        #expect(try scans("notice_by_deck") == 0)
        #expect(try scans("verdict_by_deck") == 0)
        try await journal.closed()
    }

    /// The server plans a statement when its tables are small, and has no newer statistics for a while.
    @Test func aStepAtTheEndReadsNothingOfTheRest() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        for (id, user) in [("a", "zoë"), ("b", "max")] {
            var session = NewSession.sample(id, deck: "x")
            session.identity.user = UserName(user)
            try await journal.created(session)
        }
        try await journal.appended(.sample("b", 2, feedRecords: [.given(1)]), to: "b")
        try await readPages(of: journal, after: .start)
        let perEntry = 2500
        for entry in 0...3 * FeedFilter.mostRowsRead / perEntry {
            let records = (1...perEntry).map { FeedRecord.given(entry * perEntry + $0) }
            try await journal.appended(.sample("a", 2 + entry, feedRecords: records), to: "a")
        }
        let newest = try await value { journal.feed(after: .start, filter: .all, limit: 1, completion: $0) }.newest
        let cursor = FeedCursor(position: newest.position - 50)
        func statistic(_ column: String) throws -> Int {
            let tables = "FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname = 'verdict'"
            return Int(try PostgreSQLServer.run("SELECT \(column) \(tables)", at: address)) ?? -1
        }
        // The server counts late.
        let (scans, rows) = (try statistic("idx_scan + seq_scan"), try statistic("idx_tup_fetch + seq_tup_read"))
        var readings = 0
        let isCounted = try await eventually {
            try await readPages(of: journal, after: cursor)
            readings += 2 * Self.filters.count
            return try readings > 200 && statistic("idx_scan + seq_scan") > scans + 100
        }
        #expect(isCounted)
        let read = try statistic("idx_tup_fetch + seq_tup_read") - rows
        print("\(read) rows for \(readings) steps")
        // At most 51 rows are behind the cursor.
        #expect(read < 100 * readings)
        try await journal.closed()
    }
}
