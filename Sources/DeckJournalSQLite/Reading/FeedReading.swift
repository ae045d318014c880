import DeckJournal

/// Reads the feed: the tables of verdicts and of notices, whose rows have places in one order.
struct FeedReading {
    private let db: Connection
    private let filter: FeedFilter
    /// The numbers of the wanted sessions; nil: the filter names neither a session nor a user.
    private let sessions: [Int]?
    /// The verdicts of the wanted sessions that the index may not have.
    private let unindexed: [Int: [UnindexedVerdict]]
    private let newest: Int

    /// Begins a snapshot of the file.
    init(_ filter: FeedFilter, unindexed verdicts: Unindexed<UnindexedVerdict>, in db: Connection) throws {
        self.db = db
        self.filter = filter
        let needsSessions = filter.session != nil || filter.user != nil
        unindexed = try needsSessions ? verdicts.begin(in: db) : [:]
        sessions = try needsSessions ? Self.sessions(filter, db) : nil
        newest = try Tally(db).lastPosition
    }

    private static func sessions(_ filter: FeedFilter, _ db: Connection) throws -> [Int] {
        let conditions = [filter.session.map { ("id", $0) }, filter.user.map { ("userName", $0) }].compactMap(\.self)
        let sql = "SELECT number FROM session WHERE " + conditions.map { "\($0.0) = ?" }.joined(separator: " AND ")
        let values = conditions.map { SQLValue.text($0.1) }
        return try db.integers(sql, values)
    }

    func page(after cursor: Cursor, upTo end: Cursor?, limit: Int) throws -> VerdictPage {
        let last = end.map { Int($0.position) } ?? .max
        let entries = try places(after: Int(cursor.position), upTo: last, limit: max(limit, 0)).map(entry)
        return VerdictPage(
            entries: entries,
            end: self.end(after: cursor, upTo: last, entries.last?.cursor, isFull: entries.count >= limit),
            newest: Cursor(position: Int64(newest))
        )
    }

    /// Where the page with the same arguments ends.
    func end(after cursor: Cursor, limit: Int) throws -> Cursor {
        let places = try places(after: Int(cursor.position), upTo: .max, limit: max(limit, 0))
        let found = places.last.map { Cursor(position: Int64($0.position)) }
        return end(after: cursor, upTo: .max, found, isFull: places.count >= limit)
    }

    private func end(after cursor: Cursor, upTo last: Int, _ found: Cursor?, isFull: Bool) -> Cursor {
        if isFull { return found ?? cursor }
        return Cursor(position: max(cursor.position, Int64(min(last, newest))))
    }
}

// MARK: Places

extension FeedReading {
    private struct Place {
        var position: Int
        var isNotice: Bool
    }

    /// The places of the wanted rows, in order.
    private func places(after first: Int, upTo last: Int, limit: Int) throws -> [Place] {
        guard limit > 0 else { return [] }
        let verdicts =
            try sessions.map { try verdictPlaces(of: $0, after: first, upTo: last, limit) }
            ?? tablePlaces(in: "verdict", areNotices: false, after: first, upTo: last, limit)
        let notices =
            try sessions.map { sessions in
                try sessions.flatMap { session in
                    try tablePlaces(of: session, in: "notice", areNotices: true, after: first, upTo: last, limit)
                }
            } ?? tablePlaces(in: "notice", areNotices: true, after: first, upTo: last, limit)
        guard !notices.isEmpty else { return verdicts }
        return Array((verdicts + notices).sorted { $0.position < $1.position }.prefix(limit))
    }

    /// Places of one of the two tables.
    ///
    /// - Parameter session: the number of the only wanted session; nil: those of all sessions are wanted.
    private func tablePlaces(
        of session: Int? = nil,
        in table: String,
        areNotices: Bool,
        after first: Int,
        upTo last: Int,
        _ limit: Int
    ) throws -> [Place] {
        let kinds = filter.kinds(areNotices: areNotices)
        guard !kinds.isEmpty else { return [] }
        var sql = "SELECT position FROM \(table) WHERE position > ? AND position <= ?"
        var values: [SQLValue] = [.integer(first), .integer(last)]
        if filter.kinds != nil { sql += " AND kind IN (\(kinds.map { "\($0.rawValue)" }.joined(separator: ", ")))" }
        if let deck = filter.deck {
            sql += " AND deck = ?"
            values.append(.text(deck))
        }
        if let session {
            sql += " AND session = ?"
            values.append(.integer(session))
        }
        sql += " ORDER BY position LIMIT ?"
        values.append(.integer(limit))
        return try db.integers(sql, values).map { Place(position: $0, isNotice: areNotices) }
    }

    /// Places of verdicts of sessions. The index of the verdicts by session has each session's places together.
    private func verdictPlaces(of sessions: [Int], after first: Int, upTo last: Int, _ limit: Int) throws -> [Place] {
        let kinds = filter.kinds(areNotices: false)
        guard !kinds.isEmpty else { return [] }
        var positions: Set<Int> = []
        for session in sessions {
            let sql = "SELECT position FROM session_verdict WHERE session = ? AND position > ? AND position <= ?"
            positions.formUnion(try db.integers(sql, [.integer(session), .integer(first), .integer(last)]))
            for row in unindexed[session] ?? [] where row.place > first && row.place <= last {
                positions.insert(row.place)
            }
        }
        var places: [Place] = []
        for position in positions.sorted() where places.count < limit {
            let sql = "SELECT kind, deck FROM verdict WHERE position = ?"
            // The snapshot may not have a row that is not in the index.
            guard let row = try db.row(sql, [.integer(position)]) else { continue }
            let (kind, deck) = (try row.integer(0), try row.textIfAny(1))
            guard kinds.contains(where: { $0.rawValue == kind }), filter.deck == nil || filter.deck == deck else {
                continue
            }
            places.append(Place(position: position, isNotice: false))
        }
        return places
    }
}

// MARK: Rows

extension FeedReading {
    private static let verdict = """
        SELECT \(VerdictRecord.columns), verdict.position, verdict.deck, session.id, verdict.at, session.userName
        FROM verdict JOIN session ON session.number = verdict.session WHERE verdict.position = ?
        """
    private static let notice = """
        SELECT 0, atMilliseconds, 0, x'', '', kind, notice.position, notice.deck, session.id, notice.at, session.userName
        FROM notice JOIN session ON session.number = notice.session WHERE notice.position = ?
        """

    private func entry(at place: Place) throws -> VerdictEntry {
        let sql = place.isNotice ? Self.notice : Self.verdict
        guard let row = try db.row(sql, [.integer(place.position)]) else {
            throw JournalError.damaged("a row of the feed has no session")
        }
        return try VerdictEntry(row)
    }
}

extension VerdictEntry {
    fileprivate init(_ row: Row) throws {
        self.init(
            cursor: Cursor(position: Int64(try row.integer(6))),
            session: try row.text(8),
            deck: try row.textIfAny(7),
            user: try row.textIfAny(10),
            savedAt: try row.time(9),
            verdict: try VerdictRecord(row, from: 0)
        )
    }
}
