import DeckJournal
import Locking
import Logging

/// Logs that the database has lost commits, for example because an older state of it was restored.
final class LossWatch: Sendable {
    private let journal: any Journal
    private let logger: Logger
    private let reported = Lock(0)

    init(_ journal: any Journal, logger: Logger) {
        self.journal = journal
        self.logger = logger
    }

    /// Logs if this was noticed since the last call.
    func report() {
        let statistics = journal.statistics
        let former = reported.withLock { reported in
            defer { reported = statistics.losses }
            return reported
        }
        guard statistics.losses > former else { return }
        let generation = "\(statistics.generation)"
        logger.warning("the database has lost commits", metadata: ["generation": "\(generation)"])
    }
}
