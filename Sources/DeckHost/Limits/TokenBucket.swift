internal import DeckWire
internal import SteadyClock

/// The rest of a limit. It grows over time, and each request takes its cost.
public struct TokenBucket: Sendable {
    /// The rest of the limit, as in the response.
    public struct Left: Sendable, Equatable {
        /// The units of cost that are left.
        public var units: Int
        /// Seconds until the bucket is full, or until a refused request is possible; 0 if it is full.
        public var seconds: Int

        /// A rest of these units and seconds.
        public init(units: Int, seconds: Int) {
            self.units = units
            self.seconds = seconds
        }
    }

    /// Below zero if requests have cost more than was known in advance.
    private var units: Double
    private var time: SteadyTime

    /// A full bucket.
    init(_ limit: CostLimit, at time: SteadyTime) {
        units = Double(limit.burst)
        self.time = time
    }

    private mutating func fill(up limit: CostLimit, at now: SteadyTime) {
        let elapsedSeconds = Double(max(0, now.nanoseconds(since: time))) / 1e9
        units = min(Double(limit.burst), units + elapsedSeconds * Double(limit.perSecond))
        time = max(time, now)
    }

    /// Takes a cost, all of it or nothing.
    ///
    /// - Returns: whether there was enough, and the rest.
    mutating func take(
        _ cost: Int,
        of limit: CostLimit,
        at now: SteadyTime
    ) -> (isGranted: Bool, left: Left) {
        fill(up: limit, at: now)
        guard Double(cost) <= units else {
            return (false, Left(units: wholeUnits, seconds: limit.seconds(toGain: Double(cost) - units)))
        }
        units -= Double(cost)
        return (true, left(of: limit))
    }

    /// Takes a cost that is known only afterwards. The bucket can be below zero then, by at most its capacity.
    mutating func charge(_ cost: Int, of limit: CostLimit, at now: SteadyTime) {
        fill(up: limit, at: now)
        units = max(units - Double(cost), min(units, -Double(limit.burst)))
    }

    /// The rest.
    mutating func left(of limit: CostLimit, at now: SteadyTime) -> Left {
        fill(up: limit, at: now)
        return left(of: limit)
    }

    private func left(of limit: CostLimit) -> Left {
        let missing = Double(limit.burst) - units
        return Left(units: wholeUnits, seconds: missing > 0 ? limit.seconds(toGain: missing) : 0)
    }

    private var wholeUnits: Int { max(0, Int(clamping: units)) }
}
