/// The tables in which a journal is copied from one kind of database to another. Rows have the same columns in every kind.
public enum TransferTable: String, CaseIterable, Sendable {
    case deck
    case deckKey = "deck_key"
    case session
    case cards = "session_cards"
    case cardsEdit = "cards_edit"
    case logLine = "log_line"
    case verdict
    case notice
    case answer

    /// The type of a column's values, which can be null as well.
    public enum ColumnType: Sendable {
        case integer
        case real
        case text
        case bytes
    }

    /// A column of rows.
    public typealias Column = (name: String, type: ColumnType)

    /// The columns. The first ``keyCount`` are the key, by which rows are ordered.
    public var columns: [Column] {
        switch self {
        case .deck: [("id", .text), ("revision", .integer), ("document", .bytes)]
        case .deckKey:
            [
                ("number", .integer), ("owner", .text), ("key", .text), ("fingerprint", .bytes), ("revision", .integer),
                ("is_new", .integer), ("at", .integer), ("card_count", .integer),
            ]
        case .session: TransferredSession.columns
        case .cards: [("session", .integer), ("bytes", .bytes)]
        case .cardsEdit: [("session", .integer), ("position", .integer), ("bytes", .bytes)]
        case .logLine: [("session", .integer), ("line", .integer), ("at", .integer), ("bytes", .bytes)]
        case .verdict:
            [
                ("position", .integer), ("session", .integer), ("deck", .text), ("number", .integer),
                ("at_milliseconds", .real), ("card_index", .integer), ("card_id", .bytes), ("direction", .text),
                ("kind", .integer), ("at", .integer),
            ]
        case .notice:
            [
                ("position", .integer), ("session", .integer), ("deck", .text), ("kind", .integer),
                ("at_milliseconds", .real), ("at", .integer),
            ]
        case .answer:
            [
                ("session", .integer), ("total", .integer), ("key", .text), ("fingerprint", .bytes), ("at", .integer),
                ("revision", .integer), ("outcome", .bytes),
            ]
        }
    }

    /// The columns of the key.
    package var keyColumns: ArraySlice<Column> { columns.prefix(keyCount) }

    /// The names of the key's columns.
    package var keyNames: String { keyColumns.map(\.name).joined(separator: ", ") }

    /// The statement that finds the key of the last row of a relation that has the table's rows.
    package func lastKeyQuery(in relation: String) -> String {
        let order = keyColumns.map { "\($0.name) DESC" }.joined(separator: ", ")
        return "SELECT \(keyNames) FROM \(relation) ORDER BY \(order) LIMIT 1"
    }

    /// How many columns the key has.
    public var keyCount: Int {
        switch self {
        case .deck, .deckKey, .session, .cards, .verdict, .notice: 1
        case .cardsEdit, .logLine, .answer: 2
        }
    }
}

/// A value of a row that is copied.
public enum TransferValue: Sendable, Hashable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}

extension TransferValue {
    /// About how much memory the value takes.
    package var byteCount: Int {
        switch self {
        case .null, .integer, .real: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }

    /// The bytes; nil if it has none.
    package var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The integer.
    package var integer: Int {
        get throws(JournalError) {
            guard case .integer(let integer) = self else { throw .damaged("a row has no number where one must be") }
            return integer
        }
    }
}

/// A row that is copied: a value for each column of its table.
public typealias TransferRow = [TransferValue]

/// The last number of each kind that a journal has used. Equal counts of the same journal mean that it was not changed in
/// between, apart from data that housekeeping removed because of their age.
public struct TransferCounts: Sendable, Hashable, CustomStringConvertible {
    /// The decks.
    public var decks: Int
    /// The sessions that have not ended.
    public var sessions: Int
    /// The last revision of a deck.
    public var lastDeckRevision: Int
    /// The last position in the feed.
    public var lastFeedPosition: Int
    /// The last position of an entry.
    public var lastEntryPosition: Int
    /// The number of the last session.
    public var lastSession: Int
    /// The journal's generation.
    public var generation: Int

    /// Creates counts.
    public init(
        decks: Int,
        sessions: Int,
        lastDeckRevision: Int,
        lastFeedPosition: Int,
        lastEntryPosition: Int,
        lastSession: Int,
        generation: Int
    ) {
        self.decks = decks
        self.sessions = sessions
        self.lastDeckRevision = lastDeckRevision
        self.lastFeedPosition = lastFeedPosition
        self.lastEntryPosition = lastEntryPosition
        self.lastSession = lastSession
        self.generation = generation
    }

    /// The counts as one text.
    public var description: String {
        [decks, sessions, lastDeckRevision, lastFeedPosition, lastEntryPosition, lastSession, generation].map {
            "\($0)"
        }
        .joined(separator: " ")
    }
}
