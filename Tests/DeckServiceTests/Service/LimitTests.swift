import DeckService
import Testing

@Suite(.serialized) struct LimitTests {
    @Test func oneSessionTooManyIsRefusedUntilAnotherEnds() async throws {
        try await withService(configure: { $0.maximumSessions = 2 }) { client in
            let first = try await client.begin(#"{"count":1}"#)
            _ = try await client.begin(#"{"count":1}"#)
            let body = #"{"deck":{"count":1},"viewport":{"width":10,"height":10}}"#
            for _ in 0..<3 {
                let refused = try await client.post("/v1/sessions", body)
                #expect(refused.status == 503)
                #expect(refused.json["type"] == "/problems/too-many-sessions")
                #expect(refused.headers["retry-after"] != nil)
                #expect(refused.headers["location"] == nil)
            }
            #expect(try await client.delete(first.path).status == 204)
            #expect(try await client.delete(first.path).status == 410)
            #expect(try await client.post("/v1/sessions", body).status == 201)
            #expect(try await client.post("/v1/sessions", body).status == 503)
        }
    }

    @Test func oneDeckTooManyIsRefusedUntilAnotherIsDeleted() async throws {
        try await withService(configure: { $0.maximumDecks = 2 }) { client in
            // The sample deck counts too.
            #expect(try await client.put("/v1/decks/a", #"{"count":1}"#).status == 201)
            let refused = try await client.put("/v1/decks/b", #"{"count":1}"#)
            #expect(refused.status == 503)
            #expect(refused.json["type"] == "/problems/too-many-decks")
            #expect(refused.headers["retry-after"] != nil)
            #expect(try await client.put("/v1/decks/a", #"{"count":2}"#).status == 200)
            #expect(try await client.delete("/v1/decks/sample").status == 204)
            #expect(try await client.put("/v1/decks/b", #"{"count":1}"#).status == 201)
        }
    }

    @Test func idsAndTokensAre128BitsAndAllDifferent() async throws {
        try await withService { client in
            var seen: Set<String> = []
            for _ in 0..<200 {
                let created = try await client.begin(#"{"count":0}"#).created.json
                for name in ["id", "token", "spectatorToken"] {
                    let text = try #require(created[name].text)
                    // 22 characters of six bits; the last one has two of the 128 left.
                    #expect(text.wholeMatch(of: /[A-Za-z0-9_-]{21}[AQgw]/) != nil)
                    #expect(seen.insert(text).inserted)
                }
            }
            #expect(seen.count == 600)
            // No place is without its share of chance: 600 tokens bring nearly all of 64 characters to each.
            for place in 0..<22 {
                let characters = Set(seen.map { Array($0)[place] })
                #expect(characters.count >= (place < 21 ? 50 : 4), "place \(place)")
            }
        }
    }
}
