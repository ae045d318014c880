import Testing

@testable import DeckJournalSQLite

struct FeedReadingTests {
    /// A deck can have many more notices than one of its sessions.
    @Test func theNoticesOfASessionAreFoundByItsIndex() async throws {
        func plan(deck: String?, session: Int?) async throws -> [String] {
            let rows = FeedReading.rows(of: "notice", deck: deck, session: session)
            let values = [SQLValue.integer(1), .integer(99)] + rows.values
            return try await queryPlan(of: "\(rows.sql) ORDER BY position LIMIT 9", values)
        }
        let bySession = "INDEX notice_by_session (session=? AND rowid>? AND rowid<?)"
        #expect(try await plan(deck: nil, session: 1) == ["SEARCH notice USING COVERING \(bySession)"])
        #expect(try await plan(deck: "x", session: 1) == ["SEARCH notice USING \(bySession)"])
        let byDeck = "COVERING INDEX notice_by_deck (deck=? AND rowid>? AND rowid<?)"
        #expect(try await plan(deck: "x", session: nil) == ["SEARCH notice USING \(byDeck)"])
    }
}
