import DeckEngine
import DeckHost
import DeckWire
import MicroHTTP

/// What a session's deck holds, over HTTP: slots and cards.
struct CardEndpoints: Sendable {
    var sessions: SessionTable

    private static let largestPage = 1000

    var routes: [Route] {
        // Clients with any token of a session may read these, at least in part.
        let slots = Endpoint(access: .session(.read)) { call throws(Problem) in try self.slots(call) }
        let cards = Endpoint(access: .session(.read), parameters: ["from", "to"]) { call, query throws(Problem) in
            try self.cards(call, query)
        }
        let card = Endpoint(access: .session(.read)) { call throws(Problem) in try self.card(call) }
        return [
            Route("/v1/sessions/{id}/slots", [(.get, slots)]),
            Route("/v1/sessions/{id}/cards", [(.get, cards)]),
            Route("/v1/sessions/{id}/cards/{index}", [(.get, card)]),
        ]
    }

    private func slots(_ call: Call) throws(Problem) -> Reply {
        try sessions.read(call) { committed throws(Problem) in
            let engine = try call.present(committed)
            return .now(.json(capacity: 1024) { $0.slots(of: engine) })
        }
    }

    private func cards(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        try sessions.read(call) { committed throws(Problem) in
            let session = try call.present(committed)
            let deck = session.deck
            let range = try range(query, count: deck.cards.count)
            let isLimited = call.role.readsOnlyShownCards
            let indices = isLimited ? session.readableIndices.filter(range.contains) : Array(range)
            return .now(
                .json(capacity: 2048) { writer in
                    writer.object { writer in
                        writer.member("cardCount", deck.cards.count)
                        writer.array("cards") { writer in
                            for index in indices { writer.card(index, of: deck) }
                        }
                    }
                }
            )
        }
    }

    private func range(_ query: Query, count: Int) throws(Problem) -> Range<Int> {
        let from = try query.integer("from", in: 0...count) ?? 0
        let to = try query.integer("to", in: from...count) ?? min(count, from + Self.largestPage)
        guard to - from <= Self.largestPage else {
            throw Problem(.malformedQuery, "The parameter to may be at most from + \(Self.largestPage).")
        }
        return from..<to
    }

    private func card(_ call: Call) throws(Problem) -> Reply {
        // Int also reads signs and leading zeros.
        let number = Int(call.parameters[1]).flatMap { "\($0)" == call.parameters[1] ? $0 : nil }
        return try sessions.read(call) { committed throws(Problem) in
            let session = try call.present(committed)
            let deck = session.deck
            guard let index = number, (0..<deck.cards.count).contains(index) else {
                throw Problem(.notFound, "The deck has no card with this index. It has \(deck.cards.count) cards.")
            }
            guard !call.role.readsOnlyShownCards || session.readableIndices.contains(index) else {
                throw Problem(
                    call.role == .player ? .notAllowedForPlayers : .forbidden,
                    "The card is not shown, and is more than `rules.lookahead` cards behind."
                )
            }
            return .now(.json { $0.card(index, of: deck) })
        }
    }
}

extension JSONWriter {
    fileprivate mutating func card(_ index: Int, of deck: Deck) {
        object { writer in
            writer.member("index", index)
            writer.members(of: deck.cards[index])
        }
    }
}
