import DeckJournal

/// Lists sessions by their activity.
struct SessionListing {
    private let filter: SessionFilter
    private let limit: Int
    private let connection: Connection

    init(_ filter: SessionFilter, limit: Int, on connection: Connection) {
        self.filter = filter
        self.limit = min(max(limit, 0), .max - 1)
        self.connection = connection
    }

    func page(after start: SessionCursor) throws -> SessionPage {
        let end = try scanEnd(after: start)
        let rows = try rows(after: start, upTo: end)
        let sessions = try rows.prefix(limit).map { row in
            SessionSummary(
                identity: try SessionIdentity(row),
                version: try row.integer(12),
                lastActiveAt: try row.time(13),
                cursor: SessionCursor(minute: Int64(try row.integer(14)), number: try row.integer(15))
            )
        }
        return SessionPage(sessions: sessions, next: rows.count > limit ? sessions.last?.cursor ?? start : end)
    }

    /// The last of the sessions that are read for a filter without an index; nil: all sessions can be read.
    private func scanEnd(after start: SessionCursor) throws -> SessionCursor? {
        guard filter.deck != nil, !filter.hasIndex else { return nil }
        let sql = """
            SELECT minute, session FROM head WHERE has_ended = 0 AND (minute, session) < ($1, $2)
            ORDER BY minute DESC, session DESC LIMIT 1 OFFSET $3
            """
        let offset = max(limit, SessionFilter.scannedSessions) - 1
        let values: [Value] = [.integer(Int(start.minute)), .integer(start.number), .integer(offset)]
        return try connection.run(sql, values).first.map { row in
            SessionCursor(minute: Int64(try row.integer(0)), number: try row.integer(1))
        }
    }

    /// The rows of a page, and one more if there is one.
    private func rows(after start: SessionCursor, upTo end: SessionCursor?) throws -> [Row] {
        var values: [Value] = [.integer(Int(start.minute)), .integer(start.number), .integer(limit + 1)]
        func mark(_ value: Value) -> String {
            values.append(value)
            return "$\(values.count)"
        }
        var conditions = ["has_ended = 0", "(minute, head.session) < ($1, $2)"]
        if let end {
            conditions.append(
                "(minute, head.session) >= (\(mark(.integer(Int(end.minute)))), \(mark(.integer(end.number))))"
            )
        }
        if let deck = filter.deck { conditions.append("deck = \(mark(.text(deck)))") }
        // The sessions that an index finds are found first, whatever the planner thinks of their number.
        var wanted: [String] = []
        if let user = filter.user { wanted.append("user_name = \(mark(.text(user.text)))") }
        if let bounds = filter.idBounds {
            wanted.append("id >= \(mark(.text(bounds.first))) AND id < \(mark(.text(bounds.end)))")
        }
        let source =
            wanted.isEmpty
            ? "session"
            : "(SELECT * FROM session WHERE \(wanted.joined(separator: " AND ")) OFFSET 0) AS session"
        let sql = """
            SELECT \(SessionReading.identityColumns), version, last_active_at, minute, session.number
            FROM head JOIN \(source) ON session.number = head.session
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY minute DESC, head.session DESC LIMIT $3
            """
        return try connection.run(sql, values).rows
    }
}
