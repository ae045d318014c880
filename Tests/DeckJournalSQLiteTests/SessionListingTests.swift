import Testing

@testable import DeckJournalSQLite

struct SessionListingTests {
    /// A user can have many sessions that have ended, whose rows stay because the feed has them.
    @Test func theIndexOfUsersFindsTheSessionsThatHaveNotEnded() async throws {
        let sql = "SELECT activePeriod, number FROM session WHERE hasEnded = 0 AND userName = ?"
        let step = "SEARCH session USING INDEX session_by_user (userName=? AND hasEnded=?)"
        #expect(try await queryPlan(of: sql, [.text("u")]) == [step])
    }
}
