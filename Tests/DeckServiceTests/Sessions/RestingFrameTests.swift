import JSONTesting
import Testing

/// A frame at rest is written once, and later responses differ only in the time.
@Suite(.serialized) struct RestingFrameTests {
    private static let deck = #"{"cards":[{"id":"a","data":{"k":1},"label":"A"},{"id":"b"},{"id":"c"},{"id":"d"}]}"#
    private static let queries = ["", "&fields=at,cards", "&fields=cards", "&include=data,labels,motion", "&fields=at"]

    /// The text of the frame at a time as `/frames` writes it. It writes each frame anew.
    private func written(_ session: SessionClient, _ query: String, at time: Int) async throws -> String {
        let text = try await session.client.get("\(session.path)/frames?from=\(time)&to=\(time)\(query)").text
        return String(text.dropFirst().dropLast())
    }

    @Test func everyReadIsAsIfItWereTheFirst() async throws {
        try await withService { client in
            let session = try await client.begin(Self.deck)
            for (step, start) in [0, 20_000, 40_000].enumerated() {
                if step > 0 { _ = try await session.swipe("left", at: Double(start)) }
                // The deck moves for less than 5 s after a swipe. Times and queries come in several orders.
                for time in [9_000, 100, 5_000, 9_000, 5_000, 100, 7_000].map({ start + $0 }) {
                    for query in Self.queries + Self.queries.reversed() {
                        let frame = try await client.get("\(session.path)/frame?at=\(time)\(query)")
                        #expect(frame.status == 200)
                        #expect(frame.text == (try await written(session, query, at: time)), "\(time) \(query)")
                    }
                }
            }
        }
    }

    @Test func anEventReplacesTheFrame() async throws {
        try await withService { client in
            let session = try await client.begin(Self.deck)
            var former = try await session.frame()
            let events = [
                #"{"type":"drag","phase":"changed","translation":{"x":30,"y":0},"at":1}"#,
                #"{"type":"drag","phase":"changed","translation":{"x":40,"y":0},"at":2}"#,
                #"{"type":"drag","phase":"cancelled","at":3}"#, #"{"type":"tap","at":9000}"#,
                #"{"type":"swipe","direction":"left","at":9001}"#, #"{"type":"tick","at":19000}"#,
                #"{"type":"resize","viewport":{"width":200,"height":300},"at":19001}"#,
                #"{"type":"insert","index":0,"cards":[{"id":"e"}],"at":30000}"#, #"{"type":"tick","at":39000}"#,
            ]
            for event in events {
                #expect(try await session.post(event, query: "?frame=none").json["results"][0]["applied"] == true)
                let first = try await session.frame()
                #expect(first["version"].number == former["version"].number + 1, "\(event)")
                #expect(try await session.frame() == first)
                former = first
            }
            #expect(
                try await session.client.send("PATCH", session.path, .init(#"{"motion":{"reduced":true}}"#.utf8)).status
                    == 200
            )
            #expect(try await session.frame()["version"].number == former["version"].number + 1)
        }
    }

    /// A player's frames depend on what the player can read.
    @Test func anOwnersFrameIsNotAPlayers() async throws {
        try await withGuardedService { service in
            let tokens = try await service.begin(Self.deck)
            for token in [tokens.full, tokens.player, tokens.full, tokens.spectator, tokens.player] {
                let path = "\(tokens.path)/frame?at=100000&include=data"
                let frame = try await service.stranger.get(path, headers: bearer(token))
                #expect(frame.status == 200)
                #expect(frame.json["cards"][0]["data"] == ["k": 1])
            }
        }
    }

    @Test func theTagOfAKnownFrameStaysTheSame() async throws {
        try await withService { client in
            let session = try await client.begin(Self.deck)
            let first = try await client.get("\(session.path)/frame?at=5000")
            let tag = try #require(first.headers["etag"])
            for time in [5_000, 6_000, 10_000] {
                let path = "\(session.path)/frame?at=\(time)"
                #expect(try await client.get(path).headers["etag"] == tag)
                #expect(try await client.get(path, headers: ["If-None-Match": tag]).status == 304)
            }
            _ = try await session.swipe("left", at: 20_000)
            let moving = try await client.get("\(session.path)/frame?at=20100", headers: ["If-None-Match": tag])
            #expect(moving.status == 200 && moving.headers["etag"] == nil)
            let rest = try await client.get("\(session.path)/frame?at=30000", headers: ["If-None-Match": tag])
            #expect(rest.status == 200 && rest.headers["etag"] != tag)
            // The session still moves at an earlier time, although its frame at rest is known.
            #expect(try await client.get("\(session.path)/frame?at=20100").headers["etag"] == nil)
        }
    }
}
