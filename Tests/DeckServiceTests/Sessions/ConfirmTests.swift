import DeckJournal
import JSONTesting
import Testing

/// Swipes that wait to be confirmed, releases that undo, and cards that are turned over.
@Suite(.serialized) struct ConfirmTests {
    private static let rules = #""rules":{"confirm":["right"],"undoDirections":["down"]}"#

    @Test func aPendingSwipeIsConfirmed() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[{"id":"a"},{"id":"b"}],\#(Self.rules)}"#)
            let swipe = try await session.swipe("right", at: 10)
            #expect(swipe["results"][0]["outcome"] == "pending")
            let pending: JSON = ["index": 0, "id": "a", "direction": "right", "since": 10, "until": 10_010]
            #expect(swipe["frame"]["pending"] == pending)
            #expect(swipe["frame"]["currentIndex"] == 0)
            let told = swipe["notifications"].elements.last
            #expect(told?["type"] == "needsConfirmation" && told?["direction"] == "right" && told?["id"] == "a")
            #expect(try await client.get("\(session.path)/verdicts").json["verdicts"] == [])
            #expect(try await session.swipe("left", at: 20)["results"][0]["reason"] == "pending")
            let other = try await session.event("confirm", at: 30, #""id":"b""#)
            #expect(other["results"][0]["reason"] == "not-front-card")
            let confirmed = try await session.event("confirm", at: 30, #""id":"a""#)
            #expect(confirmed["results"][0]["outcome"] == "swiped")
            #expect(confirmed["frame"]["pending"] == .null)
            let verdict: JSON = ["seq": 1, "at": 30, "index": 0, "id": "a", "direction": "right"]
            #expect(try await client.get("\(session.path)/verdicts").json["verdicts"] == [verdict])
            #expect(try await session.event("confirm", at: 40)["results"][0]["reason"] == "nothing-pending")
        }
    }

