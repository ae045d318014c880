internal import DeckWire

/// A session's token bucket. It fills over time, and each event takes a token.
public struct TokenBucket: Sendable {
    /// The rest of the limit, as the client gets it.
    public struct Left: Sendable, Equatable {
        /// Events that are possible now.
        public var events: Int
        /// Seconds until the bucket is full, or until the refused events are possible; 0 if it is full.
        public var seconds: Int

        /// So many events, and so many seconds.
        public init(events: Int, seconds: Int) {
            self.events = events
            self.seconds = seconds
        }
    }

    private var events: Double
    private var time: ContinuousClock.Instant

    /// A full one.
    init(_ limit: EventLimit, at time: ContinuousClock.Instant) {
        events = Double(limit.burst)
        self.time = time
    }

    /// Takes events out, all or none.
    ///
    /// - Returns: whether they were there, and what is left.
    mutating func take(
        _ count: Int,
        of limit: EventLimit,
        at now: ContinuousClock.Instant
    ) -> (isGranted: Bool, left: Left) {
        let elapsed = max(.zero, now - time) / .seconds(1)
        events = min(Double(limit.burst), events + elapsed * Double(limit.perSecond))
        time = max(time, now)
        guard Double(count) <= events else {
            return (false, Left(events: Int(clamping: events), seconds: limit.seconds(toGain: Double(count) - events)))
        }
        events -= Double(count)
        let missing = Double(limit.burst) - events
        return (true, Left(events: Int(clamping: events), seconds: missing > 0 ? limit.seconds(toGain: missing) : 0))
    }
}
