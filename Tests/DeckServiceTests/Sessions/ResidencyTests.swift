import JSONTesting
import Testing

@testable import DeckService

@Suite struct ResidencyTests {
    @Test func theServiceDropsWhatTheConfigurationSays() async throws {
        try await withRunningService(configure: { $0.residentIdleSeconds = 0 }) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            _ = try await session.swipe("left", at: 1)
            let frame = try await client.get("\(session.path)/frame")
            #expect(try await resident(client) == 1)
            service.tidy()
            #expect(try await resident(client) == 0)
            #expect(try await client.get("\(session.path)/frame").text == frame.text)
            #expect(try await resident(client) == 1)
        }
    }

    @Test func whatNeedNotLastIsKeptWhenASessionLeaves() async throws {
        try await withRunningService(configure: { $0.residentIdleSeconds = 0 }) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            _ = try await session.drag("changed", at: 1, 30, 0)
            _ = try await session.event("tap", at: 2)
            // Or the version, which is the frame's tag, would be given again to another frame.
            let kept = try await session.kept()
            for _ in 0..<2 { service.tidy() }
            #expect(try await resident(client) == 0)
            #expect(try await session.kept() == kept)
        }
    }

    @Test func aSessionThatCouldNotBeKeptBeforeItLeftIsReadAgain() async throws {
        try await withRunningService(
            journal: FailingJournal(at: 2),
            configure: { $0.residentIdleSeconds = 0 }
        ) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            // The first tap commits a block of numbers. The second one is only in memory, and cannot be saved.
            _ = try await session.event("tap", at: 1)
            #expect(try await session.event("tap", at: 1)["results"][0]["version"] == 2)
            service.tidy()
            let version = try await session.frame()["version"].number
            #expect(version > 2)
            let swipe = try await session.swipe("left", at: 2)
            #expect(swipe["results"][0]["version"].number == version + 1)
        }
    }

    @Test func aSessionThatIsWatchedStays() async throws {
        try await withRunningService(configure: { $0.residentIdleSeconds = 0 }) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            let source = try session.stream()
            _ = await source.next()
            service.tidy()
            #expect(try await resident(client) == 1)
            _ = try await session.swipe("left", at: 1)
            #expect(await source.next() != nil)
            source.close()
            var time = 1.0
            while service.streams.count > 0 {
                time += 1
                _ = try await session.event("tap", at: time)
            }
            // What taps have changed is kept first.
            service.tidy()
            service.tidy()
            #expect(try await resident(client) == 0)
        }
    }

    /// With room for one session every request meets one that leaves.
    @Test func requestsThatMeetAnEvictionAreAnsweredAllTheSame() async throws {
        try await withRunningService(configure: { $0.maximumResidentSessions = 1 }) { client, _ in
            var sessions: [SessionClient] = []
            for _ in 0..<12 { sessions.append(try await client.begin(#"{"count":99}"#, clock: "server")) }
            let statuses = try await withThrowingTaskGroup(of: [Int: Int].self) { [sessions] group in
                for task in 0..<6 {
                    group.addTask {
                        var statuses: [Int: Int] = [:]
                        for step in 0..<60 {
                            let session = sessions[(5 * step + task) % sessions.count]
                            let headers = step.isMultiple(of: 3) ? ["Idempotency-Key": "\"\(task)-\(step)\""] : [:]
                            let event = #"{"type":"shuffle","seed":\#(step)}"#
                            let answer = try await client.post("\(session.path)/events", event, headers: headers)
                            statuses[answer.status, default: 0] += 1
                            statuses[try await client.get("\(session.path)/frame").status, default: 0] += 1
                        }
                        return statuses
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
            }
            #expect(statuses == [200: 720])
            _ = try await eventually("the sessions to leave") { try await resident(client) == 1 ? true : nil }
        }
    }

    private func resident(_ client: Client) async throws -> Int? {
        let text = try await client.get("/metrics").text
        return text.firstMatch(of: /\ndeckd_sessions_resident (\d+)\n/).flatMap { Int($0.1) }
    }
}