    /// A back end that follows the feed decides.
    @Test func aPendingSwipeIsInTheFeed() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[{"id":"a"},{"id":"b"},{"id":"c"}],\#(Self.rules)}"#)
            _ = try await session.swipe("right", at: 10)
            let first = try await client.get("/v1/feed?types=verdict,pending").json
            let row = first["rows"][0]
            #expect(first["rows"].elements.count == 1)
            #expect(row["type"] == "pending" && row["session"].text == session.id)
            #expect(row["at"] == 10 && row["index"] == 0 && row["id"] == "a" && row["direction"] == "right")
            #expect(row["seq"] == .missing)
            _ = try await session.event("confirm", at: 30, #""id":"a""#)
            let after = first["cursor"].text ?? ""
            let second = try await client.get("/v1/feed?after=\(after)&types=verdict,pending").json["rows"]
            #expect(second.texts("type") == ["verdict"])
            #expect(second[0]["seq"] == 1)
            #expect(try await client.get("\(session.path)/verdicts").json["verdicts"].elements.count == 1)
            // By hand, and not confirmed in time.
            _ = try await session.drag("ended", at: 2000, 300, 0)
            _ = try await session.event("tick", at: 20_000)
            let all = try await client.get("/v1/feed?types=verdict,pending").json["rows"]
            #expect(all.texts("type") == ["pending", "verdict", "pending"])
            #expect(try await client.get("/v1/verdicts").json["verdicts"].texts("type") == ["verdict"])
            // A fork does not repeat them.
            #expect(try await client.post("\(session.path)/fork", "{}").status == 201)
            #expect(try await client.get("/v1/feed?types=verdict,pending").json["rows"] == all)
        }
    }

    @Test func aPendingSwipeIsDeniedByCallOrByTime() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3,\#(Self.rules)}"#)
            _ = try await session.drag("ended", at: 0, 300, 0)
            let denied = try await session.event("deny", at: 100)
            #expect(denied["results"][0]["outcome"] == "reset")
            #expect(denied["results"][0]["reason"] == "not-confirmed")
            let drag = try await session.drag("ended", at: 2000, 300, 0)
            #expect(drag["results"][0]["outcome"] == "pending")
            // The card waits where it was released.
            #expect(drag["frame"]["cards"][0]["matrix"].numbers[4] > 100)
            let late = try await session.event("tick", at: 13_000)
            #expect(late["frame"]["pending"] == .null)
            #expect(late["notifications"].texts("type") == ["didReset"])
            #expect(late["frame"]["canRevert"] == 0)
        }
    }

    /// What decides something outlasts the server, and what only looks does not.
    @Test(arguments: [
        (#"{"type":"drag","phase":"ended","translation":{"x":300,"y":0},"at":5000}"#, true),
        (#"{"type":"drag","phase":"ended","translation":{"x":0,"y":500},"at":5000}"#, true),
        (#"{"type":"swipe","direction":"right","at":5000}"#, true), (#"{"type":"flip","at":5000}"#, true),
        (#"{"type":"tap","count":2,"at":5000}"#, false), (#"{"type":"press","at":5000}"#, false),
        (#"{"type":"drag","phase":"ended","translation":{"x":1,"y":0},"at":5000}"#, false),
    ])
    func whatChangesTheDeckIsCommitted(event: String, isCommitted: Bool) async throws {
        let journal = MemoryJournal()
        var id = ""
        try await withService(journal: journal) { client in
            let session = try await client.begin(#"{"count":5,\#(Self.rules)}"#)
            id = session.id
            _ = try await session.swipe("left", at: 0)
            // A block of numbers is committed now, so that other events need no commit.
            _ = try await session.event("tap", at: 1)
            let answer = try await session.post(event)
            #expect(answer.json["results"][0]["applied"] == true)
        }
        let finding = await withCheckedContinuation { continuation in
            journal.load(id) { continuation.resume(returning: $0) }
        }
        guard case .session(let stored) = try finding.get() else {
            Issue.record("the session is not stored")
            return
        }
        #expect(stored.version == (isCommitted ? 3 : 2))
    }

    @Test func decisionsAreCommitted() async throws {
        let journal = MemoryJournal()
        var sessions: [(path: String, type: String)] = []
        try await withService(journal: journal) { client in
            for type in ["confirm", "deny"] {
                let session = try await client.begin(#"{"count":5,\#(Self.rules)}"#)
                sessions.append((session.path, type))
                _ = try await session.swipe("right", at: 0)
                _ = try await session.event(type, at: 10)
            }
        }
        try await withService(journal: journal) { client in
            for (path, type) in sessions {
                let frame = try await client.get("\(path)/frame").json
                #expect(frame["version"] == 2)
                #expect(frame["pending"] == .null)
                #expect(frame["canRevert"] == (type == "confirm" ? 1 : 0))
            }
        }
    }

    /// The feed says when a verdict was taken back, and where its card was then.
    @Test func aRevertedVerdictHasTheTimeOfTheRevert() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[{"id":"a"},{"id":"b"}],\#(Self.rules)}"#)
            _ = try await session.swipe("left", at: 10)
            _ = try await session.event("insert", at: 20, #""index":0,"cards":[{"id":"new"}]"#)
            let undo = try await session.drag("ended", at: 2000, 0, 500)
            #expect(undo["results"][0]["outcome"] == "reverted")
            #expect(undo["frame"]["cards"][0]["id"] == "a")
            let feed = try await client.get("/v1/verdicts").json["verdicts"].elements
            #expect(feed.map { $0["type"].text } == ["verdict", "reverted"])
            #expect(feed.map { $0["at"] } == [10, 2000])
            #expect(feed.map { $0["index"] } == [0, 1])
            #expect(feed.map { $0["id"].text } == ["a", "a"])
        }
    }

    @Test func aCardIsTurnedOver() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":2}"#)
            let flip = try await session.event("flip", at: 0)
            #expect(flip["results"] == [["type": "flip", "applied": true, "index": 0, "version": 1]])
            #expect(flip["notifications"].elements.last?["face"] == "back")
            #expect(try await session.frame(at: 100)["cards"][0]["matrix3d"].numbers.count == 16)
            let turned = try await session.frame(at: 400)["cards"][0]
            #expect(turned["face"] == "back" && turned["matrix3d"] == .missing)
            let press = try await session.event("press", at: 500)
            #expect(press["notifications"].elements.last?["type"] == "didPress")
        }
    }

    @Test func aDryRunOfADecisionChangesNothing() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3,\#(Self.rules)}"#)
            _ = try await session.swipe("right", at: 0)
            let before = try await session.state()
            let answer = try await client.post("\(session.path)/events?dryRun=true", #"{"type":"confirm","at":5}"#)
            #expect(answer.json["results"][0]["outcome"] == "swiped")
            #expect(try await session.state() == before)
            // A copy waits for its own decision.
            let fork = try await client.post("\(session.path)/fork", "{}").json
            let path = "/v1/sessions/\(try #require(fork["id"].text))"
            let denied = try await client.post("\(path)/events", #"{"type":"deny","at":5}"#)
            #expect(denied.json["results"][0]["reason"] == "not-confirmed")
            #expect(try await session.event("confirm", at: 6)["results"][0]["outcome"] == "swiped")
        }
    }
}
