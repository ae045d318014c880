public import DeckJournal

/// A journal in a database, to be copied.
public final class PostgreSQLSource: TransferSource {
    /// Each session also has its notifications and parts.
    private static let sessionsInPage = 100
    /// Counting the rows of a large table takes long.
    static let patience = Duration.seconds(600)

    private let connection: Connection

    /// Connects to a database. A schema of an earlier format is migrated.
    public init(address: String) throws(JournalError) {
        connection = try TransferConnection.open(address, mustExist: true)
        let sources = try Self.attempt { try self.run("SELECT source FROM transfer") }
        guard sources.first == nil else { throw .unavailable("it is the target of a copy that is not complete") }
    }

    private func run(_ sql: String, _ values: [Value] = []) throws -> Rows {
        try connection.run(sql, values, within: Self.patience)
    }

    private static func attempt<Success>(_ body: () throws -> Success) throws(JournalError) -> Success {
        do {
            return try body()
        } catch {
            throw JournalError(error)
        }
    }

    /// Reads the counts.
    public func counts() throws(JournalError) -> TransferCounts {
        try Self.attempt {
            let tally = try Tally(self.run(Tally.reading.sql))
            return TransferCounts(
                decks: tally.deckCount,
                sessions: tally.sessionCount,
                lastDeckRevision: tally.lastDeckRevision,
                lastFeedPosition: tally.lastFeedPosition,
                lastEntryPosition: tally.lastEntryPosition,
                lastSession: tally.lastSession,
                generation: tally.generation
            )
        }
    }

    /// Counts the rows of a table.
    public func rowCount(of table: TransferTable) throws(JournalError) -> Int {
        try Self.attempt { try self.run("SELECT count(*) FROM \(table.counted)").first?.integer(0) ?? 0 }
    }

    /// Reads rows until there are 2,000 or 4 MiB of them.
    public func rows(of table: TransferTable, after key: TransferRow?) throws(JournalError) -> [TransferRow] {
        try Self.attempt {
            let values = try (key ?? []).map { value -> Value in
                if case .text(let text) = value { .text(text) } else { .integer(try value.integer) }
            }
            let limit = table == .session ? Self.sessionsInPage : TransferPage.rows
            let found = try self.run(table.reading(isFirst: key == nil, limit, TransferPage.bytes), values).rows
            let rows = try found.map { row in
                try table.storedColumns.enumerated().map { try row.transferred($0.offset, $0.element.type) }
            }
            return table == .session ? try self.completed(rows) : rows
        }
    }

    /// Adds the notifications and the parts that the sessions need.
    private func completed(_ sessions: [TransferRow]) throws -> [TransferRow] {
        let numbers = Value.integers(try sessions.map { try $0[0].integer })
        let notifications = try strings(
            """
            SELECT session, bytes FROM notification JOIN head USING (session)
            WHERE session = ANY($1::bigint[]) AND has_ended = 0
                AND number > notification_count - \(SessionLimits.notifications)
            ORDER BY session, number
            """,
            numbers
        )
        let parts = try strings(
            """
            SELECT session, bytes FROM part JOIN head USING (session)
            WHERE session = ANY($1::bigint[]) AND has_ended = 0 AND number > part_count - needed_parts
            ORDER BY session, number
            """,
            numbers
        )
        return try sessions.map { session in
            let number = try session[0].integer
            return session
                + [notifications, parts].map { strings in
                    ByteStrings.encode(strings[number] ?? []).map { .bytes($0) } ?? .null
                }
        }
    }

    private func strings(_ sql: String, _ sessions: Value) throws -> [Int: [[UInt8]]] {
        var strings: [Int: [[UInt8]]] = [:]
        for row in try run(sql, [sessions]).rows { strings[try row.integer(0), default: []].append(try row.bytes(1)) }
        return strings
    }

    /// Nothing: the connection is closed when this is dropped.
    public func close() throws(JournalError) {}
}

extension TransferTable {
    /// The columns that the statement reads; the others come from other tables.
    fileprivate var storedColumns: [(name: String, type: ColumnType)] {
        self == .session ? Array(columns.dropLast(2)) : columns
    }

    /// The statement that reads a page. Rows whose ends are beyond the limit on bytes are not read, except the first.
    fileprivate func reading(isFirst: Bool, _ rows: Int, _ bytes: Int) -> String {
        let names = storedColumns.map(\.name).joined(separator: ", ")
        let key = columns.prefix(keyCount).map(\.name).joined(separator: ", ")
        let marks = (1...keyCount).map { "$\($0)" }.joined(separator: ", ")
        // The index of some tables has the first column of the key only.
        let condition = isFirst ? "TRUE" : "\(columns[0].name) >= $1 AND (\(key)) > (\(marks))"
        let sizes = storedColumns.filter { $0.type == .bytes }.map { "coalesce(octet_length(\($0.name)), 0)" }
        let page = "SELECT \(names) FROM \(relation) WHERE \(condition) ORDER BY \(key) LIMIT \(rows)"
        guard !sizes.isEmpty else { return page }
        return """
            SELECT \(names) FROM (
                SELECT *, sum(\(sizes.joined(separator: " + "))) OVER (
                    ORDER BY \(key) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS bytes_before FROM (\(page)) AS page
            ) AS measured WHERE coalesce(bytes_before, 0) < \(bytes) ORDER BY \(key)
            """
    }

    /// What has about as many rows as the table's ``relation``.
    fileprivate var counted: String { self == .cards ? "head WHERE has_ended = 0" : rawValue }

    private var relation: String {
        let living = "WHERE session NOT IN (SELECT session FROM leftover)"
        return switch self {
        case .deck, .deckKey, .verdict, .notice: rawValue
        case .session: "(SELECT * FROM session JOIN head ON head.session = session.number) AS joined"
        case .cards:
            // Sessions share bases here, and each has its own in a copy between journals.
            """
            (
                SELECT number AS session, COALESCE(cards_base.bytes, session_cards.bytes) AS bytes FROM session
                LEFT JOIN cards_base ON cards_base.hash = session.cards_base
                LEFT JOIN session_cards ON session_cards.session = session.number
                WHERE number NOT IN (SELECT session FROM leftover)
                    AND (cards_base.hash IS NOT NULL OR session_cards.session IS NOT NULL)
            ) AS living
            """
        case .cardsEdit, .logLine, .answer: "(SELECT * FROM \(rawValue) \(living)) AS living"
        }
    }
}

extension Row {
    func transferred(_ column: Int, _ type: TransferTable.ColumnType) throws(JournalError) -> TransferValue {
        guard let bytes = bytesIfAny(column) else { return .null }
        return switch type {
        case .integer: .integer(try integer(column))
        case .real: .real(try real(column))
        case .text: .text(String(decoding: bytes, as: UTF8.self))
        case .bytes: .bytes(bytes)
        }
    }
}

/// Connections that copy a journal.
enum TransferConnection {
    /// Connects to a database that has a whole journal, or none.
    ///
    /// - Parameter mustExist: whether there must be tables. Otherwise they are created.
    static func open(_ address: String, mustExist: Bool) throws(JournalError) -> Connection {
        let target = Connection.Target(address: address)
        if let problem = target.problem { throw .unavailable(problem) }
        do {
            let connection = try Connection(target)
            guard try !mustExist || Schema.exists(connection) else {
                throw JournalError.unavailable("it has no journal")
            }
            try Schema.prepare(connection, nil)
            let place = try Schema.place(connection)
            guard place == .only else {
                throw JournalError.unavailable("it is \(place) of a journal's databases, which cannot be copied alone")
            }
            return connection
        } catch {
            throw JournalError(error)
        }
    }
}
