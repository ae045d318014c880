import SteadyClock
import Testing

@testable import DeckHost

private final class SharedBucket: Sendable {
    let bucket: TokenBucket

    init(_ limit: CostLimit, at time: SteadyTime) {
        bucket = TokenBucket(limit, at: time)
    }
}

struct TokenBucketTests {
    private let limit = CostLimit(perSecond: 10, burst: 300)

    @Test func aBucketFillsWithTimeAndNoFurther() {
        let start = SteadyTime.now()
        let bucket = TokenBucket(limit, at: start)
        func take(_ count: Int, after seconds: Double) -> (Bool, Int, Int) {
            let (isGranted, left) = bucket.take(
                count,
                at: SteadyTime(nanoseconds: start.nanoseconds + Int64(seconds * 1e9))
            )
            return (isGranted, left.units, left.seconds)
        }
        #expect(take(0, after: 0) == (true, 300, 0))
        #expect(take(256, after: 0) == (true, 44, 26))
        #expect(take(45, after: 0) == (false, 44, 1))
        #expect(take(256, after: 0) == (false, 44, 22))
        #expect(take(44, after: 0) == (true, 0, 30))
        #expect(take(1, after: 0) == (false, 0, 1))
        #expect(take(1, after: 0.05) == (false, 0, 1))
        #expect(take(1, after: 0.1) == (true, 0, 30))
        // What was refused took nothing; a clock that goes back gives nothing. There is a unit at 1.2 seconds.
        #expect(take(10, after: 1.1) == (true, 0, 30))
        #expect(take(1, after: 0) == (false, 0, 2))
        #expect(take(0, after: 1.1) == (true, 0, 30))
        #expect(take(300, after: 31.1) == (true, 0, 30))
        #expect(take(300, after: 1_000_000) == (true, 0, 30))
        #expect(take(301, after: 2_000_000) == (false, 300, 1))
    }

    /// A request that is refused for a later part of its cost must take the earlier parts again when it is repeated.
    @Test func theTimeUntilARepetitionCountsWhatWasTakenBefore() {
        let now = SteadyTime.now()
        let bucket = TokenBucket(limit, at: now)
        #expect(bucket.take(200, at: now).isGranted)
        #expect(bucket.take(150, after: 100, at: now) == (false, TokenBucket.Left(units: 100, seconds: 15)))
        #expect(bucket.take(250, at: now + .seconds(15)).isGranted)
    }

    @Test func aLimitAsHighAsANumberGoesIsOne() {
        let limit = CostLimit(perSecond: 1, burst: .max)
        let bucket = TokenBucket(limit, at: .now())
        let now = SteadyTime.now()
        #expect(bucket.take(1, at: now) == (true, TokenBucket.Left(units: .max - 1, seconds: 1)))
    }

    @Test func whatIsKnownOnlyAfterwardsIsOwedUpToTheCapacity() {
        let now = SteadyTime.now()
        func later(_ seconds: Int) -> SteadyTime { now + .seconds(seconds) }
        let bucket = TokenBucket(limit, at: now)
        #expect(bucket.charge(0, at: now) == TokenBucket.Left(units: 300, seconds: 0))
        #expect(bucket.charge(250, at: now) == TokenBucket.Left(units: 50, seconds: 25))
        #expect(bucket.charge(.max, at: now) == TokenBucket.Left(units: 0, seconds: 60))
        // It owes 300 units. After half a minute these are paid, and there is nothing yet.
        #expect(bucket.take(1, at: later(30)) == (false, TokenBucket.Left(units: 0, seconds: 1)))
        #expect(bucket.take(10, at: later(31)) == (true, TokenBucket.Left(units: 0, seconds: 30)))
        #expect(bucket.charge(0, at: later(1000)) == TokenBucket.Left(units: 300, seconds: 0))
    }

    /// A third of a second has no whole number of nanoseconds.
    @Test func unitsThatAreNoWholeNanosecondsAreWhole() {
        let limit = CostLimit(perSecond: 3, burst: 7)
        let now = SteadyTime.now()
        let bucket = TokenBucket(limit, at: now)
        for left in (0..<7).reversed() {
            let (isGranted, rest) = bucket.take(1, at: now)
            #expect(isGranted)
            #expect(rest.units == left)
        }
        #expect(bucket.take(1, at: now) == (false, TokenBucket.Left(units: 0, seconds: 1)))
    }

    @Test func severalThreadsTakeNoMoreThanThereIs() async {
        let now = SteadyTime.now()
        let account = SharedBucket(CostLimit(perSecond: 1, burst: 10_000), at: now)
        let granted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<4000).count { _ in account.bucket.take(1, at: now).isGranted } }
            }
            return await group.reduce(0, +)
        }
        #expect(granted == 10_000)
        #expect(account.bucket.charge(0, at: now) == TokenBucket.Left(units: 0, seconds: 10_000))
    }
}
