import DeckJournal
import JSONTesting
import JournalTesting
import Testing

@testable import DeckService

/// What the service does once a minute.
@Suite struct TidyTests {
    /// A session that is only read does not expire.
    @Test func theUseOfASessionIsReported() async throws {
        try await withRunningService { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            func lastActiveAt() async throws -> String {
                try #require(try await client.get("/v1/sessions").json["sessions"][0]["lastActiveAt"].text)
            }
            let created = try await lastActiveAt()
            try await Task.sleep(for: .milliseconds(5))
            _ = try await session.frame()
            #expect(try await lastActiveAt() == created)
            service.tidy()
            _ = try await eventually("the report") { try await lastActiveAt() > created ? true : nil }
        }
    }

    /// A server without probes gets its sample deck, too.
    @Test func aPreparationThatFailedIsRepeated() async throws {
        let journal = FaultyJournal(MemoryJournal())
        journal.arm(.init(.unavailable, of: [.putDeck], lasts: true))
        try await withRunningService(journal: journal) { client, service in
            #expect(try await client.get("/v1/decks/sample").status == 404)
            service.tidy()
            #expect(try await client.get("/v1/decks/sample").status == 404)
            journal.disarm()
            service.tidy()
            _ = try await eventually("the sample deck") {
                try await client.get("/v1/decks/sample").status == 200 ? true : nil
            }
        }
    }
}
