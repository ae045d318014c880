import DeckJournal

/// Empties the write-ahead log when it has become too large, because there were always readers that needed it.
struct LogTruncation {
    /// How long a commit may wait for readers to finish.
    private static let patience = Duration.milliseconds(5)

    private var nextAttempt = ContinuousClock.now

    /// Returns whether it must be called again soon.
    mutating func run(_ work: WriterWork, _ writer: Writer) throws -> Bool {
        let now = ContinuousClock.now
        guard writer.gate.isPaused || (now >= nextAttempt && fileSize(writer.path + "-wal") > writer.walLimit) else {
            return false
        }
        if writer.gate.pause(upTo: Self.patience) == .waiting { return true }
        defer { writer.gate.resume() }
        // A backup also reads. While it lasts, the log cannot be emptied.
        nextAttempt = now + .milliseconds(200)
        try truncate(work)
        if fileSize(writer.path + "-wal") <= writer.walLimit { nextAttempt = now }
        return false
    }

    private func truncate(_ work: WriterWork) throws {
        // With the fence, the checkpoint would not wait for the disk.
        try work.fence.remove(from: work.db)
        try work.db.execute("PRAGMA busy_timeout = 1")
        defer { try? work.db.execute("PRAGMA busy_timeout = \(Connection.busyMilliseconds)") }
        try work.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
