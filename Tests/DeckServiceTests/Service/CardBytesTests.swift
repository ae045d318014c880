import Foundation
import JSONTesting
import Testing

@testable import DeckService

/// How many bytes of cards a session can have.
@Suite(.serialized) struct CardBytesTests {
    @Test func aSessionsCardsHaveAByteLimit() async throws {
        try await withService(configure: { $0.cardBytesPerSession = 100_000 }) { client in
            let session = try await client.begin(#"{"cards":[{"id":"a","label":"12345678901234567890"}]}"#)
            let data = String(repeating: "x", count: 15_000)
            func insert(_ numbers: Range<Int>) -> String {
                let cards = numbers.map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
                return #"{"type":"insert","index":0,"cards":[\#(cards)],"at":1}"#
            }
            #expect(try await session.post(insert(10..<15)).status == 200)
            let refused = try await session.post(insert(20..<22))
            #expect(refused.status == 422)
            #expect(refused.json["type"] == "/problems/too-many-card-bytes")
            #expect(refused.json["detail"] == "The cards of a session may have at most 100000 bytes.")
            // 75,061 bytes are there, and the data of a card has quotes.
            #expect(try await session.post(insert(20..<21)).status == 200)
            #expect(try await session.post(#"{"type":"remove","from":0,"to":3,"at":1}"#).status == 200)
            #expect(try await session.post(insert(30..<32)).status == 200)
        }
    }

    /// A batch has the same results as its events one by one.
    @Test func theByteLimitFollowsTheOrderOfABatch() async throws {
        let data = String(repeating: "x", count: 15_000)
        func cards(_ numbers: Range<Int>) -> String {
            numbers.map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
        }
        let insert = #"{"type":"insert","index":0,"cards":[\#(cards(20..<24))],"at":1}"#
        let remove = #"{"type":"remove","from":0,"to":4,"at":1}"#
        try await withService(configure: { $0.cardBytesPerSession = 100_000 }) { client in
            let full = try await client.begin(#"{"cards":[\#(cards(0..<4))]}"#)
            #expect(try await full.post(#"{"events":[\#(remove),\#(insert)]}"#).status == 200)
            // Cards that were inserted before count as well, and the removal is undone with the rest.
            let before = try await full.state()
            let twice = try await full.post(#"{"events":[\#(remove),\#(insert),\#(cardsAgain(insert))]}"#)
            #expect(twice.status == 422)
            #expect(twice.json["type"] == "/problems/too-many-card-bytes")
            #expect(try await full.state() == before)
            // A deck that is read again counts from then on.
            let small = try await client.put("/v1/decks/bytes", #"{"cards":[{"id":"a"}]}"#)
            #expect(small.status == 201)
            let session = try await client.begin(#""bytes""#)
            #expect(try await client.put("/v1/decks/bytes", #"{"cards":[\#(cards(0..<4))]}"#).status == 200)
            let reloaded = try await session.post(#"{"events":[{"type":"reload","at":1},\#(insert)]}"#)
            #expect(reloaded.status == 422)
            #expect(try await session.frame()["cardCount"] == 1)
        }
    }

    /// The same event with other ids.
    private func cardsAgain(_ insert: String) -> String {
        insert.replacingOccurrences(of: #""id":"2"#, with: #""id":"3"#)
    }
}
