import JSONTesting
import Testing

@testable import DeckService

@Suite(.serialized) struct EventLimitTests {
    private let limit = EventLimit(perSecond: 10, burst: 300)

    @Test func aBucketFillsWithTimeAndNoFurther() {
        let start = ContinuousClock.now
        var bucket = TokenBucket(limit, at: start)
        func take(_ count: Int, after seconds: Double) -> (Bool, Int, Int) {
            let (isGranted, left) = bucket.take(count, of: limit, at: start + .seconds(seconds))
            return (isGranted, left.events, left.seconds)
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
        let limit = EventLimit(perSecond: 1, burst: .max)
        var bucket = TokenBucket(limit, at: .now)
        #expect(bucket.take(1, of: limit, at: .now) == (true, TokenBucket.Left(events: .max, seconds: 0)))
    }

    @Test func theFieldsAreThoseOfTheStandard() {
        #expect(limit.policy == #""events";q=300;w=30"#)
        #expect(limit.state(TokenBucket.Left(events: 44, seconds: 26)) == #""events";r=44;t=26"#)
        #expect(EventLimit(perSecond: 1000, burst: 256).policy == #""events";q=256;w=1"#)
    }

    @Test func moreThanASessionTakesIsRefusedUntilThereIsTime() async throws {
        // So slow that no event comes to it while the test runs.
        try await withService(configure: { ($0.eventsPerSecond, $0.eventBurst) = (1, 256) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let tick = #"{"type":"tick","at":1}"#
            let first = try await session.post(tick)
            #expect(first.status == 200)
            #expect(first.headers["ratelimit-policy"] == #""events";q=256;w=256"#)
            #expect(first.headers["ratelimit"]?.hasPrefix(#""events";r=255;t="#) == true)
            let batch = #"{"events":[\#(Array(repeating: tick, count: 256).joined(separator: ","))]}"#
            let before = try await session.frame()["version"]
            let refused = try await session.post(batch)
            #expect(refused.status == 429)
            #expect(refused.json["type"] == "/problems/rate-limited")
            #expect(refused.headers["retry-after"] == "1")
            #expect(refused.headers["ratelimit"] == #""events";r=255;t=1"#)
            #expect(refused.headers["ratelimit-policy"] == #""events";q=256;w=256"#)
            #expect(try await session.frame()["version"] == before)
            // Rehearsals, events that the rules refuse and repeated ones are work too; what cannot be read is none.
            let most = #"{"events":[\#(Array(repeating: tick, count: 250).joined(separator: ","))]}"#
            #expect(try await session.post(most, query: "?dryRun=true").status == 200)
            for _ in 0..<3 { #expect(try await session.post(#"{"type":"tock","at":1}"#).status == 422) }
            let key = ["Idempotency-Key": "\"k\""]
            for _ in 0..<5 {
                #expect(try await client.post("\(session.path)/events", tick, headers: key).status == 200)
            }
            // As many as could be made up for only if all of this took minutes.
            let last = try await session.post(most)
            #expect(last.status == 429)
            // The others have limits of their own.
            #expect(try await client.begin(#"{"count":9}"#).post(batch).status == 200)
        }
    }

    @Test func withoutALimitNothingIsSaidOfIt() async throws {
        try await withService(configure: { $0.eventsPerSecond = 0 }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let tick = #"{"type":"tick","at":1}"#
            let batch = #"{"events":[\#(Array(repeating: tick, count: 256).joined(separator: ","))]}"#
            for _ in 0..<20 {
                let answer = try await session.post(batch, query: "?frame=none")
                #expect(answer.status == 200)
                #expect(answer.headers["ratelimit"] == nil && answer.headers["ratelimit-policy"] == nil)
            }
        }
    }
}
