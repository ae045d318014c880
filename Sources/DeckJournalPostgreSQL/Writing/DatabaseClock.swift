import DeckJournal
import Locking

/// The clock of the database's server, which all nodes use for the times that they store and for the age of rows. A node with a wrong
/// clock removes nothing too early.
///
/// A node compares its clock in each transaction that writes, and does not ask for the time otherwise.
final class DatabaseClock: Sendable {
    /// With a larger difference, the node is not ready: the clocks of sessions are those of the nodes.
    private static let limit = Duration.seconds(60)

    /// The server's clock when a statement is run.
    static let sql = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    private let local: @Sendable () -> WallTime
    /// How many milliseconds the server's clock is ahead.
    private let lead = Lock<Int64>(0)

    /// - Parameter local: the clock of this node.
    init(_ local: @escaping @Sendable () -> WallTime) {
        self.local = local
    }

    /// The time on the server's clock, as far as it is known.
    var now: WallTime {
        let lead = lead.withLock { $0 }
        let isSame = Duration.milliseconds(lead.magnitude) <= JournalStatistics.clockTolerance
        return isSame ? local() : WallTime(milliseconds: local().milliseconds &+ lead)
    }

    /// How much the clocks differ at least.
    var difference: Duration { .milliseconds(lead.withLock { $0.magnitude }) }

    /// An error if the clocks differ too much.
    var finding: Result<Void, JournalError> {
        guard difference > Self.limit else { return .success(()) }
        let seconds = Int(difference / .seconds(1))
        return .failure(.unavailable("the clocks of this machine and of the database's server differ by \(seconds) s"))
    }

    /// Compares the clocks.
    ///
    /// - Parameters:
    ///   - time: the server's time between the other two.
    ///   - sent: this machine's time before the server was asked.
    ///   - received: this machine's time after the response.
    func compare(_ time: WallTime, sent: WallTime, received: WallTime) {
        let leads = [sent, received].map { time.milliseconds &- $0.milliseconds }
        // Any number between the two is possible, because the server may have waited for a lock. The number before is the best estimate.
        lead.withLock { $0 = max(min($0, leads.max() ?? 0), leads.min() ?? 0) }
    }
}
