import DeckJournal
import Locking
import Logging

/// Logs that the clock of this machine is wrong, or that of the database.
final class ClockWatch: Sendable {
    private let journal: any Journal
    private let logger: Logger
    private let isWrong = Lock(false)

    init(_ journal: any Journal, logger: Logger) {
        self.journal = journal
        self.logger = logger
    }

    /// Logs if this has changed since the last call.
    func report() {
        let difference = journal.statistics.clockDifference
        let isWrong = difference > JournalStatistics.clockTolerance
        let wasWrong = self.isWrong.withLock { was in
            defer { was = isWrong }
            return was
        }
        if isWrong, !wasWrong {
            let seconds = "\(Int(difference / .seconds(1)))"
            logger.warning("the clocks of this machine and of the database differ", metadata: ["seconds": "\(seconds)"])
        } else if wasWrong, !isWrong {
            logger.notice("the clocks of this machine and of the database agree again")
        }
    }
}
