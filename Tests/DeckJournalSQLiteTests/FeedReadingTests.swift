import DeckJournal
import JournalTesting
import Testing

@testable import DeckJournalSQLite

struct FeedReadingTests {
    /// A deck can have many more notices than one of its sessions.
    @Test func theNoticesOfASessionAreFoundByItsIndex() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("journal.sqlite")
        try await SQLiteJournal(path: path).closed()
        let db = try Connection(path, for: .reading)
        func plan(deck: String?, session: Int?) throws -> [String] {
            let rows = FeedReading.rows(of: "notice", deck: deck, session: session)
            let sql = "EXPLAIN QUERY PLAN \(rows.sql) ORDER BY position LIMIT 9"
            return try db.rows(sql, [SQLValue.integer(1), .integer(99)] + rows.values).map { try $0.text(3) }
        }
        let bySession = "INDEX notice_by_session (session=? AND rowid>? AND rowid<?)"
        #expect(try plan(deck: nil, session: 1) == ["SEARCH notice USING COVERING \(bySession)"])
        #expect(try plan(deck: "x", session: 1) == ["SEARCH notice USING \(bySession)"])
        let byDeck = "COVERING INDEX notice_by_deck (deck=? AND rowid>? AND rowid<?)"
        #expect(try plan(deck: "x", session: nil) == ["SEARCH notice USING \(byDeck)"])
    }
}
