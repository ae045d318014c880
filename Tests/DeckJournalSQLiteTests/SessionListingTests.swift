import DeckJournal
import JournalTesting
import Testing

@testable import DeckJournalSQLite

struct SessionListingTests {
    /// A user can have many sessions that have ended, whose rows stay because the feed has them.
    @Test func theIndexOfUsersFindsTheSessionsThatHaveNotEnded() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("journal.sqlite")
        try await SQLiteJournal(path: path).closed()
        let sql = "SELECT activePeriod, number FROM session WHERE hasEnded = 0 AND userName = ?"
        let plan = try Connection(path, for: .reading).rows("EXPLAIN QUERY PLAN \(sql)", [.text("u")])
        let step = "SEARCH session USING INDEX session_by_user (userName=? AND hasEnded=?)"
        #expect(try plan.map { try $0.text(3) } == [step])
    }
}
