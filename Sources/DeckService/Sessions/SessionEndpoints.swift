import DeckEngine
import DeckJournal
import DeckWire
import MicroHTTP

/// Sessions over HTTP: beginning, reading, changing and ending them.
struct SessionEndpoints: Sendable {
    var decks: DeckLibrary
    var sessions: SessionTable
    var parsers: ParserPool
    var journal: any Journal
    /// How many sessions an API key may have; 0: any number.
    var sessionsPerKey: Int
    /// How many events each session takes, of which a patch is one.
    var limit: EventLimit

    private static let largestPage = 1000
    private static let defaultPage = 100

    var routes: [Route] {
        let list = Endpoint(access: .keys) { call throws(Problem) in try self.list(call) }
        let begin = Endpoint(access: .keys, body: .deck) { call throws(Problem) in try self.begin(call) }
        let patch = Endpoint(access: .session(.write), body: .other) { call throws(Problem) in try self.patch(call) }
        return [
            Route("/v1/sessions", [(.get, list), (.post, begin)]),
            Route(
                "/v1/sessions/{id}",
                [
                    (.get, Endpoint(access: .session(.read)) { call throws(Problem) in try get(call) }),
                    (.patch, patch),
                    (.delete, Endpoint(access: .session(.write)) { call throws(Problem) in try end(call) }),
                ]
            ),
        ]
    }

    private func list(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["limit", "cursor"])
        let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.defaultPage
        guard let place = query.text("cursor").map({ SessionPlace($0) }) ?? .start else {
            throw Problem(.malformedQuery, "The parameter cursor is not one that a Link field gave.")
        }
        journal.sessions(after: place, limit: limit) { result in
            call.finish { () throws(Problem) in .now(.sessions(try result.found(), limit: limit)) }
        }
        return .later
    }

    private func begin(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let request = try parsers.read(call.request.body) { value throws(WireError) in try SessionRequest(value) }
        switch request.source {
        case .inline(let document): try begin(request, document, deck: nil, call)
        case .named(let id):
            decks.find(id) { result in
                call.finish { () throws(Problem) in
                    guard let known = try result.get() else {
                        throw Problem(WireError(.outOfRange, at: "/deck", "names no deck that there is"))
                    }
                    try begin(request, known.document, deck: id, call)
                    return .later
                }
            }
        }
        return .later
    }

    private func begin(
        _ request: SessionRequest,
        _ document: DeckDocument,
        deck: String?,
        _ call: Call
    ) throws(Problem) {
        try check(request, document.deck)
        let (engine, notifications) = DeckSession.begin(
            deck: document.deck,
            viewport: request.viewport,
            screen: request.screen,
            startIndex: request.startIndex,
            appears: request.appears
        )
        let tokens = SessionTokens()
        let identity = tokens.identity(deck: deck, clock: request.clock, isRecorded: request.records, owner: call.key)
        var state = HostedSession.State(session: engine, preset: document.preset)
        state.notifications.append(notifications)
        if request.records {
            state.log = SessionLog()
            state.log?.append(request, document, id: identity.id)
        }
        let record = NewSession(
            identity: identity,
            version: engine.version,
            snapshot: SessionForm.snapshot(state),
            cards: engine.cardsSnapshot(),
            logLines: state.log?.take() ?? [],
            ownerLimit: sessionsPerKey > 0 ? sessionsPerKey : nil
        )
        let creation = Timestamp(milliseconds: Int(identity.createdAt.milliseconds))
        let clock = SessionClock(kind: request.clock, since: creation)
        let session = HostedSession(identity: identity, clock: clock, state: state, journal: journal)
        sessions.insert(session, record) { result in
            call.finish { () throws(Problem) in
                try result.get()
                return .now(.session(session, engine, tokens: tokens))
            }
        }
    }

    /// Checks what depends on the deck and the rest of the request together.
    private func check(_ request: SessionRequest, _ deck: Deck) throws(Problem) {
        if let error = request.viewport.misfit(for: deck.settings.layout) { throw Problem(error) }
        guard request.startIndex <= deck.cards.count else {
            let detail = "must be at most the number of cards, \(deck.cards.count)"
            throw Problem(WireError(.outOfRange, at: "/startIndex", detail))
        }
    }

    private func get(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        return sessions.read(call) { session, state throws(Problem) in
            .now(.session(session, session.present(state)))
        }
    }

    private func patch(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        return sessions.with(call) { session throws(Problem) in
            _ = try session.take(1, of: limit)
            let patched = try parsers.read(call.request.body) { value in
                Result { () throws(Problem) in
                    try session.patch(value) { result in
                        if case .failure = result { sessions.forgetIfLost(session) }
                        call.finish { () throws(Problem) in
                            let engine = try result.get()
                            return .now(.session(session, engine))
                        }
                    }
                }
            }
            try patched.get()
            return .later
        }
    }

    private func end(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        sessions.end(call.parameters[0]) { result in
            call.finish { () throws(Problem) in
                try result.get()
                return .now(Response(status: 204))
            }
        }
        return .later
    }
}
