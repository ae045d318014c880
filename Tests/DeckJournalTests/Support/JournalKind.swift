import DeckJournal
import DeckJournalSQLite
import JournalTesting
import Testing

/// The journals that keep the contract.
enum JournalKind: CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String {
        switch self {
        case .memory: "in memory"
        case .sqlite: "in a file"
        }
    }

    /// Runs the body with a fresh journal, and closes it.
    func run(_ body: (any Journal) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let journal: any Journal =
            switch self {
            case .memory: MemoryJournal()
            case .sqlite: try SQLiteJournal(path: folder.file("journal.sqlite"))
            }
        try await body(journal)
        try await value { journal.close(completion: $0) }
    }
}
