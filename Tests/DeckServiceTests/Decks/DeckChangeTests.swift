import DeckJournal
import DeckJournalSQLite
import FileTesting
import JSONTesting
import JournalTesting
import Testing

@testable import DeckService

/// `PATCH /v1/decks/{deck}` and `POST /v1/decks/{deck}/cards`.
@Suite(.serialized) struct DeckChangeTests {
    private static let deck = #"""
        {"preset":"koloda","cards":[{"id":"a","label":"A","data":{"n":1}},{"id":"b","allowedDirections":["left"]},
        {"id":"c","undoable":false,"draggable":false}],"rules":{"swipeThreshold":0.7}}
        """#

    private func patch(_ client: Client, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await client.send("PATCH", "/v1/decks/d", .init(body.utf8), headers: headers)
    }

    private func append(_ client: Client, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await client.post("/v1/decks/d/cards", body, headers: headers)
    }

    @Test func aPatchChangesSettingsAndCards() async throws {
        try await withService { client in
            let first = try await client.put("/v1/decks/d", Self.deck)
            let preset = try await client.put("/v1/decks/preset", #"{"preset":"koloda","count":1}"#)
            #expect(first.status == 201 && preset.status == 201)
            let answer = try await patch(
                client,
                #"""
                {"loop":true,"rules":{"swipeThreshold":null,"refillAt":9},"layout":{"visibleCount":2},
                "cards":{"c":{"undoable":null,"draggable":null,"data":[1, 2]},"a":null,"b":{"allowedDirections":null,"label":"B"}}}
                """#
            )
            #expect(answer.status == 200, "\(answer.text)")
            let tag = try #require(answer.headers["etag"])
            #expect(tag != first.headers["etag"] && answer.headers["location"] == nil)
            #expect(answer.json["id"] == "d" && answer.json["cardCount"] == 2)
            let whole = try await client.get("/v1/decks/d")
            #expect(whole.headers["etag"] == tag)
            let expected: JSON = [["id": "b", "label": "B"], ["id": "c", "data": [1, 2]]]
            #expect(whole.json["cards"] == expected)
            #expect(whole.json["loop"] == true && whole.json["rules"]["refillAt"] == 9)
            #expect(whole.json["layout"]["visibleCount"] == 2 && whole.json["preset"] == "koloda")
            let standard = try await client.get("/v1/decks/preset").json
            #expect(whole.json["rules"]["swipeThreshold"] == standard["rules"]["swipeThreshold"])
            #expect(whole.json["motion"] == standard["motion"])
            // What was put as a whole is the same deck.
            #expect(try await client.put("/v1/decks/d", whole.text).status == 200)
            #expect(try await client.get("/v1/decks/d").text == whole.text)
        }
    }

    @Test func cardsAreAppended() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", Self.deck)
            let before = try await client.get("/v1/decks/d").json
            let answer = try await append(client, #"{"cards":[{"id":"d","data":{ "x": 1.10 }},{"id":"e"}]}"#)
            #expect(answer.status == 200 && answer.json["cardCount"] == 5)
            let after = try await client.get("/v1/decks/d")
            #expect(after.json["cards"].texts("id") == ["a", "b", "c", "d", "e"])
            #expect(after.text.contains(#""data":{"x":1.10}"#))
            #expect(after.json["rules"] == before["rules"])
            #expect(after.headers["etag"] == answer.headers["etag"])
            _ = try await client.put("/v1/decks/d", #"{"count":7}"#)
            #expect(try await append(client, #"{"count":3}"#).json["cardCount"] == 10)
            #expect(try await patch(client, #"{"count":4}"#).json["cardCount"] == 4)
            #expect(try await client.get("/v1/decks/d").json["count"] == 4)
        }
    }

    /// A session has the deck as it was when it was created or read again, and new sessions have it as it is.
    @Test func aSessionGetsTheChangesWithAReload() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"cards":[{"id":"a"},{"id":"b"}]}"#)
            let session = try await client.begin(#""d""#)
            _ = try await session.swipe("left", at: 10)
            #expect(try await append(client, #"{"cards":[{"id":"c"},{"id":"d"}]}"#).status == 200)
            let change = #"{"cards":{"b":{"label":"new"}},"rules":{"swipeThreshold":0.9}}"#
            #expect(try await patch(client, change).status == 200)
            #expect(try await session.frame()["cardCount"] == 2)
            #expect(try await client.get("\(session.path)/cards/1").json["label"] == .missing)
            let fresh = try await client.begin(#""d""#)
            #expect(fresh.created.json["frame"]["cardCount"] == 4)
            let reloaded = try await session.event("reload", at: 3000)
            #expect(reloaded["frame"]["cardCount"] == 4 && reloaded["frame"]["currentIndex"] == 1)
            #expect(try await client.get("\(session.path)/cards/1").json["label"] == "new")
            #expect(try await client.get(session.path).json["rules"]["swipeThreshold"] == 0.9)
        }
    }

    /// The viewport must fit the layout after each event of a batch.
    @Test func aDeckWhoseLayoutDoesNotFitIsNotReloaded() async throws {
        try await withService { client in
            func put(topMargin: Int) async throws {
                let deck = #"{"cards":[{"id":"a"},{"id":"b"}],"layout":{"topMargin":\#(topMargin),"visibleCount":3}}"#
                #expect([200, 201].contains(try await client.put("/v1/decks/d", deck).status))
            }
            func resize(_ height: Int) -> String {
                #"{"type":"resize","viewport":{"width":300,"height":\#(height)},"at":1}"#
            }
            let reload = #"{"type":"reload","at":1}"#
            try await put(topMargin: 4)
            let session = try await client.begin(#""d""#, viewport: #"{"width":300,"height":400}"#)
            try await put(topMargin: 300)
            let refused = try await session.post(reload)
            #expect(refused.status == 422 && refused.json["errors"][0]["pointer"] == "/type")
            for (events, pointer) in [
                ([resize(500), reload], "/events/1/type"),
                ([resize(900), reload, resize(400)], "/events/2/viewport/height"),
            ] {
                let refused = try await session.post(#"{"events":[\#(events.joined(separator: ","))]}"#)
                #expect(refused.status == 422, "\(events)")
                #expect(refused.json["errors"][0]["pointer"].text == pointer)
            }
            #expect(try await session.frame()["version"] == 0)
            // Between the events no viewport and layout need to fit that are not used together.
            let events = #"{"events":[\#(resize(900)),\#(reload)]}"#
            #expect(try await session.post(events).status == 200)
            try await put(topMargin: 4)
            #expect(try await session.post(#"{"events":[\#(reload),\#(resize(400))]}"#).status == 200)
        }
    }

    @Test(
        arguments: [
            ("PATCH", "{}x", 400, ""), ("PATCH", #"{"preset":"koloda"}"#, 400, "/preset"),
            ("PATCH", #"{"cards":[{"id":"x"}]}"#, 400, "/cards"),
            ("PATCH", #"{"loop":true,"cards":{"x":{"label":"X"}}}"#, 422, "/cards/x"),
            ("PATCH", #"{"loop":true,"cards":{"x":null}}"#, 422, "/cards/x"),
            ("PATCH", #"{"cards":{"\#(String(repeating: "x", count: 65))":null}}"#, 422, "/cards"),
            ("PATCH", #"{"loop":true,"cards":{"a":{},"a":null}}"#, 400, "/cards/a"),
            ("PATCH", #"{"loop":true,"cards":{"a":{"id":"b"}}}"#, 400, "/cards/a/id"),
            ("PATCH", #"{"cards":{"b":{},"a":{"allowedDirections":["x"]}}}"#, 422, "/cards/a/allowedDirections/0"),
            ("PATCH", #"{"loop":true,"rules":{"swipeThreshold":101}}"#, 422, "/rules/swipeThreshold"),
            ("PATCH", #"{"loop":true,"count":3}"#, 422, "/count"),
            ("POST", "{}", 400, ""), ("POST", #"{"cards":[]}"#, 422, "/cards"),
            ("POST", #"{"cards":[{"id":"x"},{"id":"a"}]}"#, 422, "/cards/1/id"),
            ("POST", #"{"cards":[{"id":"x"},{"id":"x"}]}"#, 422, "/cards/1/id"),
            ("POST", #"{"cards":[{"id":"x","labell":"x"}]}"#, 400, "/cards/0/labell"),
            ("POST", #"{"count":3}"#, 422, "/count"), ("POST", #"{"cards":[{"id":"x"}],"count":3}"#, 400, "/count"),
            ("POST", #"{"cards":[{"id":"x"}],"loop":true}"#, 400, "/loop"),
        ]
    )
    func aMistakeChangesNothing(method: String, body: String, status: Int, pointer: String) async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", Self.deck)
            let before = try await client.get("/v1/decks/d")
            let path = method == "POST" ? "/v1/decks/d/cards" : "/v1/decks/d"
            let answer = try await client.send(method, path, .init(body.utf8))
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.json["errors"][0]["pointer"].text == pointer, "\(answer.text)")
            let after = try await client.get("/v1/decks/d")
            #expect(after.text == before.text && after.headers["etag"] == before.headers["etag"])
        }
    }

    @Test func aDeckIsOfOneKindAndHasItsLimits() async throws {
        try await withService(configure: { $0.deckBytes = 18_000 }) { client in
            #expect(try await patch(client, "{}").status == 404)
            #expect(try await append(client, #"{"cards":[{"id":"x"}]}"#).status == 404)
            _ = try await client.put("/v1/decks/d", #"{"count":9999990}"#)
            #expect(try await append(client, #"{"count":11}"#).status == 422)
            #expect(try await append(client, #"{"cards":[{"id":"x"}]}"#).status == 422)
            #expect(try await patch(client, #"{"cards":{"0":null}}"#).status == 422)
            #expect(try await append(client, #"{"count":10}"#).json["cardCount"] == 10_000_000)
            // Each body is short enough, but together they are too long.
            _ = try await client.put("/v1/decks/d", #"{"cards":[{"id":"a"}]}"#)
            let data = String(repeating: "x", count: 9000)
            #expect(try await append(client, #"{"cards":[{"id":"b","data":"\#(data)"}]}"#).status == 200)
            let tooLong = try await append(client, #"{"cards":[{"id":"c","data":"\#(data)"}]}"#)
            #expect(tooLong.status == 422 && tooLong.json["type"] == "/problems/too-many-card-bytes")
            #expect(try await client.get("/v1/decks/d").json["cards"].texts("id") == ["a", "b"])
        }
        try await withService { client in
            let cards = (0..<9999).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            _ = try await client.put("/v1/decks/d", #"{"cards":[\#(cards)]}"#)
            let refused = try await append(client, #"{"cards":[{"id":"x"},{"id":"y"}]}"#)
            #expect(refused.status == 422 && refused.json["errors"][0]["pointer"] == "/cards")
            #expect(try await append(client, #"{"cards":[{"id":"x"}]}"#).json["cardCount"] == 10_000)
        }
    }

    /// An operator can lower the limit below the size of a deck.
    @Test func aDeckAboveTheLimitCanBeMadeSmaller() async throws {
        let journal = MemoryJournal()
        let data = String(repeating: "x", count: 9000)
        let cards = ["a", "b", "c"].map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
        try await withService(journal: journal) { client in
            _ = try await client.put("/v1/decks/d", #"{"cards":[\#(cards)]}"#)
        }
        try await withService(journal: journal, configure: { $0.deckBytes = 6000 }) { client in
            let smaller = try await patch(client, #"{"cards":{"a":null}}"#)
            #expect(smaller.status == 200 && smaller.json["cardCount"] == 2)
            for (body, status) in [
                (#"{"cards":{"b":{"label":"B"}}}"#, 422), (#"{"loop":true}"#, 422),
                (#"{"cards":{"b":{"data":1}}}"#, 200), (#"{"cards":{"c":{"data":null}}}"#, 200),
                (#"{"cards":{"b":{"label":"B"}}}"#, 200),
            ] {
                #expect(try await patch(client, body).status == status, "\(body)")
            }
            #expect(try await client.get("/v1/decks/d").json["cards"].texts("id") == ["b", "c"])
        }
    }

    @Test func aConditionGuardsAChange() async throws {
        try await withService { client in
            let first = try #require(try await client.put("/v1/decks/d", Self.deck).headers["etag"])
            let changed = try await patch(client, #"{"loop":true}"#, ["If-Match": first])
            let now = try #require(changed.headers["etag"])
            #expect(changed.status == 200)
            for answer in [
                try await patch(client, #"{"loop":false}"#, ["If-Match": first]),
                try await append(client, #"{"cards":[{"id":"x"}]}"#, ["If-Match": first]),
            ] {
                #expect(answer.status == 412 && answer.headers["etag"] == now)
                #expect(answer.json["type"] == "/problems/precondition-failed")
            }
            #expect(try await append(client, #"{"cards":[{"id":"x"}]}"#, ["If-Match": "*"]).status == 200)
            #expect(try await client.get("/v1/decks/d").json["loop"] == true)
        }
    }

    /// A repetition gets the first answer, whatever has become of the deck.
    @Test func aChangeWithAKeyIsMadeOnce() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journals: [any Journal] = [MemoryJournal(), try SQLiteJournal(path: folder.file("deckd.sqlite"))]
        for journal in journals {
            try await withService(journal: journal) { client in
                _ = try await client.put("/v1/decks/d", Self.deck)
                let (card, key) = (#"{"cards":[{"id":"x"}]}"#, ["Idempotency-Key": #""k""#])
                let first = try await append(client, card, key)
                #expect(first.status == 200 && first.json["cardCount"] == 4)
                _ = try await append(client, #"{"cards":[{"id":"y"}]}"#)
                for _ in 0..<2 {
                    let again = try await append(client, card, key.merging(["If-Match": #""0""#]) { $1 })
                    #expect(again.status == 200 && again.body == first.body)
                    #expect(again.headers["etag"] == first.headers["etag"])
                    #expect(again.headers["idempotency-replayed"] == "true")
                    _ = try await client.delete("/v1/decks/d")
                }
                #expect(try await client.get("/v1/decks/d").status == 404)
                _ = try await client.put("/v1/decks/d", Self.deck)
                // The key belongs to the request and not to its body alone.
                for answer in [
                    try await append(client, #"{"cards":[{"id":"z"}]}"#, key), try await patch(client, card, key),
                    try await client.put("/v1/decks/d", card, headers: key),
                ] { #expect(answer.status == 422 && answer.json["type"] == "/problems/idempotency-key-reused") }
                // A request that was refused can be made again.
                let other = ["Idempotency-Key": #""m""#]
                #expect(try await append(client, #"{"cards":[{"id":"a"}]}"#, other).status == 422)
                #expect(try await append(client, card, other).status == 200)
            }
        }
    }

    /// Changes that come at the same time all take effect, also those of other nodes, whose deck in memory is an older one.
    @Test func changesAtTheSameTimeDoNotUndoEachOther() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = try SQLiteJournal(path: folder.file("deckd.sqlite"))
        try await withService(journal: journal) { first in
            try await withService(journal: journal) { second in
                _ = try await first.put("/v1/decks/d", #"{"cards":[{"id":"a"}]}"#)
                for client in [first, second] { _ = try await client.get("/v1/decks/d") }
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            let client = number % 2 == 0 ? first : second
                            let body = #"{"cards":[{"id":"card\#(number)"}]}"#
                            return try await self.append(client, body).status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
                let stored = try #require(try await value { journal.deck("d", completion: $0) })
                let ids = try JSON(parsing: String(decoding: stored.document, as: UTF8.self))["cards"].texts("id")
                #expect(Set(ids) == Set(["a"] + (0..<40).map { "card\($0)" }) && ids.count == 41)
            }
        }
    }

    /// The sign of the unit Kelvin is the letter K for a comparison of Unicode text.
    @Test func aPatchFindsCardsByTheBytesOfTheirIDs() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"cards":[{"id":"K"},{"id":"L"}]}"#)
            let answer = try await patch(client, #"{"cards":{"\u212A":null}}"#)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(try await client.get("/v1/decks/d").json["cards"].texts("id") == ["K", "L"])
        }
    }
}
