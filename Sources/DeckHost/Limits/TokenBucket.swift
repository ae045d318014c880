internal import SteadyClock
internal import Synchronization

/// The rest of a limit. It grows over time, and each request takes its cost.
///
/// The state is one number, the time at which the bucket will be full again: a cost moves it into the future by the time
/// in which the bucket gains that cost. This is the generic cell rate algorithm (ITU-T I.371, Annex A). So a bucket needs no lock.
/// The time of a cost is rounded down to whole nanoseconds, and to 292 years.
public struct TokenBucket: ~Copyable, Sendable {
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

    /// The capacity of the bucket, and how fast it is filled. The bucket must not be used if this is no limit.
    let limit: CostLimit
    /// In nanoseconds of ``SteadyTime``. A time in the past: the bucket is full.
    private let fullAtNanoseconds: Atomic<Int64>

    /// A full bucket.
    init(_ limit: CostLimit, at time: SteadyTime) {
        self.limit = limit
        fullAtNanoseconds = Atomic(time.nanoseconds)
    }

    /// Takes a cost, all of it or nothing.
    ///
    /// - Parameter paid: what the same request has taken before. If it is refused and repeated, it must take that again.
    /// - Returns: whether there was enough, and the rest.
    func take(_ cost: Int, after paid: Int = 0, at now: SteadyTime) -> (isGranted: Bool, left: Left) {
        let latest = now.nanoseconds.addingClamped(limit.nanoseconds(toGain: limit.burst))
        var former = fullAtNanoseconds.load(ordering: .relaxed)
        while true {
            let start = max(former, now.nanoseconds)
            let time = start.addingClamped(limit.nanoseconds(toGain: cost))
            guard time <= latest else {
                let end = SteadyTime(nanoseconds: start.addingClamped(limit.nanoseconds(toGain: paid + cost)))
                let seconds = end.wholeSeconds(since: SteadyTime(nanoseconds: latest))
                return (false, Left(units: left(ifFullAt: former, now).units, seconds: seconds))
            }
            let (isExchanged, found) = exchange(former, with: time)
            if isExchanged { return (true, left(ifFullAt: time, now)) }
            former = found
        }
    }

    /// Takes a cost that is known only afterwards. The bucket can be below zero then, by at most its capacity.
    ///
    /// - Returns: the rest.
    @discardableResult
    func charge(_ cost: Int, at now: SteadyTime) -> Left {
        var former = fullAtNanoseconds.load(ordering: .relaxed)
        guard cost > 0 else { return left(ifFullAt: former, now) }
        let capacity = limit.nanoseconds(toGain: limit.burst)
        let latest = now.nanoseconds.addingClamped(capacity).addingClamped(capacity)
        while true {
            let time = max(former, now.nanoseconds).addingClamped(limit.nanoseconds(toGain: cost))
            let capped = max(former, min(time, latest))
            let (isExchanged, found) = exchange(former, with: capped)
            if isExchanged { return left(ifFullAt: capped, now) }
            former = found
        }
    }

    private func exchange(_ former: Int64, with time: Int64) -> (exchanged: Bool, original: Int64) {
        fullAtNanoseconds.weakCompareExchange(expected: former, desired: time, ordering: .relaxed)
    }

    private func left(ifFullAt time: Int64, _ now: SteadyTime) -> Left {
        guard time > now.nanoseconds else { return Left(units: limit.burst, seconds: 0) }
        let seconds = SteadyTime(nanoseconds: time).wholeSeconds(since: now)
        return Left(units: max(0, limit.burst - limit.units(gainedIn: time - now.nanoseconds)), seconds: seconds)
    }
}

extension CostLimit {
    /// The time in which the bucket gains this many units, rounded down.
    fileprivate func nanoseconds(toGain units: Int) -> Int64 {
        let (product, isTooMuch) = units.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooMuch ? .max : Int64(product / perSecond)
    }

    /// The units that the bucket gains in a time, rounded up.
    fileprivate func units(gainedIn nanoseconds: Int64) -> Int {
        let (high, low) = perSecond.multipliedFullWidth(by: Int(nanoseconds))
        // The quotient would be 2^63 or more.
        guard high < 500_000_000 else { return .max }
        let (quotient, remainder) = 1_000_000_000.dividingFullWidth((high, low))
        return remainder > 0 ? quotient + 1 : quotient
    }
}

extension SteadyTime {
    /// The seconds since an earlier time, rounded up.
    fileprivate func wholeSeconds(since start: SteadyTime) -> Int {
        let (seconds, rest) = nanoseconds(since: start).quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest > 0 ? seconds + 1 : seconds
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}
