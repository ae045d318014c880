import DeckJournal

/// Reads the feed: the tables of verdicts and of notices, whose rows have places in one order.
struct FeedReading {
    private let filter: FeedFilter
    private let cursor: FeedCursor
    private let limit: Int
    private let connection: Connection
    /// The end of the feed. Rows that are saved after it was read are on a later page.
    private let newest: Int64
    /// The last place that the page may have.
    private let last: Int64
    /// Whether the rows of the sessions that the filter names are found by an index, which has them in another order.
    private let usesIndex: Bool
    /// The place at which reading stops, because many rows before it may not match the filter; nil: at ``last``.
    private let stop: Int64?

    init(
        _ filter: FeedFilter,
        after cursor: FeedCursor,
        upTo end: FeedCursor? = nil,
        limit: Int,
        on connection: Connection
    ) throws {
        self.filter = filter
        self.cursor = cursor
        self.limit = max(limit, 0)
        self.connection = connection
        newest = Int64(try connection.run([Tally.reading("last_position")])[0].first?.integer(0) ?? 0)
        last = min(end?.position ?? .max, newest)
        let isLong = last > cursor.position && last - cursor.position > Int64(FeedFilter.mostRowsRead)
        usesIndex = try filter.namesSessions && isLong && Self.haveFewRows(filter, connection)
        stop = try isLong && !usesIndex ? Self.stop(filter, after: cursor, upTo: last, connection) : nil
    }

    /// Whether the filter names so few sessions, with so few rows, that an index finds these rows faster than reading the feed.
    private static func haveFewRows(_ filter: FeedFilter, _ connection: Connection) throws -> Bool {
        let (sessions, rows) = (FeedFilter.mostSessionsByIndex, FeedFilter.mostRowsByIndex)
        let sql = """
            WITH named AS MATERIALIZED (
                SELECT number FROM session WHERE \(condition(filter, from: 1)) LIMIT \(sessions + 1)
            )
            SELECT (SELECT count(*) FROM named), (
                SELECT count(*) FROM (
                    SELECT 1 FROM named CROSS JOIN LATERAL (
                        (SELECT 1 FROM verdict WHERE session = named.number ORDER BY number LIMIT \(rows + 1))
                        UNION ALL
                        (SELECT 1 FROM notice WHERE session = named.number ORDER BY position LIMIT \(rows + 1))
                    ) AS rows LIMIT \(rows + 1)
                ) AS counted
            )
            """
        guard let counts = try connection.run(sql, names(filter)).first else { return false }
        return try counts.integer(0) <= sessions && counts.integer(1) <= rows
    }

    /// The place at which reading stops. Of each table, at most `FeedFilter.mostRowsRead` rows are read, and the lower of the two
    /// places counts. nil: all rows can be read.
    private static func stop(
        _ filter: FeedFilter,
        after cursor: FeedCursor,
        upTo last: Int64,
        _ connection: Connection
    ) throws -> Int64? {
        guard filter.mayReadUnwantedRows else { return nil }
        let places = [false, true].filter { !filter.kinds(areNotices: $0).isEmpty }.map { areNotices in
            """
            (SELECT position FROM \(table(areNotices)) WHERE \(range(filter)) ORDER BY position
            LIMIT 1 OFFSET \(FeedFilter.mostRowsRead - 1))
            """
        }
        guard !places.isEmpty else { return nil }
        // LEAST ignores NULL.
        let sql = "SELECT LEAST(\(places.joined(separator: ", ")))"
        return try connection.run(sql, rangeValues(filter, cursor, last)).first?.integerIfAny(0).map { Int64($0) }
    }

    private static func table(_ areNotices: Bool) -> String { areNotices ? "notice" : "verdict" }

    /// The conditions that select rows in the order of the feed: $1 is the place before them, $2 is the last one, and $3 the deck.
    ///
    /// - Parameter isInSession: whether there is another condition for the session. A deck can have many more rows than a session, and
    ///   the server cannot use the index by deck for an expression.
    private static func range(_ filter: FeedFilter, isInSession: Bool = false) -> String {
        let deck = isInSession ? "deck || ''" : "deck"
        return "position > $1 AND position <= $2" + (filter.deck == nil ? "" : " AND \(deck) = $3")
    }

    private static func rangeValues(_ filter: FeedFilter, _ cursor: FeedCursor, _ last: Int64) -> [Value] {
        [.integer(Int(cursor.position)), .integer(Int(last))] + [filter.deck].compactMap { $0.map { .text($0) } }
    }

