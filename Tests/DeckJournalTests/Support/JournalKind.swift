import DeckJournal
import DeckJournalPostgreSQL
import DeckJournalSQLite
import FileTesting
import JournalTesting
import Testing

/// The implementations of the protocol. A new one adds a case here, and the suite runs over it unchanged.
enum JournalKind: CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite
    /// A file whose entries are moved into the sessions' rows all the time.
    case folding
    case postgresql

    var testDescription: String {
        switch self {
        case .memory: "in memory"
        case .sqlite: "in a file"
        case .folding: "in a file that is folded all the time"
        case .postgresql: "in PostgreSQL"
        }
    }

    /// Those that have everything again after they were closed and opened.
    static let persistent: [JournalKind] = [.sqlite, .folding, .postgresql]

    /// Runs the body with a new journal, and closes it.
    func run(
        _ options: JournalOptions = JournalOptions(),
        _ body: (any Journal) async throws -> Void
    ) async throws {
        let bench = try Bench(self, options)
        try await body(bench.journal)
        try await bench.journal.closed()
    }
}

/// A journal that can be closed and opened again.
final class Bench {
    let kind: JournalKind
    let folder: TemporaryFolder
    private let options: JournalOptions
    private let address: String
    private(set) var journal: any Journal

    init(_ kind: JournalKind, _ options: JournalOptions = JournalOptions()) throws {
        self.kind = kind
        self.options = options
        folder = try TemporaryFolder(isQuick: true)
        address = kind == .postgresql ? try PostgreSQLServer.newAddress() : folder.file("journal.sqlite")
        journal = try Self.open(kind, options, address)
    }

    private static func open(
        _ kind: JournalKind,
        _ options: JournalOptions,
        _ address: String
    ) throws -> any Journal {
        switch kind {
        case .memory: MemoryJournal(options: options)
        case .sqlite: try SQLiteJournal(path: address, options: options)
        case .folding: try SQLiteJournal(path: address, options: options, entriesToFold: 0)
        case .postgresql: try PostgreSQLJournal(address: address, options: options)
        }
    }

    /// Closes the journal and opens it again.
    func reopen() async throws -> any Journal {
        try await journal.closed()
        journal = try Self.open(kind, options, address)
        return journal
    }
}
