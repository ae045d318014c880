import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// Decks over HTTP.
struct DeckEndpoints: Sendable {
    var decks: DeckLibrary
    var parsers: ParserPool

    private static let defaultPage = 100
    private static let largestPage = 1000

    var routes: [Route] {
        [
            Route("/v1/decks", [(.get, Endpoint(access: .keys) { call throws(Problem) in try list(call) })]),
            Route(
                "/v1/decks/{deck}",
                [
                    (.get, Endpoint(access: .keys) { call throws(Problem) in try get(call) }),
                    (.put, Endpoint(access: .keys, body: .deck) { call throws(Problem) in try put(call) }),
                    (
                        .delete,
                        Endpoint(access: .keys, or: Endpoint.problemType) { call throws(Problem) in try delete(call) }
                    ),
                ]
            ),
        ]
    }

    private func list(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["limit", "cursor"])
        let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.defaultPage
        let cursor = query.text("cursor") ?? ""
        guard cursor.isEmpty || isIdentifier(cursor) else {
            throw Problem(.malformedQuery, "The parameter cursor must be copied from a Link header.")
        }
        decks.list(after: cursor, limit: limit) { result in
            call.finish { () throws(Problem) in
                let page = try result.get()
                var headers = HeaderFields()
                if page.hasMore, let last = page.decks.last {
                    headers.set("Link", "</v1/decks?limit=\(limit)&cursor=\(last.id)>; rel=\"next\"")
                }
                return .now(
                    .json(headers: headers) { writer in
                        writer.object { writer in
                            writer.array("decks") { writer in
                                for (id, deck) in page.decks { writer.summary(of: deck, id: id) }
                            }
                        }
                    }
                )
            }
        }
        return .later
    }

    private func get(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        decks.find(call.parameters[0]) { result in
            let cards = (try? result.get())?.document.deck.cards
            call.finish(asLarge: cards?.isLarge ?? false) { () throws(Problem) in
                guard let deck = try result.get() else { throw Problem(.notFound, "There is no deck with this id.") }
                return .now(.json(headers: ["ETag": deck.entityTag]) { $0.deck(deck.document) })
            }
        }
        return .later
    }

    private func put(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let id = call.parameters[0]
        guard isIdentifier(id) else {
            throw Problem(.malformedTarget, "A deck's id must be 1 to 64 letters, digits, - and _.")
        }
        let document = try parsers.read(call.request.body) { value throws(WireError) in try DeckDocument(value) }
        let head = call.request.head
        let condition = RevisionCondition(EntityTags(head.headers.values("If-Match")))
        let key = try OperationKey(head.headers, path: head.target.path, body: call.request.body)
        let deckKey = key.map { DeckKey(owner: call.key ?? "", key: $0.key, fingerprint: $0.fingerprint) }
        decks.put(document, as: id, if: condition, once: deckKey) { result in
            call.finish { () throws(Problem) in
                let putting = try result.get()
                var headers: HeaderFields = ["ETag": putting.deck.entityTag]
                if putting.isNew { headers.set("Location", "/v1/decks/\(id)") }
                if putting.isReplay { headers.set("Idempotency-Replayed", "true") }
                return .now(
                    .json(status: putting.isNew ? 201 : 200, headers: headers) { $0.summary(of: putting.deck, id: id) }
                )
            }
        }
        return .later
    }

    private func delete(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let condition = RevisionCondition(EntityTags(call.request.head.headers.values("If-Match")))
        decks.remove(call.parameters[0], if: condition) { result in
            call.finish { () throws(Problem) in
                try result.get()
                return .now(Response(status: 204))
            }
        }
        return .later
    }
}

extension JSONWriter {
    fileprivate mutating func summary(of deck: KnownDeck, id: String) {
        object {
            $0.member("id", id)
            $0.member("cardCount", deck.document.deck.cards.count)
            $0.member("revision", deck.revision)
        }
    }
}
