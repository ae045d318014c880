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
            journal: FailingJournal(at: 1),
            configure: { $0.residentIdleSeconds = 0 }
        ) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            _ = try await session.event("tap", at: 1)
            service.tidy()
            #expect(try await session.frame()["version"] == 0)
            #expect(try await session.swipe("left", at: 2)["results"][0]["version"] == 1)
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

    private func resident(_ client: Client) async throws -> Int? {
        let text = try await client.get("/metrics").text
        return text.firstMatch(of: /\ndeckd_sessions_resident (\d+)\n/).flatMap { Int($0.1) }
    }
}
