import DeckJournal

/// Reads the feed: the tables of verdicts and of notices, whose rows have places in one order.
struct FeedReading {
    private let filter: FeedFilter
    /// The first places of the wanted rows: $1 is the place before them, $2 the last one, and $3 their number.
    private let values: [Value]

    init(_ filter: FeedFilter, after cursor: Cursor, upTo end: Cursor? = nil, limit: Int) {
        self.filter = filter
        values =
            [.integer(Int(cursor.position)), .integer(Int(end?.position ?? .max)), .integer(max(limit, 0))]
            + [filter.deck, filter.user, filter.session].compactMap { $0.map { .text($0) } }
    }

    /// The conditions on the rows of a table. The filter's values follow the first three.
    private func conditions(_ table: String, _ kinds: [VerdictRecord.Kind]) -> String {
        var conditions = ["position > $1 AND position <= $2"]
        if filter.kinds != nil {
            conditions.append("kind = ANY('{\(kinds.map { "\($0.rawValue)" }.joined(separator: ","))}'::bigint[])")
        }
        var next = 4
        func add(_ condition: (_ mark: String) -> String) {
            conditions.append(condition("$\(next)"))
            next += 1
        }
        if filter.deck != nil { add { "\(table).deck = \($0)" } }
        if filter.user != nil { add { "\(table).session IN (SELECT number FROM session WHERE user_name = \($0))" } }
        if filter.session != nil { add { "\(table).session = (SELECT number FROM session WHERE id = \($0))" } }
        return conditions.joined(separator: " AND ")
    }

    /// A statement that reads rows of both tables.
    ///
    /// - Parameter select: reads columns of a table; each table has its own.
    private func statement(_ select: (_ areNotices: Bool) -> String) -> Statement {
        let parts = [false, true].compactMap { areNotices -> String? in
            let kinds = filter.kinds(areNotices: areNotices)
            // A filter that allows nothing still needs a statement.
            guard !kinds.isEmpty || (filter.kinds == [] && !areNotices) else { return nil }
            let conditions = conditions(areNotices ? "notice" : "verdict", kinds)
            return "(\(select(areNotices)) WHERE \(conditions) ORDER BY position LIMIT $3)"
        }
        // A single part has its order already, and PostgreSQL does not allow another one around it.
        guard parts.count > 1 else { return Statement(parts[0], values) }
        return Statement("\(parts.joined(separator: " UNION ALL ")) ORDER BY position LIMIT $3", values)
    }

    private static let newest = Statement("SELECT last_position FROM tally")

    private static let verdicts = """
        SELECT verdict.number, at_milliseconds, card_index, card_id, direction, kind, position, verdict.deck, session.id,
            verdict.at, session.user_name
        FROM verdict JOIN session ON session.number = verdict.session
        """
    private static let notices = """
        SELECT 0::bigint, at_milliseconds, 0::bigint, ''::bytea, '', kind, position, notice.deck, session.id, notice.at,
            session.user_name
        FROM notice JOIN session ON session.number = notice.session
        """

    static func page(
        after cursor: Cursor,
        upTo end: Cursor?,
        filter: FeedFilter,
        limit: Int,
        on connection: Connection
    ) throws -> VerdictPage {
        let reading = FeedReading(filter, after: cursor, upTo: end, limit: limit)
        // The end comes first: entries that are saved after it was read are of the next page.
        let results = try connection.run([newest, reading.statement { $0 ? notices : verdicts }])
        let newest = Int64(try results[0].first?.integer(0) ?? 0)
        let entries = try results[1].rows.map { row in
            VerdictEntry(
                cursor: Cursor(position: Int64(try row.integer(6))),
                session: try row.text(8),
                deck: row.textIfAny(7),
                user: row.textIfAny(10),
                savedAt: try row.time(9),
                verdict: try VerdictRecord(row)
            )
        }
        let last = entries.last?.cursor.position ?? 0
        let passed = max(cursor.position, min(end?.position ?? .max, newest), last)
        let isFull = entries.count >= max(limit, 0)
        return VerdictPage(
            entries: entries,
            end: isFull ? entries.last?.cursor ?? cursor : Cursor(position: passed),
            newest: Cursor(position: max(newest, last))
        )
    }

    static func end(after cursor: Cursor, filter: FeedFilter, limit: Int, on connection: Connection) throws -> Cursor {
        guard limit > 0 else { return cursor }
        let reading = FeedReading(filter, after: cursor, limit: limit)
        let places = reading.statement { "SELECT position FROM \($0 ? "notice" : "verdict")" }
        let last = "SELECT position FROM (\(places.sql)) AS places ORDER BY position OFFSET $3 - 1"
        let results = try connection.run([newest, Statement(last, places.values)])
        if let last = try results[1].first?.integer(0) { return Cursor(position: Int64(last)) }
        return Cursor(position: max(cursor.position, Int64(try results[0].first?.integer(0) ?? 0)))
    }
}
