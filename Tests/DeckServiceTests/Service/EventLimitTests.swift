import DeckHost
import JSONTesting
import MicroHTTP
import Testing

@testable import DeckService

@Suite(.serialized) struct EventLimitTests {
    private static func fields(_ limit: EventLimit, _ left: TokenBucket.Left) -> [String] {
        RateLimit.fields(limit, left).fields.map { "\($0.name): \($0.value)" }
    }

    @Test func theFieldsAreThoseOfTheStandard() {
        #expect(
            Self.fields(EventLimit(perSecond: 10, burst: 300), TokenBucket.Left(events: 44, seconds: 26))
                == [#"RateLimit-Policy: "events";q=300;w=30"#, #"RateLimit: "events";r=44;t=26"#]
        )
        #expect(
            Self.fields(EventLimit(perSecond: 1000, burst: 256), TokenBucket.Left(events: 256, seconds: 0))
                == [#"RateLimit-Policy: "events";q=256;w=1"#, #"RateLimit: "events";r=256;t=0"#]
        )
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
