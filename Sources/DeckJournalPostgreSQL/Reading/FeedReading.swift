import DeckJournal

/// Reads the feed: the tables of verdicts and of notices, whose rows have places in one order.
struct FeedReading {
    private let filter: FeedFilter
    private let cursor: Cursor
    private let limit: Int
    private let connection: Connection
    /// The end of the feed. Rows that are saved after it was read are of the next page.
    private let newest: Int64
    /// The last place that the page may have.
    private let last: Int64
    /// The place before which reading stops, because many rows before it may not be wanted; nil: all are read.
    private let stop: Int64?

    init(
        _ filter: FeedFilter,
        after cursor: Cursor,
        upTo end: Cursor? = nil,
        limit: Int,
        on connection: Connection
    ) throws {
        self.filter = filter
        self.cursor = cursor
        self.limit = max(limit, 0)
        self.connection = connection
        let newest = Statement("SELECT last_position FROM tally")
        // Without kinds, an index finds the wanted rows only.
        let stop = filter.kinds?.isEmpty == false ? Self.stop(filter, after: cursor, upTo: end) : nil
        let results = try connection.run([newest] + [stop].compactMap(\.self))
        self.newest = Int64(try results[0].first?.integer(0) ?? 0)
        last = min(end?.position ?? .max, self.newest)
        self.stop = results.count > 1 ? try results[1].first?.integerIfAny(0).map { Int64($0) } : nil
    }

    /// Finds the place of the last of the most rows that may be read, in the table where it comes first.
    private static func stop(_ filter: FeedFilter, after cursor: Cursor, upTo end: Cursor?) -> Statement {
        let offset = FeedFilter.mostRowsRead - 1
        let places = [false, true].filter { !filter.kinds(areNotices: $0).isEmpty }.map { areNotices in
            let rows = "\(table(areNotices)) WHERE \(conditions(filter, table(areNotices)))"
            return "(SELECT position FROM \(rows) ORDER BY position LIMIT 1 OFFSET \(offset))"
        }
        // LEAST ignores NULL.
        let sql = "SELECT LEAST(\(places.joined(separator: ", ")))"
        return Statement(sql, values(filter, cursor, end?.position ?? .max))
    }

    private static func table(_ areNotices: Bool) -> String { areNotices ? "notice" : "verdict" }

    /// The conditions on the rows of a table, except that on their kinds. The values of the filter follow the first two.
    private static func conditions(_ filter: FeedFilter, _ table: String) -> String {
        var conditions = ["position > $1 AND position <= $2"]
        var next = 3
        func add(_ condition: (_ mark: String) -> String) {
            conditions.append(condition("$\(next)"))
            next += 1
        }
        if filter.deck != nil { add { "\(table).deck = \($0)" } }
        if filter.user != nil { add { "\(table).session IN (SELECT number FROM session WHERE user_name = \($0))" } }
        if filter.session != nil { add { "\(table).session = (SELECT number FROM session WHERE id = \($0))" } }
        return conditions.joined(separator: " AND ")
    }

    /// The values of the conditions: $1 is the place before the rows, $2 is the last one.
    private static func values(_ filter: FeedFilter, _ cursor: Cursor, _ last: Int64) -> [Value] {
        [.integer(Int(cursor.position)), .integer(Int(last))]
            + [filter.deck, filter.user, filter.session].compactMap { $0.map { .text($0) } }
    }

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

    func page() throws -> VerdictPage {
        let entries = try rows { $0 ? Self.notices : Self.verdicts }.map { row in
            VerdictEntry(
                cursor: Cursor(position: Int64(try row.integer(6))),
                session: try row.text(8),
                deck: row.textIfAny(7),
                user: row.textIfAny(10),
                savedAt: try row.time(9),
                verdict: try VerdictRecord(row)
            )
        }
        let end = end(count: entries.count, last: entries.last?.cursor)
        return VerdictPage(
            entries: entries,
            end: end.end,
            newest: Cursor(position: newest),
            isPartial: end.isPartial
        )
    }

    /// Where the page ends.
    func end() throws -> FeedEnd {
        let rows = try rows { "SELECT position FROM \(Self.table($0))" }
        return end(count: rows.count, last: try rows.last.map { Cursor(position: Int64(try $0.integer(0))) })
    }

    private func end(count: Int, last entry: Cursor?) -> FeedEnd {
        guard count < limit else { return FeedEnd(entry ?? cursor, count: count, isPartial: false) }
        let end = min(last, stop ?? .max)
        return FeedEnd(Cursor(position: max(cursor.position, end)), count: count, isPartial: end < last)
    }

    /// Reads the wanted rows of both tables, in order.
    ///
    /// - Parameter select: reads columns of a table; each table has its own.
    private func rows(_ select: (_ areNotices: Bool) -> String) throws -> [Row] {
        let values = Self.values(filter, cursor, min(last, stop ?? .max))
        let parts = [false, true].compactMap { areNotices -> String? in
            let kinds = filter.kinds(areNotices: areNotices)
            guard !kinds.isEmpty else { return nil }
            var conditions = Self.conditions(filter, Self.table(areNotices))
            if filter.kinds != nil {
                let numbers = kinds.map { "\($0.rawValue)" }.joined(separator: ",")
                conditions += " AND kind = ANY('{\(numbers)}'::bigint[])"
            }
            return "(\(select(areNotices)) WHERE \(conditions) ORDER BY position LIMIT $\(values.count + 1))"
        }
        guard !parts.isEmpty, limit > 0 else { return [] }
        // A single part has its order already, and PostgreSQL does not allow another one around it.
        let order = parts.count > 1 ? " ORDER BY position LIMIT $\(values.count + 1)" : ""
        return try connection.run(parts.joined(separator: " UNION ALL ") + order, values + [.integer(limit)]).rows
    }
}
