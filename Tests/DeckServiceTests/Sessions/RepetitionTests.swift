import DeckJournal
import Foundation
import JSONTesting
import SocketTesting
import Testing

/// Requests with an idempotency key that are repeated: the outcome is that of the first, in the form that the repetition
/// asks for.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct RepetitionTests {
    private let cards = #"""
        {"cards":[{"id":"a","data":{"n": 1},"label":"A"},{"id":"b","data":[2],"label":"B \"b\""},{"id":"c"},{"id":"d"}]}
        """#

    private func headers(_ key: String, _ more: [String: String] = [:]) -> [String: String] {
        ["Idempotency-Key": "\"\(key)\""].merging(more) { $1 }
    }

    /// Each form is the first response in one session, and the response to a repetition in another one with the same
    /// history. Both are equal byte for byte.
    @Test func aRepetitionCanAskForAnyForm() async throws {
        let forms = [
            "", "?frame=none", "?include=data", "?include=motion", "?include=labels", "?include=data,motion,labels",
            "?frame=full&include=labels,data",
        ]
        let events = [
            #"{"events":[{"type":"drag","phase":"ended","translation":{"x":290,"y":0},"at":10},{"type":"tick","at":50}]}"#,
            #"{"type":"swipe","direction":"right","at":60}"#,
            #"{"type":"revert","at":400}"#,
            #"{"type":"insert","index":0,"cards":[{"id":"new","data":"x","label":"New"}],"at":900}"#,
        ]
        try await withService { client in
            for form in forms {
                for other in forms {
                    let (first, second) = (try await client.begin(cards), try await client.begin(cards))
                    for (number, event) in events.enumerated() {
                        func send(_ session: SessionClient, _ form: String) async throws -> Answer {
                            try await client.post("\(session.path)/events\(form)", event, headers: headers("\(number)"))
                        }
                        let expected = try await send(first, form)
                        #expect(expected.status == 200)
                        #expect(try await send(second, other).status == 200)
                        let again = try await send(second, form)
                        #expect(again.headers["idempotency-replayed"] == "true")
                        let text = again.text.replacing(second.id, with: first.id)
                        #expect(text == expected.text, "\(form) after \(other)")
                    }
                }
            }
        }
    }

    @Test func theDataOfACardThatIsGoneIsNull() async throws {
        try await withService { client in
            let session = try await client.begin(cards)
            let events = "\(session.path)/events"
            let swipe = #"{"type":"swipe","direction":"right","at":1}"#
            _ = try await client.post(events, swipe, headers: headers("k"))
            _ = try await client.post(events, #"{"type":"remove","from":0,"to":2,"at":900}"#)
            let again = try await client.post("\(events)?include=data", swipe, headers: headers("k"))
            #expect(again.json["frame"]["cards"].texts("id").contains("b"))
            for card in again.json["frame"]["cards"].elements { #expect(card["data"] == .null) }
        }
    }

    @Test func aSessionIsCreatedOnce() async throws {
        let journal = MemoryJournal()
        let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400},"clock":"manual"}"#
        var first: Answer?
        try await withService(journal: journal) { client in
            let answer = try await client.post("/v1/sessions", body, headers: headers("k"))
            #expect(answer.status == 201)
            #expect(answer.headers["idempotency-replayed"] == nil)
            let id = try #require(answer.json["id"].text)
            // What becomes of the session does not change the outcome of its creation.
            let swipe = #"{"type":"swipe","direction":"right","at":1}"#
            #expect(try await client.post("/v1/sessions/\(id)/events", swipe).status == 200)
            let again = try await client.post("/v1/sessions", body, headers: headers("k"))
            #expect(again.status == 201)
            #expect(again.body == answer.body)
            #expect(again.headers["location"] == "/v1/sessions/\(id)")
            // The keys of the session are separate.
            let tick = #"{"type":"tick","at":2}"#
            let event = try await client.post("/v1/sessions/\(id)/events", tick, headers: headers("k"))
            #expect(event.status == 200)
            #expect(event.headers["idempotency-replayed"] == nil)
            #expect(again.headers["idempotency-replayed"] == "true")
            let other = try await client.post("/v1/sessions", body.replacing("9", with: "8"), headers: headers("k"))
            #expect(other.status == 422)
            #expect(other.json["type"] == "/problems/idempotency-key-reused")
            #expect(try await client.post("/v1/sessions", body, headers: headers("l")).json["id"].text != id)
            first = answer
        }
        // The next process answers in the same way, and the token is good.
        try await withService(journal: journal) { client in
            let again = try await client.post("/v1/sessions", body, headers: headers("k"))
            #expect(again.body == first?.body)
            let id = try #require(again.json["id"].text)
            let bearer = ["Authorization": "Bearer \(again.json["token"].text ?? "")"]
            #expect(try await client.get("/v1/sessions/\(id)/frame", headers: bearer).json["version"] == 2)
            #expect(try await client.delete("/v1/sessions/\(id)").status == 204)
            let gone = try await client.post("/v1/sessions", body, headers: headers("k"))
            #expect(gone.status == 410)
            #expect(gone.json["type"] == "/problems/session-ended")
        }
    }

    /// The outcome does not depend on what the deck has become since.
    @Test(arguments: [nil, #"{"count":1}"#])
    func aSessionIsCreatedOnceAlthoughItsDeckHasChanged(deck: String?) async throws {
        try await withService { client in
            #expect(try await client.put("/v1/decks/d", #"{"count":9}"#).status == 201)
            let body = #"{"deck":"d","viewport":{"width":300,"height":400},"startIndex":5}"#
            let first = try await client.post("/v1/sessions", body, headers: headers("k"))
            #expect(first.status == 201)
            if let deck {
                #expect(try await client.put("/v1/decks/d", deck).status == 200)
            } else {
                #expect(try await client.delete("/v1/decks/d").status == 204)
            }
            let again = try await client.post("/v1/sessions", body, headers: headers("k"))
            #expect(again.status == 201 && again.body == first.body)
            #expect(try await client.post("/v1/sessions", body, headers: headers("l")).status == 422)
            #expect(try await client.delete("/v1/sessions/\(first.json["id"].text ?? "")").status == 204)
            #expect(try await client.post("/v1/sessions", body, headers: headers("k")).status == 410)
        }
    }

    @Test func manyAtOnceCreateOneSession() async throws {
        try await withService { client in
            let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400}}"#
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await client.post("/v1/sessions", body, headers: headers("k")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { [201, 409].contains($0.status) })
            let ids = Set(answers.filter { $0.status == 201 }.map { $0.json["id"].text })
            #expect(ids.count == 1)
            #expect(try await client.get("/v1/sessions").json["sessions"].elements.count == 1)
        }
    }

    /// The tokens are derived from the credential, so another credential cannot repeat the request.
    @Test func aForkIsMadeOnce() async throws {
        try await withService { client in
            let session = try await client.begin(cards)
            _ = try await session.swipe("left", at: 10)
            let fork = "\(session.path)/fork"
            let first = try await client.post(fork, "{}", headers: headers("k"))
            #expect(first.status == 201)
            _ = try await session.swipe("left", at: 20)
            let again = try await client.post(fork, "{}", headers: headers("k"))
            #expect(again.body == first.body)
            #expect(again.json["frame"]["version"] == 1)
            #expect(again.headers["idempotency-replayed"] == "true")
            #expect(try await client.post(fork, #"{"at":5000}"#, headers: headers("k")).status == 422)
            let copy = try await client.begin(cards)
            // The key belongs to the session that is forked.
            let other = try await client.post("\(copy.path)/fork", "{}", headers: headers("k"))
            #expect(other.status == 201)
            #expect(other.json["id"] != first.json["id"])
        }
    }

    @Test func aDeckIsPutOnce() async throws {
        let journal = MemoryJournal()
        try await withService(journal: journal) { client in
            func put(_ body: String, _ headers: [String: String]) async throws -> Answer {
                try await client.put("/v1/decks/d", body, headers: headers)
            }
            let first = try await put(#"{"count":3}"#, headers("k"))
            #expect(first.status == 201)
            let changed = try await put(#"{"count":4}"#, [:])
            #expect(changed.status == 200)
            let again = try await put(#"{"count":3}"#, headers("k", ["If-Match": #""0""#]))
            #expect(again.status == 201)
            #expect(again.body == first.body)
            #expect(again.headers["etag"] == first.headers["etag"])
            #expect(again.headers["idempotency-replayed"] == "true")
            #expect(try await client.get("/v1/decks/d").headers["etag"] == changed.headers["etag"])
            #expect(try await put(#"{"count":5}"#, headers("k")).status == 422)
            // A request that was refused can be made again.
            let stale = ["If-Match": #""0""#]
            #expect(try await put(#"{"count":6}"#, headers("m", stale)).status == 412)
            #expect(try await put(#"{"count":6}"#, headers("m")).status == 200)
            #expect(try await client.delete("/v1/decks/d").status == 204)
            #expect(try await put(#"{"count":3}"#, headers("k")).status == 201)
            #expect(try await client.get("/v1/decks/d").status == 404)
        }
    }

    @Test func aChangeAForkAndAnEndCanDependOnTheVersion() async throws {
        try await withService { client in
            let session = try await client.begin(cards)
            _ = try await session.swipe("left", at: 10)
            func send(_ method: String, _ path: String, _ body: String?, _ tag: String) async throws -> Answer {
                let (path, body) = ("\(session.path)\(path)", body.map { Data($0.utf8) })
                return try await client.send(method, path, body, headers: ["If-Match": tag])
            }
            let patch = #"{"rules":{"swipeThreshold":0.6}}"#
            for (method, path, body) in [("PATCH", "", patch), ("POST", "/fork", "{}"), ("DELETE", "", nil)] {
                let refused = try await send(method, path, body, #""0""#)
                #expect(refused.status == 412)
                #expect(refused.json["frame"]["version"] == 1)
                #expect(refused.headers["etag"] == #""1""#)
            }
            #expect(try await send("PATCH", "", patch, #""1""#).status == 200)
            #expect(try await send("PATCH", "", patch, #""1""#).status == 412)
            #expect(try await send("POST", "/fork", "{}", #""2""#).status == 201)
            #expect(try await send("DELETE", "", nil, #""1""#).status == 412)
            #expect(try await session.frame()["version"] == 2)
            #expect(try await send("DELETE", "", nil, #""2", "7""#).status == 204)
            #expect(try await send("DELETE", "", nil, #""2""#).status == 410)
        }
    }

    /// A string in quotes, and nothing else (draft-ietf-httpapi-idempotency-key-header-07).
    @Test(
        arguments: [
            (#""a""#, 200), (#""a b""#, 200), (#""a\"b""#, 200), (#""\\""#, 200), (#""a"b""#, 400), (#""a\b""#, 400),
            (#""a\""#, 400), (#""""#, 400), (#"""#, 400), ("a", 400), (#"'a'"#, 400), (#""a" x"#, 400),
            (#""a";p=1"#, 400), (#"x "a""#, 400), (#""a" "#, 200), (#" "a""#, 200), (#""a" "b""#, 400), (#""é""#, 400),
            ("\"\(String(repeating: "k", count: 255))\"", 200), ("\"\(String(repeating: "k", count: 256))\"", 400),
        ]
    )
    func aKeyIsAStringInQuotes(field: String, status: Int) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let swipe = #"{"type":"swipe","direction":"left","at":1}"#
            let answer = try await client.post("\(session.path)/events", swipe, headers: ["Idempotency-Key": field])
            #expect(answer.status == status, "\(field): \(answer.text)")
            if status == 400 { #expect(answer.json["type"] == "/problems/malformed-header") }
            #expect(try await session.frame()["version"] == (status == 200 ? 1 : 0))
        }
    }

    /// The data is not part of a saved outcome. It is found by the card's id.
    @Test func theDataOfACardThatHasMovedIsSent() async throws {
        try await withService { client in
            let session = try await client.begin(cards)
            let events = "\(session.path)/events?include=data"
            let swipe = #"{"type":"swipe","direction":"right","at":1}"#
            let first = try await client.post(events, swipe, headers: headers("k"))
            _ = try await session.event("insert", at: 900, #""index":0,"cards":[{"id":"x"},{"id":"y","data":3}]"#)
            let again = try await client.post(events, swipe, headers: headers("k"))
            #expect(again.headers["idempotency-replayed"] == "true")
            #expect(first.json["frame"]["cards"].elements.contains { $0["data"] == [2] })
            #expect(again.json["frame"] == first.json["frame"])
        }
    }
}
