import JSONTesting
import Testing

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
}
