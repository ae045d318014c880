import DeckJournal
import JSONTesting
import JournalTesting
import SocketTesting
import Testing

/// Streams of a session that leaves memory, because another process has changed it, and is loaded again. Two services over one
/// journal are two processes.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct StreamReloadTests {
    private func withServices(_ body: (FaultyJournal, Client, _ other: Client) async throws -> Void) async throws {
        let base = MemoryJournal()
        let journal = FaultyJournal(base)
        try await withService(journal: journal) { client in
            try await withService(journal: base) { other in try await body(journal, client, other) }
        }
    }

    private func swipe(_ session: SessionClient, on other: Client, at time: Int) async throws {
        let swipe = #"{"type":"swipe","direction":"left","at":\#(time)}"#
        #expect(try await other.post("\(session.path)/events", swipe).status == 200)
    }

    /// Steps of a drag have no numbers, and a session in memory counts them from its loading on.
    @Test func stepsOfADragAreSentAfterTheSessionWasLoadedAgain() async throws {
        try await withServices { _, client, other in
            let session = try await client.begin(#"{"count":9}"#)
            let source = try session.stream("?fps=60&fields=version,currentIndex")
            defer { source.close() }
            _ = try #require(await source.next("frame"))
            for time in 1...5 {
                _ = try await session.drag("changed", at: Double(time), Double(10 * time), 0)
                _ = try #require(await source.next("frame"))
            }
            try await swipe(session, on: other, at: 10)
            // The change of the other process is noticed with this one.
            _ = try await session.swipe("left", at: 3000)
            while try #require(await source.next("frame")).json["currentIndex"] != 2 {}
            _ = try await session.drag("changed", at: 6000, 30, 0)
            // Frames of the swipe can come before it.
            var isSent = false
            while !isSent, let event = await source.next() { isSent = event.json["type"] == "dragged" }
            #expect(isSent)
        }
    }

    /// A journal that cannot be read for a moment does not end the stream.
    @Test func aStreamWaitsForAJournalThatCannotBeRead() async throws {
        try await withServices { journal, client, other in
            let session = try await client.begin(#"{"count":9}"#)
            let source = try session.stream("?fields=version,currentIndex")
            defer { source.close() }
            _ = try #require(await source.next("frame"))
            try await swipe(session, on: other, at: 10)
            // The first load finds out about the conflict.
            journal.arm(.init(.unavailable, of: [.load], after: 1, lasts: true))
            #expect(try await session.post(#"{"type":"swipe","direction":"left","at":3000}"#).status == 503)
            #expect(await JournalTesting.eventually { (journal.calls[.load] ?? 0) > 2 })
            journal.disarm()
            let event = try #require(await source.next())
            #expect(event.name != "end", "\(event.data)")
            if event.name != "frame" { _ = try #require(await source.next("frame")) }
            #expect(try await session.frame()["currentIndex"] == 1)
        }
    }
}
