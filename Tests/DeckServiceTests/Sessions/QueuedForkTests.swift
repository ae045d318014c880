import FileTesting
import JSONTesting
import JournalTesting
import Testing

@testable import DeckJournalSQLite

/// Copies of sessions in which commands wait.
@Suite struct QueuedForkTests {
    private func begin(_ client: Client) async throws -> SessionClient {
        try await client.begin(#"{"count":6,"rules":{"whileAnimating":"queue"}}"#)
    }

    /// Ticks a session until nothing waits, and compares the verdicts with those that can be reverted.
    private func expect(_ verdicts: [Double], in path: String, at time: Int, _ client: Client) async throws {
        let ticked = try await client.post("\(path)/events", #"{"type":"tick","at":\#(time)}"#)
        #expect(ticked.json["frame"]["canRevert"].number == Double(verdicts.count))
        let page = try await client.get("\(path)/verdicts")
        #expect(page.json["verdicts"].elements.map { $0["seq"].number } == verdicts)
    }

    private func copy(_ session: SessionClient, _ body: String) async throws -> String {
        let answer = try await session.client.post("\(session.path)/fork", body)
        return "/v1/sessions/\(try #require(answer.json["id"].text))"
    }

    @Test func aCopyHasTheVerdictOfASwipeThatWaits() async throws {
        try await withService { client in
            let session = try await begin(client)
            _ = try await session.swipe("right", at: 0)
            #expect(try await session.swipe("left", at: 10)["results"][0]["outcome"] == "queued")
            let copy = try await copy(session, "{}")
            for path in [session.path, copy] { try await expect([1, 2], in: path, at: 5000, client) }
        }
    }

    @Test func aCopyLacksTheVerdictOfARevertThatWaits() async throws {
        try await withService { client in
            let session = try await begin(client)
            _ = try await session.swipe("right", at: 0)
            #expect(try await session.event("revert", at: 10)["results"][0]["outcome"] == "queued")
            let copy = try await copy(session, #"{"at":9000}"#)
            for path in [session.path, copy] { try await expect([], in: path, at: 9000, client) }
        }
    }

    /// The commands that waited have ended only in the copy: so few cards are left, and the last swipe is pending.
    @Test func theFeedHasWhatHappensBeforeTheFirstEventOfACopy() async throws {
        try await withService { client in
            let rules = #"{"whileAnimating":"queue","confirm":["left"],"refillAt":2}"#
            let session = try await client.begin(#"{"count":4,"rules":\#(rules)}"#)
            for (time, direction) in [(0.0, "right"), (10, "right"), (20, "left")] {
                _ = try await session.swipe(direction, at: time)
            }
            let copy = try await copy(session, #"{"at":9000}"#)
            let pending = try await client.get("\(copy)/frame").json["pending"]
            func rows(of path: String) async throws -> JSON {
                let id = path.split(separator: "/").last ?? ""
                return try await client.get("/v1/feed?session=\(id)").json["rows"]
            }
            let ofCopy = try await rows(of: copy)
            #expect(ofCopy.texts("type") == ["pending", "needsCards"])
            #expect(ofCopy[0]["index"].number == 2 && ofCopy[0]["at"] == pending["since"])
            let former = try await rows(of: session.path)
            #expect(former.texts("type") == ["verdict", "verdict"])
            // The session itself gets its rows with its next event, and the copy gets no second ones.
            for path in [session.path, copy] {
                _ = try await client.post("\(path)/events", #"{"type":"tick","at":9000}"#)
            }
            let later = try await rows(of: session.path)
            #expect(later.texts("type") == ["verdict", "verdict", "pending", "needsCards"])
            #expect(try await rows(of: copy) == ofCopy)
        }
    }

    /// Older data was restored. When the session is loaded, the commands that waited end, because the numbers of their verdicts
    /// may not be used again. A copy that is made before the session's next entry has the rows of that, too.
    @Test func theFeedHasWhatTheLoadingOfTheOriginLedTo() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        var path = ""
        try await withService(journal: journal) { client in
            let rules = #"{"whileAnimating":"queue","confirm":["left"],"refillAt":2}"#
            let session = try await client.begin(#"{"count":4,"rules":\#(rules)}"#)
            for (time, direction) in [(0.0, "right"), (10, "right"), (20, "left")] {
                _ = try await session.swipe(direction, at: time)
            }
            path = session.path
        }
        _ = try await value { journal.raiseGeneration(above: 0, completion: $0) }
        try await withService(journal: journal) { client in
            let copied = try await client.post("\(path)/fork", "{}")
            let copy = try #require(copied.json["id"].text)
            let rows = try await client.get("/v1/feed?session=\(copy)").json["rows"]
            #expect(rows.texts("type") == ["pending", "needsCards"])
            _ = try await client.post("/v1/sessions/\(copy)/events", #"{"type":"tick","at":9000}"#)
            #expect(try await client.get("/v1/feed?session=\(copy)").json["rows"] == rows)
        }
    }
}
