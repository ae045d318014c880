import DeckJournal

/// Reads the feed: the tables of verdicts and of notices, whose rows have places in one order.
struct FeedReading {
    private let db: Connection
    private let filter: FeedFilter
    /// The verdicts that the index by session may not have.
    private let unindexed: [Int: [UnindexedVerdict]]
    private let newest: Int

    /// Begins a snapshot of the file.
    init(_ filter: FeedFilter, unindexed verdicts: Unindexed<UnindexedVerdict>, in db: Connection) throws {
        self.db = db
        self.filter = filter
        unindexed = try filter.namesSessions ? verdicts.begin(in: db) : [:]
        newest = try Tally(db).lastFeedPosition
    }

    func page(after cursor: FeedCursor, upTo end: FeedCursor?, limit: Int) throws -> FeedPage {
        let last = min(end.map { Int($0.position) } ?? .max, newest)
        let places = try places(after: Int(cursor.position), upTo: last, limit: limit)
        let end = self.end(of: places, after: cursor, upTo: last, limit: limit)
        return FeedPage(
            rows: try places.found.map(row),
            end: end.end,
            newest: FeedCursor(position: Int64(newest)),
            isPartial: end.isPartial
        )
    }

    /// Where the page with the same arguments ends.
    func end(after cursor: FeedCursor, limit: Int) throws -> FeedEnd {
        let places = try places(after: Int(cursor.position), upTo: newest, limit: limit)
        return end(of: places, after: cursor, upTo: newest, limit: limit)
    }

    private func end(of places: Places, after cursor: FeedCursor, upTo last: Int, limit: Int) -> FeedEnd {
        let count = places.found.count
        guard count < limit else {
            let end = places.found.last.map { FeedCursor(position: Int64($0.position)) }
            return FeedEnd(end ?? cursor, count: count, isPartial: false)
        }
        let end = min(places.stop ?? .max, last)
        return FeedEnd(FeedCursor(position: max(cursor.position, Int64(end))), count: count, isPartial: end < last)
    }
}

// MARK: Places

extension FeedReading {
    private struct Place {
        var position: Int
        var isNotice: Bool
    }

    /// Places of wanted rows, in order.
    private struct Places {
        var found: [Place] = []
        /// The last position up to which rows were read, if more could follow; nil: all were read.
        var stop: Int?

        /// The first places of both, as far as the rows of both were read.
        func merged(with others: Places, limit: Int) -> Places {
            let stop = [stop, others.stop].compactMap(\.self).min()
            let all = (found + others.found).sorted { $0.position < $1.position }
            let known = all.prefix { $0.position <= stop ?? .max }.prefix(limit)
            return Places(found: Array(known), stop: known.count == limit ? nil : stop)
        }
    }

    /// The places of the wanted rows.
    private func places(after first: Int, upTo last: Int, limit: Int) throws -> Places {
        guard limit > 0, first < last else { return Places() }
        let range = first + 1...last
        guard let sessions = try indexedSessions(range) else {
            let verdicts = try tablePlaces(in: "verdict", areNotices: false, range, limit)
            return verdicts.merged(with: try tablePlaces(in: "notice", areNotices: true, range, limit), limit: limit)
        }
        let notices = try sessions.flatMap { session in
            try tablePlaces(of: session, in: "notice", areNotices: true, range, limit).found
        }
        return try verdictPlaces(of: sessions, range, limit).merged(with: Places(found: notices), limit: limit)
    }

