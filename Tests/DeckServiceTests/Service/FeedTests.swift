import Foundation
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// The verdicts of all sessions.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct FeedTests {
    /// Two sessions, of which one takes a verdict back.
    private func fill(_ client: Client) async throws -> (named: SessionClient, inline: SessionClient) {
        _ = try await client.put("/v1/decks/d", #"{"cards":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#)
        let named = try await client.begin(#""d""#)
        let inline = try await client.begin(#"{"count":9}"#)
        _ = try await named.swipe("left", at: 10)
        _ = try await inline.swipe("right", at: 20)
        _ = try await named.event("revert", at: 2000)
        _ = try await named.swipe("right", at: 4000)
        return (named, inline)
    }

    @Test func theFeedHasEverySessionsVerdictsInOrder() async throws {
        try await withService { client in
            let (named, inline) = try await fill(client)
            let page = try await client.get("/v1/verdicts")
            let verdicts = page.json["verdicts"]
            #expect(verdicts.texts("session") == [named.id, inline.id, named.id, named.id])
            #expect(verdicts.texts("type") == ["verdict", "verdict", "reverted", "verdict"])
            #expect(verdicts.texts("deck") == ["d", nil, "d", "d"])
            #expect(verdicts[1]["deck"] == .null)
            #expect(verdicts.texts("direction") == ["left", "right", "left", "right"])
            #expect(verdicts[0]["seq"] == verdicts[2]["seq"] && verdicts[3]["seq"] == 2)
            #expect(verdicts[0]["at"] == 10 && verdicts[0]["index"] == 0 && verdicts[0]["id"] == "a")
            let cursor = try #require(page.json["cursor"].text)
            #expect(verdicts[3]["cursor"].text == cursor)
            #expect(page.headers["link"] == "</v1/verdicts?after=\(cursor)&limit=1000>; rel=\"next\"")
            #expect(try await client.get("/v1/verdicts?after=\(cursor)").json["verdicts"] == [])
        }
    }

    @Test func theFeedIsReadPageByPageAndByDeck() async throws {
        try await withService { client in
            let (named, _) = try await fill(client)
            var path = "/v1/verdicts?limit=1&deck=d"
            var directions: [String?] = []
            while true {
                let page = try await client.get(path)
                let verdicts = page.json["verdicts"]
                guard !verdicts.elements.isEmpty else { break }
                #expect(verdicts.texts("session") == [named.id])
                directions += verdicts.texts("direction")
                let link = try #require(page.headers["link"])
                path = String(link.dropFirst().prefix { $0 != ">" })
            }
            #expect(directions == ["left", "left", "right"])
            #expect(try await client.get("/v1/verdicts?deck=other").json["verdicts"] == [])
        }
    }

    /// Pages of more than 256 rows are sent in parts.
    @Test func aLongPageIsThoseOfItsParts() async throws {
        try await withService { client in
            let named = try await client.begin(#"{"count":9,"loop":true}"#)
            let other = try await client.begin(#"{"count":9,"loop":true}"#)
            for batch in 0..<7 {
                let times = (1...100).map { (batch * 100 + $0) * 1000 }
                let events = times.map { #"{"type":"swipe","direction":"left","at":\#($0)}"# }
                let body = #"{"events":[\#(events.joined(separator: ","))]}"#
                let path = "/v1/sessions/\(batch == 3 ? other.id : named.id)/events?frame=none"
                #expect(try await client.post(path, body).status == 200)
            }
            for path in ["/v1/verdicts", "/v1/sessions/\(named.id)/verdicts"] {
                var all: [JSON] = []
                while true {
                    let after = all.last.map { $0["cursor"].text ?? "\(Int($0["seq"].number))" } ?? "0"
                    let part = try await client.get("\(path)?after=\(after)&limit=100").json["verdicts"].elements
                    all += part
                    if part.count < 100 { break }
                }
                #expect(all.count == (path == "/v1/verdicts" ? 700 : 600))
                for limit in [255, 256, 257, 512, 513, 600, 699, 700, 701, 1000] {
                    let page = try await client.get("\(path)?limit=\(limit)")
                    #expect(page.json["verdicts"].elements == Array(all.prefix(limit)), "\(path) \(limit)")
                    #expect((page.headers["transfer-encoding"] == "chunked") == (min(limit, all.count) > 256))
                    guard path == "/v1/verdicts" else { continue }
                    let end = all.prefix(limit).last?["cursor"].text ?? ""
                    #expect(page.json["cursor"].text == end)
                    #expect(page.headers["link"] == "</v1/verdicts?after=\(end)&limit=\(limit)>; rel=\"next\"")
                    let lines = try await client.get(
                        "\(path)?limit=\(limit)",
                        headers: ["Accept": "application/x-ndjson"]
                    )
                    let parsed = try lines.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
                    #expect(parsed == Array(all.prefix(limit)))
                    #expect(lines.headers["link"] == page.headers["link"])
                }
            }
        }
    }

    @Test func theFeedComesAsLinesToThoseWhoWantThem() async throws {
        try await withService { client in
            _ = try await fill(client)
            let whole = try await client.get("/v1/verdicts")
            let lines = try await client.get("/v1/verdicts", headers: ["Accept": "application/x-ndjson"])
            #expect(lines.headers["content-type"] == "application/x-ndjson")
            #expect(lines.headers["link"] == whole.headers["link"])
            let parsed = try lines.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
            #expect(parsed == whole.json["verdicts"].elements)
            #expect(lines.text.hasSuffix("\n"))
            for (accept, type) in [
                ("*/*", "application/json"), ("application/*", "application/json"),
                ("application/json;q=0.5, application/x-ndjson", "application/x-ndjson"),
                ("application/json, application/x-ndjson;q=0.9", "application/json"),
                ("application/json;q=0, */*", "application/x-ndjson"),
            ] {
                let answer = try await client.get("/v1/verdicts", headers: ["Accept": accept])
                #expect(answer.headers["content-type"] == type, "\(accept)")
                #expect(answer.headers["vary"] == "Accept", "\(accept)")
            }
            #expect(try await client.get("/v1/verdicts", headers: ["Accept": "text/html"]).status == 406)
        }
    }

    @Test func whoWaitsIsToldOfTheNextVerdict() async throws {
        let rooms = ServiceRooms()
        try await withService(rooms: rooms) { client in
            let (named, inline) = try await fill(client)
            let cursor = try #require(try await client.get("/v1/verdicts").json["cursor"].text)
            let wait = ["Prefer": "wait=30"]
            async let any = client.get("/v1/verdicts?after=\(cursor)", headers: wait)
            async let ofDeck = client.get("/v1/verdicts?after=\(cursor)&deck=d", headers: wait)
            while rooms.polls() < 2 { await Task.yield() }
            _ = try await inline.swipe("left", at: 5000)
            let first = try await any
            #expect(first.json["verdicts"].texts("session") == [inline.id])
            #expect(first.headers["preference-applied"] == "wait=30")
            #expect(rooms.polls() == 1)
            _ = try await named.swipe("left", at: 6000)
            #expect(try await ofDeck.json["verdicts"].texts("session") == [named.id])
            // A request for existing rows does not wait.
            let known = try await client.get("/v1/verdicts?after=\(cursor)", headers: wait)
            #expect(known.json["verdicts"].elements.count == 2)
        }
    }

    @Test(
        arguments: [
            "after=x", "after=-1", "after=", "limit=0", "limit=1001", "deck=%2F", "cursor=1", "after=1&after=2",
        ]
    )
    func aQueryThatMeansNothingIsRefused(query: String) async throws {
        try await withService { client in
            let answer = try await client.get("/v1/verdicts?\(query)")
            #expect(answer.status == 400)
            #expect(answer.json["type"] == "/problems/malformed-query")
        }
    }
}
