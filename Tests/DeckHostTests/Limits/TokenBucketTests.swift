import SteadyClock
import Testing

@testable import DeckHost

struct TokenBucketTests {
    private let limit = CostLimit(perSecond: 10, burst: 300)

    @Test func aBucketFillsWithTimeAndNoFurther() {
        let start = SteadyTime.now()
        var bucket = TokenBucket(limit, at: start)
        func take(_ count: Int, after seconds: Double) -> (Bool, Int, Int) {
            let (isGranted, left) = bucket.take(
                count,
                of: limit,
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
        // What was refused took nothing; a clock that goes back gives nothing.
        #expect(take(10, after: 1.1) == (true, 0, 30))
        #expect(take(1, after: 0) == (false, 0, 1))
        #expect(take(0, after: 1.1) == (true, 0, 30))
        #expect(take(300, after: 31.1) == (true, 0, 30))
        #expect(take(300, after: 1_000_000) == (true, 0, 30))
        #expect(take(301, after: 2_000_000) == (false, 300, 1))
    }

    @Test func aLimitAsHighAsANumberGoesIsOne() {
        let limit = CostLimit(perSecond: 1, burst: .max)
        var bucket = TokenBucket(limit, at: .now())
        #expect(bucket.take(1, of: limit, at: .now()) == (true, TokenBucket.Left(units: .max, seconds: 0)))
    }
}
