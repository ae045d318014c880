import DeckJournal

/// Counts of the journal's writes.
final class JournalMetrics: Sendable {
    private let sizes = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    private let times = Histogram.ofTimes()
    private let failures = Cells(1)

    func add(_ write: JournalWrite) {
        times.add(write.duration.nanoseconds)
        if write.isSaved { sizes.add(write.changes) } else { failures.add(to: 0) }
    }

    /// - Parameter statistics: the journal's measurements now.
    func write(_ statistics: JournalStatistics, to exposition: inout Exposition) {
        exposition.metric(
            "deckd_journal_commit_changes",
            .histogram,
            "Changes that were committed together in one transaction."
        )
        sizes.write(to: &exposition)
        exposition.metric(
            "deckd_journal_commit_duration_seconds",
            .histogram,
            "Time that a transaction took until the disk had it, or it failed."
        )
        times.write(to: &exposition)
        exposition.metric(
            "deckd_journal_commit_failures_total",
            .counter,
            "Transactions that could not be committed.",
            value: failures.sum(0)
        )
        write(queue: statistics, to: &exposition)
        write(files: statistics, to: &exposition)
        write(nodes: statistics, to: &exposition)
    }

    private func write(nodes statistics: JournalStatistics, to exposition: inout Exposition) {
        exposition.metric(
            "deckd_journal_news_lag_seconds",
            .gauge,
            "Time that the last notification of the database took, or since it came; 0 without other nodes."
        )
        exposition.sample(statistics.newsLag / .seconds(1))
        exposition.metric(
            "deckd_journal_reconnections_total",
            .counter,
            "How often the connection was made again on which the node listens to others.",
            value: statistics.reconnections
        )
        exposition.metric(
            "deckd_journal_clock_difference_seconds",
            .gauge,
            "Difference between the clocks of this machine and of the database; 0 with a file."
        )
        exposition.sample(statistics.clockDifference / .seconds(1))
    }

    private func write(queue statistics: JournalStatistics, to exposition: inout Exposition) {
        exposition.metric(
            "deckd_journal_queue_changes",
            .gauge,
            "Changes that wait to be written, and reservations for changes.",
            value: statistics.queuedChanges
        )
        exposition.metric(
            "deckd_journal_queue_bytes",
            .gauge,
            "Bytes of those changes and reservations.",
            value: statistics.queuedBytes
        )
        exposition.metric("deckd_journal_queue_wait_seconds", .gauge, "Time that the oldest waiting change has waited.")
        exposition.sample(statistics.oldestWait / .seconds(1))
        exposition.metric(
            "deckd_journal_housekeeping_backlog",
            .gauge,
            "Rows and entries that are due for housekeeping; with a database, kinds of rows.",
            value: statistics.housekeepingBacklog
        )
        exposition.metric(
            "deckd_journal_housekeeping_step_max_seconds",
            .gauge,
            "The longest step of housekeeping since the start, which is how long a commit may have waited for it."
        )
        exposition.sample(statistics.longestHousekeepingStep / .seconds(1))
        exposition.metric(
            "deckd_journal_housekeeping_failures_total",
            .counter,
            "Steps of housekeeping that failed.",
            value: statistics.housekeepingFailures.count
        )
    }

    private func write(files statistics: JournalStatistics, to exposition: inout Exposition) {
        exposition.metric(
            "deckd_journal_file_bytes",
            .gauge,
            "Size of the database file.",
            value: statistics.fileBytes
        )
        exposition.metric(
            "deckd_journal_wal_bytes",
            .gauge,
            "Size of the write-ahead log.",
            value: statistics.walBytes
        )
    }
}