    /// The numbers of the sessions that the filter names, if an index finds their rows faster than reading the feed; nil: it does
    /// not. The index has the rows by session, and not in the order of the feed.
    private func indexedSessions(_ range: ClosedRange<Int>) throws -> [Int]? {
        guard filter.namesSessions, range.count > FeedFilter.mostRowsRead else { return nil }
        let (condition, values) = filter.sessionCondition
        let most = FeedFilter.mostSessionsByIndex
        let sql = "SELECT number FROM session WHERE \(condition) LIMIT \(most + 1)"
        let sessions = try db.integers(sql, values)
        guard sessions.count <= most else { return nil }
        var rest = FeedFilter.mostRowsByIndex
        for session in sessions {
            for table in ["session_verdict", "notice"] {
                let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM \(table) WHERE session = ? LIMIT ?)"
                rest -= try db.integer(sql, [.integer(session), .integer(rest + 1)]) ?? 0
                guard rest >= 0 else { return nil }
            }
        }
        return sessions
    }

    /// Places of one of the two tables.
    ///
    /// - Parameter session: the number of a session that the filter names; nil: the rows of all sessions are read.
    private func tablePlaces(
        of session: Int? = nil,
        in table: String,
        areNotices: Bool,
        _ range: ClosedRange<Int>,
        _ limit: Int
    ) throws -> Places {
        let kinds = filter.kinds(areNotices: areNotices).map { "\($0.rawValue)" }.joined(separator: ", ")
        guard !kinds.isEmpty else { return Places() }
        let (rows, selected) = Self.rows(of: table, deck: filter.deck, session: session)
        var wanted = filter.kinds == nil ? "" : " AND kind IN (\(kinds))"
        var names: [SQLValue] = []
        if session == nil, filter.namesSessions {
            let condition = filter.sessionCondition
            wanted += " AND EXISTS (SELECT 1 FROM session WHERE number = \(table).session AND \(condition.sql))"
            names = condition.values
        }
        let bounds = { (last: Int) -> [SQLValue] in [.integer(range.lowerBound), .integer(last)] + selected }
        var stop: Int?
        if session == nil, !wanted.isEmpty, range.count > FeedFilter.mostRowsRead {
            let sql = "\(rows) ORDER BY position LIMIT 1 OFFSET \(FeedFilter.mostRowsRead - 1)"
            stop = try db.integer(sql, bounds(range.upperBound))
        }
        let found = try db.integers(
            "\(rows)\(wanted) ORDER BY position LIMIT ?",
            bounds(stop ?? range.upperBound) + names + [.integer(limit)]
        )
        return Places(found: found.map { Place(position: $0, isNotice: areNotices) }, stop: stop)
    }

    /// The start of a query for places of a table, and the values that follow the first and the last place.
    ///
    /// - Parameter session: as for the places.
    static func rows(of table: String, deck: String?, session: Int?) -> (sql: String, values: [SQLValue]) {
        var sql = "SELECT position FROM \(table) WHERE position BETWEEN ? AND ?"
        var values: [SQLValue] = []
        if let session {
            sql += " AND session = ?"
            values.append(.integer(session))
        }
        if let deck {
            // A deck can have many more rows than a session. With the plus, SQLite cannot use the index by deck.
            sql += session == nil ? " AND deck = ?" : " AND +deck = ?"
            values.append(.text(deck))
        }
        return (sql, values)
    }

    /// Places of verdicts of sessions.
    private func verdictPlaces(of sessions: [Int], _ range: ClosedRange<Int>, _ limit: Int) throws -> Places {
        let kinds = filter.kinds(areNotices: false)
        guard !kinds.isEmpty else { return Places() }
        let positions = try positions(of: sessions, range)
        let read = positions.prefix(FeedFilter.mostRowsRead)
        var places = Places(stop: read.count < positions.count ? read.last : nil)
        for position in read where places.found.count < limit {
            let sql = "SELECT kind, deck FROM verdict WHERE position = ?"
            // The snapshot may not have a row that is not in the index.
            guard let row = try db.row(sql, [.integer(position)]) else { continue }
            let (kind, deck) = (try row.integer(0), try row.textIfAny(1))
            guard kinds.contains(where: { $0.rawValue == kind }), filter.deck == nil || filter.deck == deck else {
                continue
            }
            places.found.append(Place(position: position, isNotice: false))
        }
        return places
    }

    /// The positions of the verdicts of sessions, in order, from the index that has each session's positions together.
    private func positions(of sessions: [Int], _ range: ClosedRange<Int>) throws -> [Int] {
        let sql = "SELECT position FROM session_verdict WHERE session = ? AND position BETWEEN ? AND ?"
        var positions: Set<Int> = []
        for session in sessions {
            let values = [session, range.lowerBound, range.upperBound].map { SQLValue.integer($0) }
            positions.formUnion(try db.integers(sql, values))
            positions.formUnion((unindexed[session] ?? []).map(\.place).filter(range.contains))
        }
        return positions.sorted()
    }
}

extension FeedFilter {
    /// The condition on sessions, on the columns of their table, and its values.
    fileprivate var sessionCondition: (sql: String, values: [SQLValue]) {
        let conditions = [session.map { ("id = ?", $0) }, user.map { ("userName = ?", $0.text) }].compactMap(\.self)
        return (conditions.map(\.0).joined(separator: " AND "), conditions.map { .text($0.1) })
    }
}

// MARK: Rows

extension FeedReading {
    private static let verdict = """
        SELECT \(FeedRecord.columns), verdict.position, verdict.deck, session.id, verdict.at, session.userName
        FROM verdict JOIN session ON session.number = verdict.session WHERE verdict.position = ?
        """
    private static let notice = """
        SELECT 0, atMilliseconds, 0, x'', '', kind, notice.position, notice.deck, session.id, notice.at, session.userName
        FROM notice JOIN session ON session.number = notice.session WHERE notice.position = ?
        """

    private func row(at place: Place) throws -> FeedRow {
        let sql = place.isNotice ? Self.notice : Self.verdict
        guard let row = try db.row(sql, [.integer(place.position)]) else {
            throw JournalError.damaged("a row of the feed has no session")
        }
        return try FeedRow(row)
    }
}

extension FeedRow {
    fileprivate init(_ row: Row) throws {
        self.init(
            cursor: FeedCursor(position: Int64(try row.integer(6))),
            session: try row.text(8),
            deck: try row.textIfAny(7),
            user: try row.textIfAny(10).map { UserName($0) },
            savedAt: try row.time(9),
            record: try FeedRecord(row, from: 0)
        )
    }
}
