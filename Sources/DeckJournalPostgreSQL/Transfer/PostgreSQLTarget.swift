public import DeckJournal

/// A database into which a journal is copied. Servers refuse to use it until the copy is complete.
public final class PostgreSQLTarget: TransferTarget {
    private let connection: Connection

    /// Connects to a database, and creates the tables if there are none.
    public init(address: String) throws(JournalError) {
        connection = try TransferConnection.open(address, mustExist: false)
    }

    private func run(_ statements: [Statement]) throws(JournalError) {
        do {
            _ = try connection.run(
                [Statement("BEGIN")] + statements + [Statement("COMMIT")],
                within: PostgreSQLSource.patience
            )
        } catch {
            if !connection.isLost { _ = try? connection.run("ROLLBACK") }
            throw JournalError(error)
        }
    }

    private func read(_ sql: String) throws(JournalError) -> Rows {
        do {
            return try connection.run(sql, within: PostgreSQLSource.patience)
        } catch {
            throw JournalError(error)
        }
    }

    /// Remembers the source, or compares it with the one of the copy that was started.
    public func begin(source: String) throws(JournalError) {
        let former = try read("SELECT source FROM transfer").first?.text(0)
        guard former == nil else {
            guard former == source else {
                throw .unavailable("it has the beginning of another copy; drop its schema, and begin again")
            }
            return
        }
        guard try isEmpty else { throw .unavailable("it has a journal already") }
        try run([Statement("INSERT INTO transfer VALUES ($1)", [.text(source)])])
    }

    /// Whether no server has ever written anything.
    private var isEmpty: Bool {
        get throws(JournalError) {
            let tally = try Tally(read(Tally.reading.sql))
            return tally.lastSession == 0 && tally.lastDeckRevision == 0 && tally.generation == 0
        }
    }

    private func checkThatNoServerUsesIt() throws(JournalError) {
        guard try isEmpty else {
            throw .unavailable("a server has used it meanwhile; drop its schema, and begin again")
        }
    }

    /// Finds the last key.
    public func lastKey(of table: TransferTable) throws(JournalError) -> TransferRow? {
        try read(table.lastKeyQuery(in: table.relation)).first?.transferred(table.keyColumns)
    }

    /// Adds rows in one transaction.
    public func add(_ rows: [TransferRow], to table: TransferTable) throws(JournalError) {
        try checkThatNoServerUsesIt()
        try run(table.insertions(of: rows))
    }

    /// Writes what is derived from the rows, and allows servers to use the database.
    public func finish(_ counts: TransferCounts) throws(JournalError) {
        try checkThatNoServerUsesIt()
        var tally = Tally()
        tally.lastDeckRevision = counts.lastDeckRevision
        tally.lastFeedPosition = counts.lastFeedPosition
        tally.lastEntryPosition = counts.lastEntryPosition
        tally.lastSession = counts.lastSession
        tally.generation = counts.generation
        tally.writes = 1
        tally.deckCount = try read("SELECT count(*) FROM deck").first?.integer(0) ?? 0
        tally.sessionCount = try read("SELECT count(*) FROM head WHERE has_ended = 0").first?.integer(0) ?? 0
        _ = try tally.raiseGeneration(above: Generation.elapsed(at: .now()))
        let living = "FROM session JOIN head ON head.session = session.number WHERE has_ended = 0"
        try run([
            tally.writing,
            Statement("INSERT INTO owner SELECT owner, count(*) \(living) AND owner IS NOT NULL GROUP BY owner"),
            Statement("INSERT INTO family SELECT root, count(*) \(living) AND root IS NOT NULL GROUP BY root"),
            Statement(
                """
                SELECT setval(
                    pg_get_serial_sequence('deck_key', 'number'), greatest(max(number), 1), max(number) IS NOT NULL
                ) FROM deck_key
                """
            ),
            Statement("DELETE FROM transfer"),
        ])
        // Without statistics the server would read whole tables until it gathers them itself. The copy is complete.
        _ = try? read("ANALYZE")
    }
}