    /// The condition on the sessions that the filter names.
    ///
    /// - Parameter number: the number of the first parameter for a name.
    private static func condition(_ filter: FeedFilter, from number: Int) -> String {
        let columns = [filter.user.map { _ in "user_name" }, filter.session.map { _ in "id" }].compactMap(\.self)
        return columns.enumerated().map { "\($0.element) = $\(number + $0.offset)" }.joined(separator: " AND ")
    }

    private static func names(_ filter: FeedFilter) -> [Value] {
        [filter.user?.text, filter.session].compactMap { $0.map { .text($0) } }
    }

    /// A query for the places of the wanted rows, in order, and its values; nil: no row is wanted.
    private func places() -> (sql: String, values: [Value])? {
        let wanted = [false, true].filter { !filter.kinds(areNotices: $0).isEmpty }
        guard limit > 0, !wanted.isEmpty else { return nil }
        var values = Self.rangeValues(filter, cursor, min(last, stop ?? .max))
        let named = Self.condition(filter, from: values.count + 1)
        if filter.namesSessions { values += Self.names(filter) }
        values.append(.integer(limit))
        let order = "ORDER BY position LIMIT $\(values.count)"
        let parts = wanted.map { "(SELECT position FROM \(rows(areNotices: $0, named: named)) \(order))" }
        // A single part has its order already, and PostgreSQL does not allow another one around it.
        return (parts.joined(separator: " UNION ALL ") + (parts.count > 1 ? " \(order)" : ""), values)
    }

    /// The wanted rows of a table, without an order. Their number is bounded, whatever the planner thinks of it.
    ///
    /// - Parameter named: the condition on the sessions that the filter names.
    private func rows(areNotices: Bool, named: String) -> String {
        let range = Self.range(filter, isInSession: usesIndex)
        let rows = "SELECT position, session, kind FROM \(Self.table(areNotices)) WHERE \(range)"
        let kinds = filter.kinds(areNotices: areNotices).map { "\($0.rawValue)" }.joined(separator: ",")
        let isWanted = "kind = ANY('{\(kinds)}'::bigint[])"
        if usesIndex {
            // OFFSET 0 keeps the planner from another order of these steps.
            return """
                (SELECT number FROM session WHERE \(named) OFFSET 0) AS named
                CROSS JOIN LATERAL (\(rows) AND session = named.number AND \(isWanted) OFFSET 0) AS rows
                """
        }
        let read = filter.mayReadUnwantedRows ? "\(rows) ORDER BY position LIMIT \(FeedFilter.mostRowsRead)" : rows
        let isNamed = "EXISTS (SELECT 1 FROM session WHERE number = rows.session AND \(named))"
        return "(\(read)) AS rows WHERE \(isWanted)" + (filter.namesSessions ? " AND \(isNamed)" : "")
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

    func page() throws -> FeedPage {
        let rows = try places().map { try self.rows(at: $0.sql, $0.values) } ?? []
        let end = end(count: rows.count, last: rows.last?.cursor)
        return FeedPage(
            rows: rows,
            end: end.end,
            newest: FeedCursor(position: newest),
            isPartial: end.isPartial
        )
    }

    /// - Parameter places: a query for their places, with its values.
    private func rows(at places: String, _ values: [Value]) throws -> [FeedRow] {
        let sql = """
            WITH place AS MATERIALIZED (\(places))
            (\(Self.verdicts) WHERE position IN (SELECT position FROM place)) UNION ALL
            (\(Self.notices) WHERE position IN (SELECT position FROM place)) ORDER BY position
            """
        return try connection.run(sql, values).rows.map { row in
            FeedRow(
                cursor: FeedCursor(position: Int64(try row.integer(6))),
                session: try row.text(8),
                deck: row.textIfAny(7),
                user: row.textIfAny(10).map { UserName($0) },
                savedAt: try row.time(9),
                record: try FeedRecord(row)
            )
        }
    }

    /// Where the page ends.
    func end() throws -> FeedEnd {
        let rows = try places().map { try connection.run($0.sql, $0.values).rows } ?? []
        return end(count: rows.count, last: try rows.last.map { FeedCursor(position: Int64(try $0.integer(0))) })
    }

    private func end(count: Int, last row: FeedCursor?) -> FeedEnd {
        guard count < limit else { return FeedEnd(row ?? cursor, count: count, isPartial: false) }
        let end = min(last, stop ?? .max)
        return FeedEnd(FeedCursor(position: max(cursor.position, end)), count: count, isPartial: end < last)
    }
}

extension FeedFilter {
    /// Whether rows that are read in the order of the feed may not be wanted. An index by deck finds those of a deck in this order.
    fileprivate var mayReadUnwantedRows: Bool { kinds != nil || namesSessions }
}
