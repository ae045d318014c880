import DeckJournal

/// Counts of the whole journal, and the last number of each kind that was used.
struct Tally: Equatable {
    private static let columns = [
        "deck_count", "session_count", "last_revision", "last_position", "last_entry", "last_session", "generation",
        "writes",
    ]
    private static let fields: [any WritableKeyPath<Tally, Int> & Sendable] = [
        \.deckCount, \.sessionCount, \.lastDeckRevision, \.lastFeedPosition, \.lastEntryPosition, \.lastSession,
        \.generation, \.writes,
    ]

    var deckCount = 0
    var sessionCount = 0
    /// The last revision of a deck.
    var lastDeckRevision = 0
    /// The last position in the feed.
    var lastFeedPosition = 0
    /// The last position of an entry.
    var lastEntryPosition = 0
    /// The number of the last session.
    var lastSession = 0
    var generation = 0
    /// Grows with every transaction.
    var writes = 0

    /// Each transaction leaves a version of the row. The server stores it as long as an older transaction lasts, such as that of a
    /// dump. The index finds the newest version without reading the others.
    private static let newest = "FROM tally ORDER BY tally.writes DESC LIMIT 1"
    static let reading = reading(columns.joined(separator: ", "))
    /// Makes all other transactions that write wait until this one has ended. Reads the server's clock, too.
    static let locking = Statement(reading((columns + [DatabaseClock.sql]).joined(separator: ", ")).sql + " FOR UPDATE")
    /// The column of the clock.
    static let clockColumn = columns.count

    init() {}

    init(_ rows: Rows) throws(JournalError) {
        guard let row = rows.first else { throw .damaged("the counts are missing") }
        for (column, field) in Self.fields.enumerated() { self[keyPath: field] = try row.integer(column) }
    }

    /// Counts a transaction.
    mutating func countWrite() throws(JournalError) {
        guard writes < .max else { throw .damaged("no more transactions can be counted") }
        writes += 1
    }

    var writing: Statement {
        let assignments = zip(Self.columns, 1...).map { "\($0) = $\($1)" }.joined(separator: ", ")
        let condition = "tally.writes = (SELECT writes \(Self.newest))"
        return Statement(
            "UPDATE tally SET \(assignments) WHERE \(condition)",
            Self.fields.map { .integer(self[keyPath: $0]) }
        )
    }

    /// A statement that reads some columns.
    static func reading(_ columns: String) -> Statement {
        Statement("SELECT \(columns) \(newest)")
    }

    /// Starts a new generation if a later tally was committed. The server has lost commits then, for example because it was a
    /// standby that had not received them. Their numbers must not be used again.
    ///
    /// - Returns: whether it has.
    mutating func recover(from newest: Tally) throws(JournalError) -> Bool {
        guard writes < newest.writes else { return false }
        _ = try raiseGeneration(above: max(newest.generation, Generation.of(newest.lastFeedPosition)))
        writes = newest.writes
        return true
    }

    /// Starts a new generation, from which on all numbers are greater than before.
    mutating func raiseGeneration(above former: Int) throws(JournalError) -> Int {
        generation = try Generation.next(after: generation, above: former)
        let floor = Generation.floor(generation)
        lastEntryPosition = max(lastEntryPosition, floor)
        lastFeedPosition = max(lastFeedPosition, floor)
        lastDeckRevision = max(lastDeckRevision, floor)
        return generation
    }
}
