import DeckHost
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// Moments that are past, or still to come: frames of them, and sessions that continue from them.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct PastTests {
    /// A session that records, and its frame after each event.
    private func play(_ client: Client) async throws -> (session: SessionClient, served: [(at: Double, frame: String)])
    {
        _ = try await client.put("/v1/decks/p", #"{"cards":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"},{"id":"e"}]}"#)
        let session = try await client.begin(#""p""#, more: #""record":true"#)
        var served: [(at: Double, frame: String)] = [(0, try await client.get("\(session.path)/frame").text)]
        let events = [
            #""type":"drag","phase":"changed","translation":{"x":40,"y":3}"#,
            #""type":"drag","phase":"ended","translation":{"x":200,"y":9}"#,
            #""type":"swipe","direction":"left""#, #""type":"revert","direction":"origin""#,
            #""type":"swipe","direction":"right""#,
        ]
        for (index, event) in events.enumerated() {
            let at = Double(1000 * index + 500)
            #expect(try await session.post("{\(event),\"at\":\(at)}").status == 200)
            served.append((at, try await client.get("\(session.path)/frame").text))
        }
        return (session, served)
    }

    @Test func aPictureShowsNowAndWhatWasAndWhatWillBe() async throws {
        try await withService { client in
            let (session, served) = try await play(client)
            func picture(_ query: String, _ headers: [String: String] = [:]) async throws -> Answer {
                try await client.get("\(session.path)/frame.svg\(query)", headers: headers)
            }
            let now = try await picture("")
            #expect(now.headers["content-type"] == "image/svg+xml")
            #expect(now.headers["content-security-policy"] == "default-src 'none'; sandbox")
            #expect(now.headers["x-content-type-options"] == "nosniff")
            #expect(now.text.contains(">version 5 · ") && now.text.contains(">session \(session.id)<"))
            #expect(now.headers["etag"] == nil, "The card is still leaving.")
            for moment in served.dropLast() {
                let past = try await picture("?at=\(moment.at)").text
                #expect(past.contains(">\(Int(moment.at)) ms · "), "at \(moment.at)")
            }
            #expect(try await picture("?at=500").text.contains("dragged by 40 3"))
            let rest = try await picture("?at=99999")
            #expect(rest.text.contains(">99999 ms · at rest<"))
            let tag = try #require(rest.headers["etag"])
            #expect(try await picture("?at=99999", ["If-None-Match": tag]).status == 304)
            #expect(try await picture("", ["Accept": "application/json"]).status == 406)
            #expect(try await picture("?since=1").status == 400)
            #expect(try await picture("?caption=some").status == 400)
            #expect(try await !picture("?caption=none").text.contains("version"))
        }
    }

    /// A line of the log contains a request as a member.
    @Test func requestsOfTheGreatestDepthHaveAPast() async throws {
        func data(_ depth: Int) -> String {
            #""data":\#(String(repeating: "[", count: depth))\#(String(repeating: "]", count: depth))"#
        }
        try await withService { client in
            #expect(try await client.put("/v1/decks/d", #"{"cards":[{"id":"a",\#(data(30))}]}"#).status == 400)
            #expect(try await client.put("/v1/decks/d", #"{"cards":[{"id":"a",\#(data(29))}]}"#).status == 201)
            let session = try await client.begin(#""d""#, more: #""record":true"#)
            let insert = #"{"type":"insert","index":0,"cards":[{"id":"b",\#(data(29))}],"at":10}"#
            #expect(try await session.post(insert).status == 200)
            #expect(try await session.post(#"{"type":"reload","at":20}"#).status == 200)
            for (time, first) in [(5.0, "a"), (15, "b"), (25, "a")] {
                let past = try await client.get("\(session.path)/frame?at=\(time)")
                #expect(past.json["cards"][0]["id"].text == first, "\(time): \(past.text)")
            }
            #expect(try await client.post("\(session.path)/fork", #"{"at":15}"#).status == 201)
        }
    }

    @Test func aSessionThatRecordsShowsEachOfItsPastFramesByteForByte() async throws {
        try await withService { client in
            let (session, served) = try await play(client)
            for moment in served {
                let frame = try await client.get("\(session.path)/frame?at=\(moment.at)")
                #expect(frame.text == moment.frame, "at \(moment.at)")
            }
            // Between two events it is what the first one led to, later on.
            let between = try await session.frame("?at=560&since=0")
            #expect(between["at"] == 560 && between["dragging"] == true && between["version"] == 1)
            #expect(between["notifications"].texts("type") == ["didShow", "panBegan"])
            let later = try await session.frame("?at=1600")
            #expect(later["version"] == 2 && later["settlesAt"] != .null)
        }
    }

    @Test func aStretchOfTimeIsASequenceOfFrames() async throws {
        try await withService { client in
            let (session, served) = try await play(client)
            let frames = try await client.get("\(session.path)/frames?from=500&to=5500&fps=2").json.elements
            #expect(frames.map { $0["at"].number } == Array(stride(from: 500, through: 5500, by: 500)))
            for (index, frame) in frames.enumerated() {
                let alone = try await session.frame("?at=\(500 + 500 * index)")
                #expect(frame == alone)
            }
            #expect(frames.last?["version"] == 5)
            #expect(served.count == 6)
            let longest = try await client.get("\(session.path)/frames?from=0&to=19999&fields=at").json
            #expect(longest.elements.count == 600)
            let part = try await client.get("\(session.path)/frames?from=0&to=0&fields=version").json
            #expect(part == [["version": 0]])
        }
    }

    @Test(arguments: [
        ("", "The parameter from is required."), ("to=0", "The parameter from is required."),
        ("from=0", "The parameter to is required."), ("from=1&to=0", "The parameter from must not be after to."),
        ("from=0&to=1e13", "The parameter to must be"), ("from=0&to=20000", "at most 600 frames"),
        ("from=0&to=10000&fps=60", "at most 600 frames"), ("from=0&to=1&fps=0", "The parameter fps must be"),
        ("from=0&to=1&since=0", "The parameter since is unknown."),
    ])
    func aStretchThatIsNoneIsRefused(query: String, reason: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let answer = try await client.get("\(session.path)/frames?\(query)")
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.json["type"] == "/problems/malformed-query")
            #expect(answer.json["detail"].text?.contains(reason) == true, "\(answer.text)")
        }
    }

    @Test func aSessionThatDoesNotRecordHasNoPast() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            _ = try await session.swipe("left", at: 500)
            for path in ["frame?at=499", "frames?from=499&to=600"] {
                let answer = try await client.get("\(session.path)/\(path)")
                #expect(answer.status == 409)
                #expect(answer.json["type"] == "/problems/time-runs-backwards")
            }
            let fork = try await client.post("\(session.path)/fork", #"{"at":499}"#)
            #expect(fork.status == 409)
        }
    }

    @Test func aRunningClockHasAPastAndNoFuture() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#, clock: "server", more: #""record":true"#)
            let swiped = try await session.swipe("left", at: nil)["frame"]["at"].number
            #expect(try await session.frame("?at=0")["version"] == 0)
            #expect(try await session.frame("?at=\(swiped)")["version"] == 1)
            #expect(try await client.get("\(session.path)/frame?at=1e11").status == 409)
            #expect(try await client.get("\(session.path)/frames?from=0&to=0&fps=1").json.elements.count == 1)
            let plain = try await client.begin(#"{"count":9}"#, clock: "server")
            for path in ["frame?at=0", "frames?from=0&to=0"] {
                let answer = try await client.get("\(plain.path)/\(path)")
                #expect(answer.status == 400 && answer.json["type"] == "/problems/malformed-query")
                #expect(answer.json["detail"].text?.contains("parameter at") == false, "\(path)")
            }
            // Of a copy, the moment is a member of the body.
            let fork = try await client.post("\(plain.path)/fork", #"{"at":0}"#)
            #expect(fork.status == 400 && fork.json["type"] == "/problems/malformed-request")
            #expect(fork.json["errors"][0]["pointer"] == "/at")
        }
    }

    @Test func aForkGoesOnByItself() async throws {
        try await withService { client in
            let (session, _) = try await play(client)
            let before = try await session.kept()
            let answer = try await client.send("POST", "\(session.path)/fork")
            #expect(answer.status == 201)
            let id = try #require(answer.json["id"].text)
            #expect(answer.headers["location"] == "/v1/sessions/\(id)")
            #expect(answer.json["token"].text != session.created.json["token"].text)
            #expect(answer.json["deck"] == "p" && answer.json["record"] == true && answer.json["clock"] == "manual")
            let fork = SessionClient(client: client, id: id, created: answer)
            #expect(try await fork.kept() == before.map { $0.replacing(session.id, with: id) })
            // Undo goes back beyond the fork, on both sides.
            _ = try await fork.event("revert", at: 9000, #""count":2"#)
            #expect(try await client.get("\(fork.path)/verdicts").json["verdicts"] == [])
            #expect(try await session.kept() == before)
            _ = try await session.swipe("left", at: 9000)
            #expect(try await fork.frame()["currentIndex"] == 0)
        }
    }

    @Test func aForkSharesItsVerdictsAndDoesNotRepeatThemInTheFeed() async throws {
        try await withService { client in
            let (session, _) = try await play(client)
            let cursor = try #require(try await client.get("/v1/verdicts").json["cursor"].text)
            let id = try #require(try await client.send("POST", "\(session.path)/fork").json["id"].text)
            let added = try await client.get("/v1/verdicts?after=\(cursor)").json["verdicts"]
            #expect(added.elements.isEmpty)
            let own = try await client.get("/v1/sessions/\(id)/verdicts").json["verdicts"]
            #expect(own == (try await client.get("\(session.path)/verdicts").json["verdicts"]))
            #expect(own.texts("direction") == ["right", "right"])
        }
    }

    @Test func aForkOfThePastIsWhatTheSessionWas() async throws {
        try await withService { client in
            let (session, served) = try await play(client)
            for moment in served {
                let answer = try await client.post("\(session.path)/fork", #"{"at":\#(moment.at)}"#)
                let id = try #require(answer.json["id"].text)
                let frame = try await client.get("/v1/sessions/\(id)/frame").text
                #expect(frame == moment.frame.replacing(session.id, with: id), "at \(moment.at)")
                // Its log is the session's up to there, and can be played.
                var replay = SessionReplay()
                var last = ""
                for line in try await client.get("/v1/sessions/\(id)/events").text.split(separator: "\n") {
                    last = String(decoding: try replay.play(Array(line.utf8)), as: UTF8.self)
                }
                #expect(last == frame)
            }
            let first = try await client.post("\(session.path)/fork", #"{"at":2500}"#)
            let path = "/v1/sessions/\(try #require(first.json["id"].text))"
            let verdicts = try await client.get("\(path)/verdicts").json["verdicts"]
            #expect(verdicts.texts("id") == ["a", "b"])
            #expect(verdicts.texts("direction") == ["right", "left"])
        }
    }

    @Test func aForkOfThePastHasTheSameDataAsTheSessionHad() async throws {
        try await withService { client in
            let data = "{\n\"a b\" :\r\n[ \"c\\n  d\" , \"\\\"\\\\\" , 1 ]\t}"
            let session = try await client.begin(
                "{\"cards\":[{\"id\":\"a\",\"data\":\(data)},{\"id\":\"b\"}]}",
                more: #""record":true"#
            )
            _ = try await session.event("insert", at: 1, "\"index\":0,\"cards\":[{\"id\":\"c\",\"data\":\(data)}]")
            let cards = try await client.get("\(session.path)/cards").text
            #expect(cards.ranges(of: #""data":{"a b":["c\n  d","\"\\",1]}"#).count == 2, "\(cards)")
            _ = try await session.event("reset", at: 2)
            let id = try #require(try await client.post("\(session.path)/fork", #"{"at":1}"#).json["id"].text)
            #expect(try await client.get("/v1/sessions/\(id)/cards").text == cards)
        }
    }

    @Test func aForkAheadStandsAtItsMoment() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            _ = try await session.swipe("left", at: 100)
            let fork = try await client.post("\(session.path)/fork", #"{"at":5000}"#)
            #expect(fork.json["frame"]["at"] == 5000)
            let path = "/v1/sessions/\(try #require(fork.json["id"].text))"
            let early = try await client.post("\(path)/events", #"{"type":"tick","at":4999}"#)
            #expect(early.status == 409)
            let frame = try await client.get("\(path)/frame?since=0").json
            #expect(frame["notifications"].texts("type") == ["didShow", "didSwipe", "didShow"])
        }
    }

    @Test func theClockOfAForkGoesOn() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#, clock: "server")
            let swiped = try await session.swipe("left", at: nil)["frame"]["at"].number
            let fork = try await client.send("POST", "\(session.path)/fork")
            let at = fork.json["frame"]["at"].number
            #expect(at >= swiped && at < swiped + 20_000)
            let path = "/v1/sessions/\(try #require(fork.json["id"].text))"
            let frame = try await client.get("\(path)/frame").json
            #expect(frame["at"].number >= at && frame["version"] == 1)
        }
    }

    @Test(arguments: [#"{"at":-1}"#, #"{"at":"x"}"#, #"{"to":1}"#, "[]", "{"])
    func aForkThatCannotBeReadIsRefused(body: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let answer = try await client.post("\(session.path)/fork", body)
            #expect(answer.status == 400 || answer.status == 422)
            #expect(try await client.send("POST", "/v1/sessions/nobody/fork").status == 404)
        }
    }

    @Test func aDeckThatIsReadAgainIsWrittenOnce() async throws {
        try await withService { client in
            let data = String(repeating: "x", count: 16_000)
            _ = try await client.put("/v1/decks/large", #"{"cards":[{"id":"a","data":"\#(data)"}]}"#)
            let session = try await client.begin(#""large""#, more: #""record":true"#)
            let reload = #"{"type":"reload","at":1}"#
            let batch = #"{"events":[\#(Array(repeating: reload, count: 256).joined(separator: ","))]}"#
            #expect(try await session.post(batch).status == 200)
            let log = try await client.get("\(session.path)/events").text
            #expect(log.split(separator: "\n").count == 257)
            #expect(log.ranges(of: data).count == 1)
        }
    }

    @Test func theLogIsReadFromALineOn() async throws {
        try await withService { client in
            let (session, _) = try await play(client)
            let all = try await client.get("\(session.path)/events").text.split(separator: "\n")
            #expect(all.count == 6)
            for known in 0...7 {
                let rest = try await client.get("\(session.path)/events?after=\(known)").text
                #expect(rest.split(separator: "\n") == Array(all.dropFirst(known)))
            }
            #expect(try await client.get("\(session.path)/events?after=-1").status == 400)
        }
    }

    /// The past does not change, so a long-poll for it has nothing to wait for.
    @Test func aPastFrameIsNotWaitedFor() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#, more: #""record":true"#)
            _ = try await session.swipe("left", at: 5000)
            let path = "\(session.path)/frame?at=1000"
            let tag = try #require(try await client.get(path).headers["etag"])
            let answer = try await client.get(path, headers: ["If-None-Match": tag, "Prefer": "wait=30"])
            #expect(answer.status == 304 && answer.headers["etag"] == tag)
            #expect(answer.headers["preference-applied"] == nil)
        }
    }
}
