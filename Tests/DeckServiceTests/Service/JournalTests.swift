import DeckJournal
import JSONTesting
import JournalTesting
import SocketTesting
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct JournalTests {
    @Test func whatCannotBeKeptIsNotAnsweredAndNotSeen() async throws {
        for working in 0...2 {
            try await withService(journal: FailingJournal(at: working + 1)) { client in
                let session = try await client.begin(#"{"count":9}"#)
                for step in 0..<working { _ = try await session.swipe("left", at: Double(1000 * step)) }
                let before = try await session.kept()
                let failed = try await session.post(#"{"type":"swipe","direction":"right","at":10000}"#)
                #expect(failed.status == 503)
                #expect(failed.json["type"] == "/problems/journal-unavailable")
                #expect(failed.json["instance"].text == "\(session.path)/events")
                #expect((1...3).contains(Int(failed.headers["retry-after"] ?? "") ?? 0))
                #expect(failed.json["results"] == .missing)
                // The session is what the journal has: as if the request had never been.
                #expect(try await session.kept() == before)
                let again = try await session.post(#"{"type":"swipe","direction":"right","at":10000}"#)
                #expect(again.status == 200)
                let verdicts = try await client.get("\(session.path)/verdicts").json["verdicts"]
                #expect(verdicts.elements.count == working + 1)
                #expect(verdicts[working]["direction"] == "right")
            }
        }
    }

    @Test func aKeptDeckThatCannotBeReadIsNoFaultOfTheClient() async throws {
        let journal = MemoryJournal()
        await withCheckedContinuation { continuation in
            journal.putDeck("d", Array("{".utf8), if: .none, atMost: 9) { _ in continuation.resume() }
        }
        try await withService(journal: journal) { client in
            for path in ["/v1/decks/d", "/v1/decks"] {
                let answer = try await client.get(path)
                #expect(answer.status == 503)
                #expect(answer.json["type"] == "/problems/journal-unavailable")
            }
            #expect(try await client.put("/v1/decks/e", #"{"count":1}"#).status == 201)
            #expect(try await client.get("/v1/decks/e").status == 200)
            #expect(try await client.put("/v1/decks/d", #"{"count":1}"#).status == 200)
            #expect(try await client.get("/v1/decks").status == 200)
        }
    }

    @Test func anAnswerWaitsForTheJournal() async throws {
        let journal = HoldingJournal()
        try await withService(journal: journal) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let isAnswered = Atomic(false)
            async let answer = {
                let answer = try await session.swipe("left", at: 5)
                isAnswered.store(true, ordering: .sequentiallyConsistent)
                return answer
            }()
            let complete = try #require(await journal.next())
            let wasAnswered = isAnswered.load(ordering: .sequentiallyConsistent)
            #expect(!wasAnswered)
            let record = try #require(journal.committed.first)
            #expect(record.version == 1)
            #expect(
                record.feedRecords == [
                    FeedRecord(
                        number: 1,
                        atMilliseconds: 5,
                        cardIndex: 0,
                        cardID: "0",
                        direction: "left",
                        kind: .given
                    )
                ]
            )
            // Other requests are served meanwhile.
            #expect(try await client.get("/v1/decks/sample").status == 200)
            complete(nil)
            #expect(try await answer["results"][0]["applied"] == true)
        }
    }

    @Test func anAnswerWaitsForAllThatItShows() async throws {
        let journal = HoldingJournal()
        try await withService(journal: journal) { client in
            let session = try await client.begin(#"{"count":9}"#)
            async let swiped = session.post(#"{"type":"swipe","direction":"left","at":0}"#)
            let commit = try #require(await journal.next())
            // A tap need not last. But its frame has the swipe in it, and so has that of a dry run.
            async let tapped = session.post(#"{"type":"tap","at":1000}"#)
            async let dry = session.post(#"{"type":"tap","at":2000}"#, query: "?dryRun=true")
            // Nor is it said that the version is another, with the frame that shows it.
            async let other = client.post(
                "\(session.path)/events",
                #"{"type":"tap","at":3000}"#,
                headers: ["If-Match": "\"0\""]
            )
            // The four, and the request that counts them.
            try await client.waitForRequests(5)
            commit(.unavailable("the test has it fail"))
            #expect(try await swiped.status == 503)
            // A request that arrives after the failure is applied to the session as it was, and may have something to save. No
            // response shows the swipe.
            let release = Task { while let commit = await journal.next() { commit(nil) } }
            defer { release.cancel() }
            for answer in try await [tapped, dry, other] where answer.status != 503 {
                #expect(answer.status == 200)
                #expect(answer.json["frame"]["currentIndex"] == 0)
            }
            #expect(try await session.frame()["currentIndex"] == 0)
        }
    }

    @Test(arguments: [
        (#"{"type":"swipe","direction":"left","at":20}"#, true), (#"{"type":"revert","at":20}"#, true),
        (#"{"type":"reset","at":20}"#, true), (#"{"type":"reload","at":20}"#, true),
        (#"{"type":"drag","phase":"ended","translation":{"x":300,"y":0},"at":20}"#, true),
        (#"{"type":"drag","phase":"ended","translation":{"x":3,"y":0},"at":20}"#, false),
        (#"{"type":"drag","phase":"changed","translation":{"x":300,"y":0},"at":20}"#, false),
        (#"{"type":"tap","at":20}"#, false), (#"{"type":"tick","at":20}"#, false),
        (#"{"type":"swipe","direction":"up","at":20}"#, false), (#"{"type":"tap","index":5,"at":20}"#, false),
        (
            #"{"events":[{"type":"tick","at":20},{"type":"swipe","direction":"left","at":20},{"type":"tap","at":20}]}"#,
            true
        ),
    ])
    func whatChangesTheDeckIsKeptAndNothingElse(body: String, isKept: Bool) async throws {
        let journal = HoldingJournal()
        try await withService(journal: journal) { client in
            let session = try await client.begin(#"{"count":9}"#)
            async let first = session.swipe("left", at: 0)
            await journal.next()?(nil)
            _ = try await first
            // A block of numbers is committed now, so that other events need no commit.
            async let second = session.event("tap", at: 10)
            await journal.next()?(nil)
            _ = try await second
            let dry = try await session.post(body, query: "?dryRun=true")
            #expect(dry.status == 200)
            #expect(journal.committed.count == 2)
            async let answer = session.post(body)
            if isKept { await journal.next()?(nil) }
            #expect(try await answer.status == 200)
            #expect(journal.committed.count == (isKept ? 3 : 2))
        }
    }
}
