import Testing

@testable import DeckService

/// The metrics of clients that wait, while they wait and after that.
@Suite struct WatcherMetricsTests {
    private func value(_ sample: String, _ client: Client) async throws -> Int? {
        let lines = try await client.get("/metrics").text.split(separator: "\n")
        return lines.first { $0.hasPrefix("\(sample) ") }.flatMap { Int($0.dropFirst(sample.count + 1)) }
    }

    private func ended(_ reason: String, _ client: Client) async throws -> Int? {
        try await value(#"deckd_streams_ended_total{reason="\#(reason)"}"#, client)
    }

    @Test func streamsAndLongPollsAreCountedFromTheirBeginningToTheirEnd() async throws {
        try await withRunningService { client, service in
            let session = try await client.begin(#"{"count":9}"#)
            let sources = try (0..<3).map { _ in try session.stream() }
            for source in sources { _ = await source.next() }
            async let poll = client.get("/v1/verdicts", headers: ["Prefer": "wait=30"])
            while service.polls.count < 1 { await Task.yield() }
            #expect(try await value("deckd_streams_open", client) == 3)
            #expect(try await value("deckd_long_polls_waiting", client) == 1)

            sources[0].close()
            var time = 0.0
            while try await ended("client-left", client) == 0, time < 1000 {
                time += 1
                _ = try await session.event("tap", at: time)
            }
            #expect(try await value("deckd_streams_open", client) == 2)

            service.drain()
            #expect(try await poll.status == 200)
            for source in sources.dropFirst() { while await source.next() != nil {} }
            // The end is counted once the last byte is sent, which may be after it was read.
            for _ in 0..<1000 where try await value("deckd_streams_open", client) != 0 { await Task.yield() }
            #expect(try await value("deckd_streams_open", client) == 0)
            #expect(try await value("deckd_long_polls_waiting", client) == 0)
            #expect(try await ended("client-left", client) == 1)
            #expect(try await ended("ended", client) == 2)
            // What waits on purpose has a separate histogram, and streams are in none.
            let metrics = try await client.get("/metrics").text
            #expect(!metrics.contains(#"duration_seconds_count{route="/v1/sessions/{id}/stream"}"#))
            #expect(!metrics.contains(#"http_request_duration_seconds_count{route="/v1/verdicts"}"#))
            #expect(metrics.contains(#"waiting_request_duration_seconds_count{route="/v1/verdicts"} 1"#))
        }
    }
}
