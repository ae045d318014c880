import DeckJournal
import JSONTesting
import JournalTesting
import SocketTesting
import Testing

@testable import DeckService

/// Requests to a service that has a deck in memory and has not heard that another one has changed it.
@Suite(.timeLimit(.minutes(Sanitizer.patienceMinutes))) struct OtherNodeDeckTests {
    /// Puts a deck of two cards here, and runs a body.
    private func withTwoServices(_ body: (_ here: Client, _ there: Client) async throws -> Void) async throws {
        let memory = MemoryJournal()
        try await withRunningService(journal: NewsJournal(upToDate: memory)) { here, _ in
            try await withRunningService(journal: NewsJournal(upToDate: memory)) { there, _ in
                #expect(try await here.put("/v1/decks/d", #"{"cards":[{"id":"a"},{"id":"b"}]}"#).status == 201)
                _ = try await here.begin(#""d""#)
                try await body(here, there)
            }
        }
    }

    private static let creation = #"{"deck":"d","viewport":{"width":300,"height":400}}"#
    private static let appended = #"{"cards":[{"id":"c"}]}"#

    @Test func aReloadReadsTheLatestDeck() async throws {
        try await withTwoServices { here, there in
            let session = try await here.begin(#""d""#)
            #expect(try await there.post("/v1/decks/d/cards", Self.appended).status == 200)
            let reloaded = try await session.post(#"{"type":"reload","at":1}"#)
            #expect(reloaded.json["frame"]["cardCount"].number == 3, "\(reloaded.text)")
        }
    }

    @Test func aSessionIsCreatedWithTheLatestDeck() async throws {
        try await withTwoServices { here, there in
            #expect(try await there.post("/v1/decks/d/cards", Self.appended).status == 200)
            let created = try await here.post("/v1/sessions", Self.creation)
            #expect(created.json["frame"]["cardCount"].number == 3, "\(created.text)")
            #expect(try await there.delete("/v1/decks/d").status == 204)
            let refused = try await here.post("/v1/sessions", Self.creation)
            #expect(refused.json["type"].text == "/problems/out-of-range", "\(refused.text)")
        }
    }

    @Test func cardsAreAddedToTheLatestDeck() async throws {
        try await withTwoServices { here, there in
            #expect(try await there.put("/v1/decks/d", #"{"cards":[{"id":"a"}]}"#).status == 200)
            // In the deck that this service knows, the id is in use.
            let added = try await here.post("/v1/decks/d/cards", #"{"cards":[{"id":"b"}]}"#)
            #expect(added.status == 200, "\(added.text)")
            let deck = try await here.get("/v1/decks/d")
            #expect(deck.json["cards"].elements.map { $0["id"].text } == ["a", "b"])
        }
    }
}
