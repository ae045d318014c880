import DeckJournal

/// Moves the heads of sessions from the entries into the sessions' rows and indexes their verdicts, and then removes the
/// entries.
///
/// A run takes the sessions in the order of their rows, so that each page is written once, and writes one row per
/// session, however many entries the session has. An entry that was superseded is removed without being read.
struct Fold {
    private static let rowsBetweenLooks = 16
    private static let entriesPerStep = 2000
    private static let bytesPerStep = 1 << 20
    private static let indexEntriesBetweenLooks = 200

    private struct Run {
        /// The limit that was exceeded.
        var limit: FoldLimit
        /// The last entry that the run removes.
        var last: Int
        /// The last place in the feed and the last answer that are indexed after the run.
        var lastVerdict: Int
        var lastAnswer: Int
        var sessions: [Int]
        var next = 0
    }

    private var run: Run?

    var isActive: Bool { run != nil }

    /// The largest factor by which the duration of a step grows.
    private static let mostDurations = 8

    /// The duration of a step, as a multiple of the usual one. It grows with the entries above the limit, so that entries are
    /// always removed at least as fast as they are added.
    func durations(forEntries count: Int) -> Int {
        guard let run else { return 1 }
        return min(max(1, count / max(1, run.limit.entries)), Self.mostDurations)
    }

    /// Starts a run if too much is left.
    mutating func start(ifNeededBy work: WriterWork, _ writer: Writer) {
        guard run == nil else { return }
        let limit = writer.foldLimit
        let isNeeded =
            work.entryCount > limit.entries || work.entryBytes > limit.bytes
            || writer.verdicts.count > limit.verdicts || writer.answers.count > limit.answers
        guard isNeeded, let tally = try? Tally(work.db) else { return }
        let sessions = Set(writer.tail.sessions).union(writer.verdicts.sessions).union(writer.answers.sessions)
        run = Run(
            limit: limit,
            last: tally.lastEntryPosition,
            lastVerdict: tally.lastFeedPosition,
            lastAnswer: tally.lastAnswer,
            sessions: sessions.sorted()
        )
    }

    mutating func run(
        _ transaction: inout WriteTransaction,
        until deadline: ContinuousClock.Instant
    ) throws -> (hasChanged: Bool, hasMore: Bool) {
        guard var run else { return (false, false) }
        guard run.next < run.sessions.count else { return try removeEntries(&transaction, run) }
        repeat {
            let last = min(run.next + Self.rowsBetweenLooks, run.sessions.count)
            while run.next < last, try index(run.sessions[run.next], &transaction) {
                try transaction.fold(run.sessions[run.next])
                run.next += 1
            }
        } while run.next < run.sessions.count && .now < deadline
        self.run = run
        return (true, true)
    }

    /// Indexes verdicts and answers of a session. Returns whether all of them are indexed.
    private func index(_ session: Int, _ transaction: inout WriteTransaction) throws -> Bool {
        let limit = Self.indexEntriesBetweenLooks
        guard try transaction.indexVerdicts(of: session, atMost: limit) else { return false }
        return try transaction.indexAnswers(of: session, atMost: limit)
    }

    private mutating func removeEntries(
        _ transaction: inout WriteTransaction,
        _ run: Run
    ) throws -> (hasChanged: Bool, hasMore: Bool) {
        let sql = "SELECT position, LENGTH(state) FROM entry WHERE position <= ? ORDER BY position LIMIT ?"
        let rows = try transaction.rows(sql, [.integer(run.last), .integer(Self.entriesPerStep)])
        var (last, bytes) = (run.last, 0)
        for row in rows where bytes < Self.bytesPerStep {
            last = try row.integer(0)
            bytes += try row.integer(1)
        }
        let removed = try transaction.run("DELETE FROM entry WHERE position <= ?", [.integer(last)])
        transaction.addedEntries -= removed
        transaction.addedEntryBytes -= bytes
        if removed == rows.count, rows.count < Self.entriesPerStep { last = run.last }
        if last == run.last {
            let sql = "UPDATE tally SET indexedPosition = ?, indexedAnswer = ?"
            try transaction.run(sql, [.integer(run.lastVerdict), .integer(run.lastAnswer)])
            self.run = nil
        }
        return (true, last < run.last)
    }
}

extension WriteTransaction {
    /// Writes the head of a session into the session's row.
    fileprivate mutating func fold(_ session: Int) throws {
        guard let head = tailHead(of: session) else { return }
        let sql = "SELECT position, lastActiveAt, activePeriod, notifications FROM session WHERE number = ?"
        guard let row = try row(sql, [.integer(session)]) else {
            throw JournalError.damaged("session \(session) is missing")
        }
        if try row.integer(0) < head.position {
            let base = EntryReading.Base(position: try row.integer(0), attachments: try row.bytesIfAny(3))
            let entry = try EntryReading(head.position, after: base, in: db)
            try write(entry, at: head.position, of: session)
        }
        let lastActiveAt = max(try row.time(1), head.lastActiveAt)
        if lastActiveAt != (try row.time(1)) {
            let sql = "UPDATE session SET lastActiveAt = ? WHERE number = ?"
            try run(sql, [.time(lastActiveAt.milliseconds), .integer(session)])
        }
        if lastActiveAt.minute != Int64(try row.integer(2)) {
            let sql = "UPDATE session SET activePeriod = ? WHERE number = ?"
            try run(sql, [.time(lastActiveAt.minute), .integer(session)])
        }
        tailChanges.updateValue(nil, forKey: session)
    }

    private func write(_ entry: EntryReading, at position: Int, of session: Int) throws {
        let sql = """
            UPDATE session SET position = ?, predecessor = ?, nonce = ?, version = ?, logLineCount = ?,
                logByteCount = ?, answerBytes = ?, snapshot = ?, notifications = ?
            WHERE number = ?
            """
        try run(
            sql,
            [
                .integer(position), .integer(entry.predecessor), .integer(Int(bitPattern: UInt(entry.nonce))),
                .integer(entry.version), .integer(entry.logSize.lineCount), .integer(entry.logSize.byteCount),
                .integer(entry.answerBytes), .blob(entry.state), .blobIfAny(entry.attachments.bytes),
                .integer(session),
            ]
        )
    }
}
