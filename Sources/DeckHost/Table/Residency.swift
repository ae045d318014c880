internal import Locking

/// Finds the idle sessions without reading the clock for each use. Uses are numbered, and the number of the last use is
/// recorded about once a minute.
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

    /// Records the number of the last use. Call it about once a minute: a session can stay in memory for that much
    /// longer than the idle time.
    ///
    /// - Returns: the number of the last use before the idle time; nil if there was none.
    func mark(_ uses: Int, at now: ContinuousClock.Instant) -> Int? {
        marks.withLock { marks in
            marks.append(Mark(time: now, uses: uses))
            let old = marks.prefix { now - $0.time >= idleTime }
            guard let last = old.last else { return nil }
            // Older marks are no longer needed.
            marks.removeFirst(old.count - 1)
            return last.uses
        }
    }
}
