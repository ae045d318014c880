import DeckJournal

/// Lists sessions. The index of activity has the sessions that are not in the tail; the others are in memory.
struct SessionListing {
    private let db: Connection
    private let filter: SessionFilter
    private let start: SessionCursor
    private let heads: [Int: Tail.Head]

    /// A session that may be on the page.
    private struct Candidate {
        var cursor: SessionCursor
        /// Its head if that is in the tail.
        var head: Tail.Head?
    }

    /// Begins a snapshot of the file.
    init(after cursor: SessionCursor, _ filter: SessionFilter, _ tail: Tail, in db: Connection) throws {
        self.db = db
        self.filter = filter
        start = cursor
        heads = try tail.all(in: db)
    }

    func page(limit: Int) throws -> SessionPage {
        let limit = max(limit, 0)
        // Without an index, a filter by deck must read sessions that it does not allow.
        let scanned = filter.deck == nil || filter.hasIndex ? limit : max(limit, SessionFilter.scannedSessions)
        var candidates = try filter.hasIndex ? indexed() : active(scanned)
        candidates.removeAll { $0.cursor <= start }
        candidates.sort { $0.cursor < $1.cursor }
        var (sessions, end) = ([SessionSummary](), start)
        for (count, candidate) in candidates.enumerated() {
            guard sessions.count < limit, filter.hasIndex || count < scanned else {
                return SessionPage(sessions: sessions, next: end)
            }
            let summary = try summary(candidate)
            if filter.allows(summary.identity) { sessions.append(summary) }
            end = candidate.cursor
        }
        return SessionPage(sessions: sessions, next: nil)
    }

    /// The sessions that the indexes of ids and of users find.
    private func indexed() throws -> [Candidate] {
        var (conditions, values) = ([String](), [SQLValue]())
        if let user = filter.user {
            conditions.append("userName = ?")
            values.append(.text(user.text))
        }
        if let bounds = filter.idBounds {
            conditions.append("id >= ? AND id < ?")
            values += [.text(bounds.first), .text(bounds.end)]
        }
        let sql =
            "SELECT activePeriod, number FROM session WHERE hasEnded = 0 AND \(conditions.joined(separator: " AND "))"
        return try db.rows(sql, values).map { row in
            let number = try row.integer(1)
            return try heads[number].map { candidate(number, $0) } ?? candidate(row)
        }
    }

    /// The sessions of the tail, and the first ones of the others.
    private func active(_ count: Int) throws -> [Candidate] {
        var candidates = heads.map { candidate($0.key, $0.value) }
        let sql = """
            SELECT activePeriod, number FROM session WHERE hasEnded = 0 AND (activePeriod, number) < (?, ?)
            ORDER BY activePeriod DESC, number DESC
            """
        let rows = try db.lazyRows(sql, [.time(start.minute), .integer(start.number)])
        var found = 0
        while found <= count, let row = try rows.next() {
            guard heads[try row.integer(1)] == nil else { continue }
            candidates.append(try candidate(row))
            found += 1
        }
        return candidates
    }

    private func candidate(_ number: Int, _ head: Tail.Head) -> Candidate {
        Candidate(cursor: SessionCursor(minute: head.lastActiveAt.minute, number: number), head: head)
    }

    private func candidate(_ row: Row) throws -> Candidate {
        Candidate(cursor: SessionCursor(minute: Int64(try row.integer(0)), number: try row.integer(1)))
    }

    private func summary(_ candidate: Candidate) throws -> SessionSummary {
        let sql = "SELECT \(SessionReading.summaryColumns) FROM session WHERE number = ?"
        let number = candidate.cursor.number
        guard let row = try db.row(sql, [.integer(number)]) else {
            throw JournalError.damaged("session \(number) is missing")
        }
        var version = try row.integer(9)
        if let head = candidate.head {
            let sql = "SELECT version FROM entry WHERE position = ?"
            // An entry may have been moved into the row already.
            version = try db.integer(sql, [.integer(head.position)]) ?? version
        }
        let stored = try row.time(10)
        return SessionSummary(
            identity: try SessionIdentity(row),
            version: version,
            lastActiveAt: max(stored, candidate.head?.lastActiveAt ?? stored),
            cursor: candidate.cursor
        )
    }
}
