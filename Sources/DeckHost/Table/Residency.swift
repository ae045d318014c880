internal import Locking

/// Tells which sessions were not used for long without a look at the clock for each use: uses are numbered, and now and
/// then it is noted how far the numbers have come.
final class Residency: Sendable {
    private struct Mark {
        var time: ContinuousClock.Instant
        var uses: Int
    }

    private let idleTime: Duration
    private let marks = Lock<[Mark]>([])

    init(idleTime: Duration) {
        self.idleTime = idleTime
    }

    /// Notes how far the numbers have come. It is to be called every minute or so; how much later than it might a
    /// session leaves depends on that.
    ///
    /// - Returns: the number of the last use that is as long ago as a session may be idle; nil: there was none.
    func mark(_ uses: Int, at now: ContinuousClock.Instant) -> Int? {
        marks.withLock { marks in
            marks.append(Mark(time: now, uses: uses))
            let old = marks.prefix { now - $0.time >= idleTime }
            guard let last = old.last else { return nil }
            // Those before it will never tell more than it does.
            marks.removeFirst(old.count - 1)
            return last.uses
        }
    }
}
