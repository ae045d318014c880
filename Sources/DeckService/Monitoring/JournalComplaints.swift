import DeckJournal
import Locking
import Logging

/// Logs what the journal has noticed and no client sees.
final class JournalComplaints: Sendable {
    /// What was noticed before a call of ``report()``.
    private struct Report {
        var housekeepingFailures = 0
        var losses = 0
        var isClockWrong = false
    }

    private let journal: any Journal
    private let logger: Logger
    private let last = Lock(Report())

    init(_ journal: any Journal, logger: Logger) {
        self.journal = journal
        self.logger = logger
    }

    /// Logs what was noticed since the last call.
    func report() {
        let statistics = journal.statistics
        let report = Report(
            housekeepingFailures: statistics.housekeepingFailures.count,
            losses: statistics.losses,
            isClockWrong: statistics.clockDifference > JournalStatistics.clockTolerance
        )
        let former = last.withLock { last in
            defer { last = report }
            return last
        }
        let failureCount = report.housekeepingFailures - former.housekeepingFailures
        if failureCount > 0, let error = statistics.housekeepingFailures.lastError {
            logger.warning("housekeeping failed: \(error)", metadata: ["failures": "\(failureCount)"])
        }
        if report.losses > former.losses {
            let generation = "\(statistics.generation)"
            logger.warning("the database has lost commits", metadata: ["generation": "\(generation)"])
        }
        if report.isClockWrong, !former.isClockWrong {
            let seconds = "\(Int(statistics.clockDifference / .seconds(1)))"
            logger.warning("the clocks of this machine and of the database differ", metadata: ["seconds": "\(seconds)"])
        } else if former.isClockWrong, !report.isClockWrong {
            logger.notice("the clocks of this machine and of the database agree again")
        }
    }
}
