public import DeckJournal

/// A journal in a database, to be copied.
public final class PostgreSQLSource: TransferSource {
    /// Counting the rows of a large table takes long.
    static let patience = Duration.seconds(600)

    private let connection: Connection

    /// Connects to a database. A schema of an earlier format is migrated.
    public init(address: String) throws(JournalError) {
        connection = try TransferConnection.open(address, mustExist: true)
        let isStandby = try Self.attempt { try self.run("SHOW in_hot_standby").first?.text(0) == "on" }
        guard !isStandby else {
            let advice = "target_session_attrs=read-write finds the primary"
            throw .unavailable("it is a standby, which can lack commits; \(advice)")
        }
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
        try Self.attempt { try self.run("SELECT count(*) FROM \(table.relation)").first?.integer(0) ?? 0 }
    }

    /// Reads rows until there are 2,000 or 4 MiB of them.
    public func rows(of table: TransferTable, after key: TransferRow?) throws(JournalError) -> [TransferRow] {
        try Self.attempt {
            let values = try (key ?? []).map { value -> Value in
                if case .text(let text) = value { .text(text) } else { .integer(try value.integer) }
            }
            let found = try self.run(table.page(isFirst: key == nil), values).rows
            let rows = try found.map { try $0.transferred(table.relationColumns) }
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
            return session + [.strings(notifications[number] ?? []), .strings(parts[number] ?? [])]
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
