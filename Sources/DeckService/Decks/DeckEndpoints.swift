import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// Decks over HTTP.
struct DeckEndpoints: Sendable {
    var decks: DeckLibrary

    private static let defaultPage = 100
    private static let largestPage = 1000

    var routes: [Route] {
        let list = Endpoint(
            access: .keys([.decks, .operate]),
            parameters: ["limit", "cursor"]
        ) { call, query throws(Problem) in
            try self.list(call, query)
        }
        let get = Endpoint(access: .keys([.decks, .operate])) { call throws(Problem) in try self.get(call) }
        return [
            Route("/v1/decks", [(.get, list)]),
            Route(
                "/v1/decks/{deck}",
                [
                    (.get, get),
                    (.put, Endpoint(access: .keys(.decks), body: .deck) { call throws(Problem) in try put(call) }),
                    (.patch, Endpoint(access: .keys(.decks), body: .deck) { call throws(Problem) in try patch(call) }),
                    (
                        .delete,
                        Endpoint(access: .keys(.decks), or: Endpoint.problemType) { call throws(Problem) in
                            try delete(call)
                        }
                    ),
                ]
            ),
            Route(
                "/v1/decks/{deck}/cards",
                [(.post, Endpoint(access: .keys(.decks), body: .deck) { call throws(Problem) in try append(call) })]
            ),
        ]
    }

    private func list(_ call: Call, _ query: Query) throws(Problem) -> Reply {
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
                                for (id, deck) in page.decks {
                                    let cardCount = deck.document.deck.cards.count
                                    writer.summary(id: id, cardCount: cardCount, revision: deck.revision)
                                }
                            }
                        }
                    }
                )
            }
        }
        return .later
    }

    private func get(_ call: Call) throws(Problem) -> Reply {
        let known = call.request.head.knownTags
        decks.find(call.parameters[0], latest: call.request.head.asksForLatest) { result in
            let cards = (try? result.get())?.document.deck.cards
            call.finish(asLarge: cards?.isLarge ?? false) { () throws(Problem) in
                guard let deck = try result.get() else { throw Problem(.notFound, "There is no deck with this id.") }
                guard known?.weaklyContains(deck.entityTag) != true else {
                    let headers: HeaderFields = ["ETag": deck.entityTag, "Cache-Control": "no-store"]
                    return .now(Response(status: 304, headers: headers))
                }
                return .now(.json(headers: ["ETag": deck.entityTag]) { $0.deck(deck.document) })
            }
        }
        return .later
    }

    private func put(_ call: Call) throws(Problem) -> Reply {
        let id = call.parameters[0]
        guard isIdentifier(id) else {
            throw Problem(.malformedTarget, "A deck's id must be 1 to 64 letters, digits, - and _.")
        }
        let document = try JSONParser.read(body: call.request.body) { value throws(WireError) in
            try DeckDocument(value)
        }
        let head = call.request.head
        let condition = try head.deckPutCondition()
        decks.put(document, as: id, if: condition, once: try Self.key(of: call)) { result in
            call.finish { () throws(Problem) in .now(Self.response(try result.get(), id: id)) }
        }
        return .later
    }

    /// Changes the settings and the cards that a merge patch names.
    private func patch(_ call: Call) throws(Problem) -> Reply {
        try change(call) { document, value throws(WireError) in try DeckDocument(document, patch: value) }
    }

    /// Appends cards.
    private func append(_ call: Call) throws(Problem) -> Reply {
        try change(call) { document, value throws(WireError) in try DeckDocument(document, appending: value) }
    }

    private func change(
        _ call: Call,
        _ edit: @escaping @Sendable (DeckDocument, JSONValue) throws(WireError) -> DeckDocument
    ) throws(Problem) -> Reply {
        let id = call.parameters[0]
        let body = call.request.body
        let change = DeckChange(
            decks: decks,
            id: id,
            condition: try call.request.head.deckCondition(),
            key: try Self.key(of: call),
            edit: { document throws(Problem) in
                try JSONParser.read(body: body) { value throws(WireError) in try edit(document, value) }
            },
            // A change that has waited for another one continues on a thread of the journal, which must not parse a long body.
            run: { isLarge, job in call.run(asLarge: isLarge || call.hasLongBody, job) },
            completion: { result in
                call.finish { () throws(Problem) in .now(Self.response(try result.get(), id: id)) }
            }
        )
        change.make()
        return .later
    }

    private static func key(of call: Call) throws(Problem) -> DeckKey? {
        let head = call.request.head
        let path = head.method == .put ? head.target.path : "\(head.method) \(head.target.path)"
        let key = try OperationKey(head.headers, path: path, body: call.request.body)
        return key.map { DeckKey(owner: call.key ?? "", key: $0.key, fingerprint: $0.fingerprint) }
    }

    private static func response(_ putResult: DeckLibrary.PutResult, id: String) -> Response {
        var headers: HeaderFields = ["ETag": "\"\(putResult.revision)\""]
        if putResult.isNew { headers.set("Location", "/v1/decks/\(id)") }
        if putResult.isReplay { headers.set("Idempotency-Replayed", "true") }
        return .json(status: putResult.isNew ? 201 : 200, headers: headers) {
            $0.summary(id: id, cardCount: putResult.cardCount, revision: putResult.revision)
        }
    }

    private func delete(_ call: Call) throws(Problem) -> Reply {
        let condition = try call.request.head.deckCondition()
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
    /// The revision is a string, because JavaScript cannot represent every whole number above 2^53.
    fileprivate mutating func summary(id: String, cardCount: Int, revision: Int) {
        object {
            $0.member("id", id)
            $0.member("cardCount", cardCount)
            $0.member("revision", String(revision))
        }
    }
}
