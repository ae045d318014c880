import DeckJournal
import FileTesting
import JournalTesting

@testable import DeckJournalSQLite

/// The steps in which SQLite makes a query, in a journal's file without rows.
func queryPlan(of sql: String, _ values: [SQLValue]) async throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.file("journal.sqlite")
    try await SQLiteJournal(path: path).closed()
    return try Connection(path, for: .reading).rows("EXPLAIN QUERY PLAN \(sql)", values).map { try $0.text(3) }
}
