import DeckJournal
import Foundation
import JSONTesting
import Testing

@testable import DeckService

/// A deck and a recorded session with a history, as they are before a request meets a fault. Each has its own deck, so that
/// lists and the feed can be searched for what belongs to it.
struct FaultScene: Sendable {
    let client: Client
    let service: DeckService
    let deck: String
    let session: String
    /// The entity tag of the session.
    let version: String
    /// The entity tag of the deck.
    let deckTag: String
    /// The key of a request that was answered before.
    static let formerKey = "former"

    var path: String { "/v1/sessions/\(session)" }

    static let cards = (0..<8)
        .map { #"{"id":"c\#($0)","label":"Card \#($0)","data":{"n":\#($0)}}"# }.joined(separator: ",")
    static let formerEvents = #"""
        {"events":[{"type":"swipe","direction":"left","at":10000},{"type":"tick","at":20000}]}
        """#
    private static let history = #"""
        {"events":[{"type":"swipe","direction":"left","at":100},{"type":"swipe","direction":"right","at":1000},
        {"type":"revert","at":2000},{"type":"swipe","direction":"right","at":3000},{"type":"tick","at":9000}]}
        """#

    init(_ number: Int, _ client: Client, _ service: DeckService) async throws {
        self.client = client
        self.service = service
        deck = "deck\(number)x"
        let body = #"{"cards":[\#(Self.cards)]}"#
        _ = try await client.put("/v1/decks/\(deck)", body)
        session = try await client.begin(#""\#(deck)""#, more: #""record":true"#).id
        let events = "/v1/sessions/\(session)/events"
        let key = ["Idempotency-Key": "\"\(Self.formerKey)\""]
        let answers = [
            try await client.post(events, Self.history),
            try await client.post(events, Self.formerEvents, headers: key),
            // From now on the deck is not in memory.
            try await client.put("/v1/decks/\(deck)", body),
        ]
        for answer in answers where answer.status != 200 { throw Client.Failure(description: answer.text) }
        version = "\"\(Int(answers[1].json["frame"]["version"].number))\""
        deckTag = answers[2].headers["etag"] ?? ""
    }

    /// The part of an answer that must be the same with and without a fault.
    func comparable(_ answer: Answer) -> String {
        // The revisions of decks and the places of the feed are those of the whole journal.
        let head = "\(answer.status) \(answer.headers["location"] ?? "")"
        var body = answer.text
        if body.contains("\"cursor\"") { body.replace(/"cursor":"[^"]*"/, with: #""cursor":"""#) }
        if body.contains("\"revision\"") { body.replace(/"revision":"\d+"/, with: #""revision":"""#) }
        return comparable("\(head)\n\(body)")
    }

    private func comparable(_ text: String) -> String {
        text.comparable([session: "SESSION", deck: "DECK"])
    }

    /// Everything that the service shows of the scene: its sessions, their logs and verdicts, and the feed.
    func state() async throws -> String {
        let list = try await client.get("/v1/sessions?limit=1000").json["sessions"].elements
        let others = list.filter { $0["deck"].text == deck }.compactMap { $0["id"].text }.filter { $0 != session }
        var parts: [String] = []
        for id in [session] + others.sorted() {
            for part in ["frame?since=0&include=data,labels", "verdicts", "events", "cards"] {
                parts.append(comparable(try await client.get("/v1/sessions/\(id)/\(part)")))
            }
        }
        parts.append(comparable(try await client.get("/v1/verdicts?deck=\(deck)")))
        // If the deck were read by its id, it would be in memory from then on.
        let decks = try await client.get("/v1/decks?limit=1000").json["decks"].elements
        for id in [deck, "new\(deck)"] {
            parts.append("\(decks.first { $0["id"].text == id }?["cardCount"] ?? .missing)")
        }
        return parts.joined(separator: "\n")
    }
}
