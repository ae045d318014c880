import DeckHost
import Foundation
import JSONTesting
import MicroHTTP
import Testing

@testable import DeckService

/// What requests cost, and what happens when a session cannot pay.
@Suite(.serialized) struct CostTests {
    private static func fields(_ limit: CostLimit, _ left: TokenBucket.Left, _ payer: Payer) -> [String] {
        var headers = HeaderFields()
        Bill.add(limit, left, of: payer, to: &headers)
        return headers.fields.map { "\($0.name): \($0.value)" }
    }

    @Test func theFieldsAreThoseOfTheStandard() {
        #expect(
            Self.fields(CostLimit(perSecond: 10, burst: 300), TokenBucket.Left(units: 44, seconds: 26), .player)
                == [#"RateLimit-Policy: "player";q=300;w=30"#, #"RateLimit: "player";r=44;t=26"#]
        )
        #expect(
            Self.fields(CostLimit(perSecond: 1000, burst: 256), TokenBucket.Left(units: 256, seconds: 0), .spectator)
                == [#"RateLimit-Policy: "spectators";q=256;w=1"#, #"RateLimit: "spectators";r=256;t=0"#]
        )
    }

    @Test func moreThanASessionTakesIsRefusedUntilThereIsTime() async throws {
        let clock = CostClock()
        try await withService(configure: { $0.limitCosts(perSecond: 1, burst: 256, by: clock) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let tick = #"{"type":"tick","at":1}"#
            let first = try await session.post(tick)
            #expect(first.status == 200)
            #expect(first.headers["ratelimit-policy"] == #""player";q=256;w=256"#)
            #expect(first.headers["ratelimit"] == #""player";r=255;t=1"#)
            let batch = #"{"events":[\#(Array(repeating: tick, count: 256).joined(separator: ","))]}"#
            let refused = try await session.post(batch)
            #expect(refused.status == 429)
            #expect(refused.json["type"] == "/problems/rate-limited")
            // The request itself has cost a unit. Two come back until there is enough for the whole of it.
            #expect(refused.headers["ratelimit"] == #""player";r=254;t=2"#)
            #expect(refused.headers["retry-after"] == "2")
            #expect(refused.headers["ratelimit-policy"] == #""player";q=256;w=256"#)
            // A frame costs a unit, and shows that nothing was applied.
            #expect(try await session.frame()["version"] == first.json["results"][0]["version"])
            // Dry runs, repeated events and bodies that cannot be read cost, too.
            let most = #"{"events":[\#(Array(repeating: tick, count: 244).joined(separator: ","))]}"#
            #expect(try await session.post(most, query: "?dryRun=true").status == 200)
            for _ in 0..<3 { #expect(try await session.post(#"{"type":"tock","at":1}"#).status == 422) }
            let key = ["Idempotency-Key": "\"k\""]
            for _ in 0..<5 {
                #expect(try await client.post("\(session.path)/events", tick, headers: key).status == 200)
            }
            // Nothing is left of 256 units: two for the requests before, a frame, 244 events, three wrong bodies, an event and
            // its four repetitions, and one for this.
            let last = try await session.post(most)
            #expect(last.status == 429)
            #expect(last.headers["ratelimit"] == #""player";r=0;t=256"#)
            #expect(last.headers["retry-after"] == "244")
            clock.advance(milliseconds: 243_999)
            #expect(try await session.post(most).status == 429)
            // That was one more request.
            clock.advance(milliseconds: 1_001)
            #expect(try await session.post(most).status == 200)
            // The others have separate limits.
            #expect(try await client.begin(#"{"count":9}"#).post(batch).status == 200)
        }
    }

    /// To compare its version, the session is read.
    @Test func endingASessionCostsOnlyWithACondition() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let before = try await client.unitsOfPlayers()
            let refused = try await client.send("DELETE", session.path, Data(), headers: ["If-Match": "\"7\""])
            #expect(refused.status == 412)
            #expect(try await client.unitsOfPlayers() - before == 1)
            #expect(try await client.delete(session.path).status == 204)
            #expect(try await client.unitsOfPlayers() - before == 1)
        }
    }

    @Test func withoutALimitNothingIsSaidOfIt() async throws {
        try await withService(configure: { $0.costPerSecond = 0 }) { client in
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

    @Test func spectatorsDoNotUseUpWhatThePlayerHas() async throws {
        let clock = CostClock()
        func configure(_ configuration: inout ServiceConfiguration) {
            configuration.limitCosts(perSecond: 1, burst: 256, by: clock)
            (configuration.spectatorCostPerSecond, configuration.spectatorCostBurst) = (1, 3)
        }
        try await withService(configure: configure) { client in
            let body = #"{"deck":{"count":9},"viewport":{"width":100,"height":100}}"#
            let created = try await client.post("/v1/sessions", body)
            let path = try #require(created.headers["location"])
            let token = try #require(created.json["spectatorToken"].text)
            let field = ["Authorization": "Bearer \(token)"]
            for left in [2, 1, 0] {
                let answer = try await client.get("\(path)/frame", headers: field)
                #expect(answer.status == 200)
                #expect(answer.headers["ratelimit"] == #""spectators";r=\#(left);t=\#(3 - left)"#)
            }
            #expect(try await client.get("\(path)/frame", headers: field).status == 429)
            clock.advance(milliseconds: 3000)
            // Five units are more than the bucket has.
            let picture = try await client.get("\(path)/frame.svg", headers: field)
            #expect(picture.status == 422 && picture.json["type"] == "/problems/too-expensive")
            let players = try await client.get("\(path)/frame")
            #expect(players.status == 200)
            #expect(players.headers["ratelimit"] == #""player";r=255;t=1"#)
        }
    }

    /// The request itself is one unit, which is taken before the cost of its event is known. With 390 units there is enough for
    /// each of the two.
    @Test(arguments: [300, 390])
    func whatCanNeverBePaidIsRefusedForGood(burst: Int) async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1000, burst) }) { client in
            let session = try await client.begin(#"{"count":100000}"#)
            let answer = try await session.post(#"{"type":"shuffle","seed":1,"at":1}"#)
            #expect(answer.status == 422)
            #expect(answer.json["type"] == "/problems/too-expensive")
            let detail = "The request costs 391 units. The maximum for one request is \(burst)."
            #expect(answer.json["detail"].text == detail)
            #expect(try await session.frame()["version"] == 0)
        }
    }

    /// The head of a long response is sent before its bytes are charged.
    @Test func aResponseInPartsSaysWhatIsLeft() async throws {
        try await withService(configure: { $0.limitCosts(perSecond: 100, burst: 5000, by: CostClock()) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let frames = try await client.get("\(session.path)/frames?from=0&to=9000&fps=30")
            #expect(frames.headers["transfer-encoding"] == "chunked" && frames.json.elements.count == 271)
            #expect(frames.headers["ratelimit-policy"] == #""player";q=5000;w=50"#)
            let left = try #require(frames.headers["ratelimit"]?.firstMatch(of: /^"player";r=([0-9]+);t=[0-9]+$/)?.1)
            #expect((4000...4730).contains(Int(left) ?? 0), "\(left)")
        }
    }
}
