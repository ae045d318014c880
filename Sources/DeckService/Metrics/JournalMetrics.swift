import DeckJournal

/// What is counted of what the journal writes. One thread adds to it.
final class JournalMetrics: Sendable {
    private let sizes = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    private let times = Histogram.ofTimes()
    private let failures = Cells(1)

    func add(_ write: JournalWrite) {
        times.add(write.duration.nanoseconds)
        if write.isSaved { sizes.add(write.changes) } else { failures.add(to: 0) }
    }

    func write(to exposition: inout Exposition) {
        exposition.metric(
            "deckd_journal_commit_changes",
            .histogram,
            "Changes that were kept together in one transaction."
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
            "Transactions that could not be kept.",
            value: failures.sum(0)
        )
    }
}
