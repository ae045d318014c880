import DeckJournal

/// Removes data that is older than its age or belongs to ended sessions. It does so in steps between the groups of changes,
/// each short enough that no commit waits long for it.
struct Housekeeping {
    private static let rowsPerStep = 500
    private static let sessionsPerStep = 50

    /// The most rows with a time in the future that may be in front of rows that are due.
    private static let mostFutureRows = 20_000

    private let options: JournalOptions
    private let clock: DatabaseClock
    private var nextStep = ContinuousClock.now
    /// How many parts of the last step reached their limits, so that more work is due.
    private(set) var backlog = 0

    init(_ options: JournalOptions, _ clock: DatabaseClock) {
        self.options = options
        self.clock = clock
    }

    func isDue(at time: ContinuousClock.Instant) -> Bool { backlog > 0 || time >= nextStep }

    /// Does one step, and returns what it has committed.
    ///
    /// - Parameters:
    ///   - newest: the newest tally that is known to be committed.
    ///   - announcement: makes the statement that notifies other nodes of it.
    mutating func step(
        _ link: Link,
        after newest: Tally,
        announcing announcement: (Committed) -> Statement
    ) throws -> Committed {
        backlog = 0
        nextStep = .now + options.housekeepingInterval
        // The transaction compares the clock, which the first step does not know yet.
        let idle = try idleSessions(DueTimes(options.ages, at: clock.now), link)
        let needs = Needs(idle.map(Need.sessionToEnd))
        var transaction = try Transaction(link, needs, options.ages, clock, after: newest)
        let due = DueTimes(options.ages, at: transaction.time)
        for id in idle where isIdle(id, due, transaction.changes) { _ = try transaction.changes.end(id, at: nil) }
        let removals = self.removals(due, at: transaction.time)
        let results = try transaction.run(removals)
        backlog = results.filter { $0.changedCount >= Self.rowsPerStep }.count
        if idle.count == Self.sessionsPerStep { backlog += 1 }
        // More sessions may wait behind those that are gone now.
        if results[Self.leftoverResult(of: results.count)].changedCount > 0 { backlog += 1 }
        let hasChanged =
            transaction.hasLostCommits || !transaction.changes.news.isEmpty
            || results.contains { $0.changedCount > 0 }
        return hasChanged ? try transaction.commit(announcing: announcement) : transaction.end()
    }

    private func isIdle(_ id: String, _ due: DueTimes, _ changes: Changes) -> Bool {
        guard let time = due.sessions, let lastActiveAt = changes.lastActivity(of: id) else { return false }
        return lastActiveAt < time
    }

    private func idleSessions(_ due: DueTimes, _ link: Link) throws -> [String] {
        guard let time = due.sessions else { return [] }
        let sql = """
            SELECT id FROM head JOIN session ON session.number = head.session
            WHERE has_ended = 0 AND minute <= $1 AND last_active_at < $2 ORDER BY minute, head.session LIMIT $3
            """
        let values: [Value] = [
            .integer(Int(time.minute)), .integer(Int(time.milliseconds)), .integer(Self.sessionsPerStep),
        ]
        return try link.connected().run(sql, values).rows.map { try $0.text(0) }
    }

    /// The place of the result of the removal of ended sessions, which is the last but one.
    private static func leftoverResult(of count: Int) -> Int { count - 2 }

    /// The statements that remove rows.
    private func removals(_ due: DueTimes, at now: WallTime) -> [Statement] {
        var statements: [Statement] = []
        func remove(_ table: String, _ condition: String, _ values: [Value]) {
            let rows = "SELECT ctid FROM \(table) WHERE \(condition) LIMIT \(Self.rowsPerStep)"
            statements.append(Statement("DELETE FROM \(table) WHERE ctid = ANY(ARRAY(\(rows)))", values))
        }
        func time(_ times: WallTime...) -> [Value] { times.map { .integer(Int($0.milliseconds)) } }
        func removeFirst(of table: String, by order: String, before oldest: WallTime) {
            // A clock that was set back leaves rows that do not become due for long.
            let count = Self.mostFutureRows + Self.rowsPerStep
            let front = "SELECT \(order), at FROM \(table) ORDER BY \(order) LIMIT \(count)"
            let first = "SELECT \(order), at FROM (\(front)) AS front WHERE at <= $2 LIMIT \(Self.rowsPerStep)"
            let old = "SELECT \(order) FROM (\(first)) AS first WHERE at < $1"
            statements.append(Statement("DELETE FROM \(table) WHERE \(order) IN (\(old))", time(oldest, now)))
        }
        if let answers = due.answers {
            remove("answer", "at < $1", time(answers))
            removeFirst(of: "deck_key", by: "number", before: answers)
        }
        if let logs = due.logs { remove("log_line", "at < $1", time(logs)) }
        if let time = due.feedRecords {
            for table in ["verdict", "notice"] { removeFirst(of: table, by: "position", before: time) }
        }
        let tables = ["notification", "part", "session_cards", "cards_edit", "log_line", "answer"]
        let some = "SELECT session FROM leftover ORDER BY session LIMIT \(Self.sessionsPerStep)"
        let leftover = "session = ANY(ARRAY(\(some)))"
        for table in tables { remove(table, leftover, []) }
        let rest = tables.map { "NOT EXISTS (SELECT 1 FROM \($0) WHERE \($0).session = leftover.session)" }
        statements.append(
            Statement("DELETE FROM leftover WHERE \(leftover) AND \(rest.joined(separator: " AND "))")
        )
        remove("deck_key", "number <= (SELECT max(number) FROM deck_key) - \(DeckKey.maximumCount)", [])
        return statements
    }
}
