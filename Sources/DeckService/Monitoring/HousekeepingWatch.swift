import DeckJournal
import Locking
import Logging

/// Logs that the journal's housekeeping has failed, which no client sees.
final class HousekeepingWatch: Sendable {
    private let journal: any Journal
    private let logger: Logger
    private let reported = Lock(0)

    init(_ journal: any Journal, logger: Logger) {
        self.journal = journal
        self.logger = logger
    }

    /// Logs the last failure, if there were any since the last call.
    func report() {
        let failures = journal.statistics.housekeepingFailures
        let former = reported.withLock { reported in
            defer { reported = failures.count }
            return reported
        }
        guard failures.count > former, let error = failures.lastError else { return }
        logger.warning("housekeeping failed: \(error)", metadata: ["failures": "\(failures.count - former)"])
    }
}
