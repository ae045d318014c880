internal import DeckWire

/// What is left of a limit. It fills over time, and each request takes its cost out.
public struct TokenBucket: Sendable {
    /// The rest of the limit, as the client gets it.
    public struct Left: Sendable, Equatable {
        /// Units of cost that are there now.
        public var units: Int
        /// Seconds until the bucket is full, or until a refused request is possible; 0 if it is full.
        public var seconds: Int

        /// So many units, and so many seconds.
        public init(units: Int, seconds: Int) {
            self.units = units
            self.seconds = seconds
        }
    }

    /// Below zero if requests have cost more than was known before.
    private var units: Double
    private var time: ContinuousClock.Instant

    /// A full one.
    init(_ limit: CostLimit, at time: ContinuousClock.Instant) {
        units = Double(limit.burst)
        self.time = time
    }

    private mutating func fill(up limit: CostLimit, at now: ContinuousClock.Instant) {
        let elapsed = max(.zero, now - time) / .seconds(1)
        units = min(Double(limit.burst), units + elapsed * Double(limit.perSecond))
        time = max(time, now)
    }

    /// Takes a cost out, all of it or nothing.
    ///
    /// - Returns: whether it was there, and what is left.
    mutating func take(
        _ cost: Int,
        of limit: CostLimit,
        at now: ContinuousClock.Instant
    ) -> (isGranted: Bool, left: Left) {
        fill(up: limit, at: now)
        guard Double(cost) <= units else {
            return (false, Left(units: wholeUnits, seconds: limit.seconds(toGain: Double(cost) - units)))
        }
        units -= Double(cost)
        return (true, left(of: limit))
    }

    /// Takes out the cost of what was done already. The bucket may be below zero then, but by no more than it holds.
    mutating func charge(_ cost: Int, of limit: CostLimit, at now: ContinuousClock.Instant) {
        fill(up: limit, at: now)
        units = max(units - Double(cost), min(units, -Double(limit.burst)))
    }

    /// What is left.
    mutating func left(of limit: CostLimit, at now: ContinuousClock.Instant) -> Left {
        fill(up: limit, at: now)
        return left(of: limit)
    }

    private func left(of limit: CostLimit) -> Left {
        let missing = Double(limit.burst) - units
        return Left(units: wholeUnits, seconds: missing > 0 ? limit.seconds(toGain: missing) : 0)
    }

    private var wholeUnits: Int { max(0, Int(clamping: units)) }
}
