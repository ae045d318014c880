import DeckJournal

extension WriteTransaction {
    /// How many rows a chore removes in a step.
    static let rowsPerStep = 200

    func leftoverCount() throws -> Int {
        try row("SELECT COUNT(*) FROM (SELECT 1 FROM leftover LIMIT 1000)", [])?.integer(0) ?? 0
    }

    /// Removes the rows of sessions that ended.
    mutating func removeLeftovers(until deadline: ContinuousClock.Instant) throws -> (hasChanged: Bool, hasMore: Bool) {
        var hasChanged = false
        while let session = try row("SELECT session FROM leftover LIMIT 1", [])?.integer(0) {
            guard !hasChanged || .now < deadline else { return (true, true) }
            if try removeSomeRows(of: session) == 0 {
                try run("DELETE FROM leftover WHERE session = ?", [.integer(session)])
            }
            hasChanged = true
        }
        return (hasChanged, false)
    }

    private mutating func removeSomeRows(of session: Int) throws -> Int {
        let tables = [
            ("log_line", "line", 50), ("cards_edit", "position", 50), ("cards_part", "part", 2),
            ("session_cards", "session", 1),
        ]
        for (table, key, limit) in tables {
            let sql = """
                DELETE FROM \(table) WHERE session = ? AND \(key) IN (
                    SELECT \(key) FROM \(table) WHERE session = ? LIMIT ?
                )
                """
            let count = try run(sql, [.integer(session), .integer(session), .integer(limit)])
            if count > 0 { return count }
        }
        return try removeSomeAnswers(of: session, atMost: 50)
    }

    /// Ends sessions that were not active for long enough.
    mutating func expireSessions() throws -> (hasChanged: Bool, hasMore: Bool) {
        guard let time = due.sessions else { return (false, false) }
        let sql = """
            SELECT number, id, lastActiveAt FROM session WHERE hasEnded = 0 AND activePeriod <= ? AND lastActiveAt < ?
            ORDER BY activePeriod LIMIT ?
            """
        let rows = try rows(sql, [.time(time.minute), .time(time.milliseconds), .integer(Self.rowsPerStep)])
        for row in rows {
            let session = try row.integer(0)
            // The row of a session in the tail may not know yet when the session was active last.
            let stored = try row.time(2)
            let lastActiveAt = max(stored, tailHead(of: session)?.lastActiveAt ?? stored)
            if lastActiveAt >= time {
                let sql = "UPDATE session SET lastActiveAt = ?, activePeriod = ? WHERE number = ?"
                try run(sql, [.time(lastActiveAt.milliseconds), .time(lastActiveAt.minute), .integer(session)])
            } else if let head = try head(of: try row.text(1)) {
                try end(try row.text(1), head)
            }
        }
        return (!rows.isEmpty, rows.count == Self.rowsPerStep)
    }

    /// Removes the idempotency keys of decks that are beyond their age or their number. They are numbered in the order of
    /// their times.
    func removeDeckKeys() throws -> (hasChanged: Bool, hasMore: Bool) {
        let oldest = try rows("SELECT number, at FROM deck_key ORDER BY number LIMIT ?", [.integer(Self.rowsPerStep)])
        let newest = try row("SELECT MAX(number) FROM deck_key", [])?.integerIfAny(0) ?? 0
        let old = try oldest.prefix { row in
            if let time = due.answers, try row.time(1) < time { return true }
            return try row.integer(0) <= newest - DeckKey.maximumCount
        }
        guard let last = try old.last?.integer(0) else { return (false, false) }
        try run("DELETE FROM deck_key WHERE number <= ?", [.integer(last)])
        return (true, old.count == Self.rowsPerStep)
    }
}

/// Removes log lines beyond their age. There is no index of their times, so it looks at the first line of one session
/// after another.
struct LogChore {
    private static let sessionsPerStep = 50
    private static let linesPerStep = 200

    private var lastSession = 0

    mutating func run(_ transaction: inout WriteTransaction) throws -> (hasChanged: Bool, hasMore: Bool) {
        guard let time = transaction.due.logs else { return (false, false) }
        var hasChanged = false
        for _ in 0..<Self.sessionsPerStep {
            let sql = "SELECT session, at FROM log_line WHERE session > ? ORDER BY session, line LIMIT 1"
            guard let first = try transaction.row(sql, [.integer(lastSession)]) else {
                lastSession = 0
                return (hasChanged, false)
            }
            let session = try first.integer(0)
            guard try first.time(1) < time else {
                lastSession = session
                continue
            }
            hasChanged = true
            let removed = try removeLines(of: session, before: time, &transaction)
            guard removed < Self.linesPerStep else { return (true, true) }
            lastSession = session
        }
        return (hasChanged, hasChanged)
    }

    private func removeLines(
        of session: Int,
        before time: WallTime,
        _ transaction: inout WriteTransaction
    ) throws -> Int {
        let sql = """
            DELETE FROM log_line WHERE session = ? AND line IN (
                SELECT line FROM (SELECT line, at FROM log_line WHERE session = ? ORDER BY line LIMIT ?) WHERE at < ?
            )
            """
        let session = SQLValue.integer(session)
        return try transaction.run(
            sql,
            [session, session, .integer(Self.linesPerStep), .time(time.milliseconds)]
        )
    }
}
