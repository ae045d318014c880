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
        guard let row = try read(table == .cards ? Self.lastCards : table.lastKeyQuery).first else { return nil }
        var key: TransferRow = []
        for (index, column) in table.keyColumns.enumerated() { key.append(try row.transferred(index, column.type)) }
        return key
    }

    private static let lastCards = """
        SELECT number FROM session WHERE cards_base IS NOT NULL ORDER BY number DESC LIMIT 1
        """

    /// Adds rows in one transaction.
    public func add(_ rows: [TransferRow], to table: TransferTable) throws(JournalError) {
        try checkThatNoServerUsesIt()
        if table == .session { return try run(SessionBatches(rows).statements) }
        if table == .cards { return try run(BaseBatches(rows).statements) }
        // The numbers of keys are given by the database otherwise.
        let overriding = table == .deckKey ? "OVERRIDING SYSTEM VALUE" : ""
        let columns = table.columns.map { ($0.name, $0.type.batched) }
        var batch = Batch(RowLayout(table.rawValue, columns, overriding: overriding))
        for row in rows { batch.add(row: row) }
        try run([batch.insertion])
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

/// The rows of the tables that a session is in.
private struct SessionBatches {
    private static let identityColumns = 16
    private static let headColumns = [
        "has_ended", "last_active_at", "position", "predecessor", "nonce", "version", "log_lines", "log_bytes",
        "answer_bytes", "needed_parts",
    ]

    private var sessions = Batch(
        RowLayout("session", TransferTable.session.columns.prefix(identityColumns).map { ($0.name, $0.type.batched) })
    )
    private var heads = Batch(
        RowLayout(
            "head",
            [("session", .integer), ("minute", .integer), ("notification_count", .integer), ("part_count", .integer)]
                + headColumns.map { ($0, .integer) } + [("state", .bytes)]
        )
    )
    private var notifications = Batch(.notification)
    private var parts = Batch(.part)

    init(_ rows: [TransferRow]) throws(JournalError) {
        for row in rows { try add(row) }
    }

    private mutating func add(_ row: TransferRow) throws(JournalError) {
        guard row.count == TransferTable.session.columns.count else { throw .damaged("a row has too few values") }
        let number = try row[0].integer
        let notifications = try ByteStrings.decode(row[27].bytes)
        let parts = try ByteStrings.decode(row[28].bytes)
        sessions.add(row: row.prefix(Self.identityColumns))
        let minute = WallTime(milliseconds: Int64(try row[17].integer)).minute
        let counts = [number, Int(minute), notifications.count, parts.count].map { TransferValue.integer($0) }
        heads.add(row: counts + row[Self.identityColumns...26])
        self.notifications.add(notifications, of: number, after: 0)
        self.parts.add(parts, of: number, after: 0)
    }

    var statements: [Statement] { [sessions, heads, notifications, parts].insertions }
}

/// The rows of the bases of cards, and the sessions that have them.
private struct BaseBatches {
    private var bases = Batch(RowLayout.cardsBase)
    private var sessions = Batch(RowLayout.base)

    init(_ rows: [TransferRow]) throws(JournalError) {
        var hashes: Set<[UInt8]> = []
        for row in rows {
            let base = CardsBase(row[1].bytes ?? [])
            sessions.add(try row[0].integer)
            sessions.add(base.hash)
            sessions.endRow()
            if hashes.insert(base.hash).inserted { bases.add(base) }
        }
    }

    var statements: [Statement] { [bases.insertion, sessions.baseUpdate] }
}

extension TransferTable.ColumnType {
    fileprivate var batched: Column.ElementType {
        switch self {
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .bytes: .bytes
        }
    }
}

extension Batch {
    fileprivate mutating func add(row: some Sequence<TransferValue>) {
        for value in row {
            switch value {
            case .null: addNull()
            case .integer(let integer): add(integer)
            case .real(let real): add(real)
            case .text(let text): add(text)
            case .bytes(let bytes): add(bytes)
            }
        }
        endRow()
    }
}
