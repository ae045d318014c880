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

    var routes: [Route] {
        let begin = Endpoint(bodyLimitBytes: WireLimits.deckBytes) { call throws(Problem) in try self.begin(call) }
        let patch = Endpoint(bodyLimitBytes: WireLimits.bodyBytes) { call throws(Problem) in try self.patch(call) }
        return [
            Route("/v1/sessions", [(.post, begin)]),
            Route(
                "/v1/sessions/{id}",
                [
                    (.get, Endpoint { call throws(Problem) in try get(call) }),
                    (.patch, patch),
                    (.delete, Endpoint { call throws(Problem) in try end(call) }),
                ]
            ),
        ]
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
        let identity = tokens.identity(for: request, deck: deck)
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
            cards: engine.deck.cards.snapshot(),
            logLines: state.log?.take() ?? []
        )
        let creation = Timestamp(milliseconds: Int(identity.createdAt.milliseconds))
        let clock = SessionClock(kind: request.clock, since: creation)
        let session = HostedSession(identity: identity, clock: clock, state: state, journal: journal)
        sessions.insert(session, record) { result in
            call.finish { () throws(Problem) in
                try result.get()
                return .now(answer(of: session, engine, at: engine.now, tokens: tokens))
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
        return sessions.with(call) { session throws(Problem) in
            let engine = session.read().session
            return .now(answer(of: session, engine, at: session.now(of: engine)))
        }
    }

    private func patch(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        return sessions.with(call) { session throws(Problem) in
            try parsers.read(call.request.body) { value throws(WireError) in
                try session.patch(value) { result in
                    if case .failure = result { sessions.forget(session.identity.id) }
                    call.finish { () throws(Problem) in
                        let engine = try result.found()
                        return .now(answer(of: session, engine, at: engine.now))
                    }
                }
            }
            return .later
        }
    }

    /// - Parameter tokens: the session's tokens, which only the answer to its beginning has.
    private func answer(
        of session: HostedSession,
        _ engine: DeckSession,
        at time: Milliseconds,
        tokens: SessionTokens? = nil
    ) -> Response {
        let identity = session.identity
        let headers: HeaderFields = tokens == nil ? HeaderFields() : ["Location": "/v1/sessions/\(identity.id)"]
        return .json(status: tokens == nil ? 200 : 201, headers: headers, capacity: 2048) { writer in
            writer.object { writer in
                writer.member("id", identity.id)
                if let tokens {
                    writer.member("token", tokens.full)
                    writer.member("spectatorToken", tokens.spectator)
                }
                writer.member("createdAt", Timestamp(milliseconds: Int(identity.createdAt.milliseconds)).text)
                if let deck = identity.deck { writer.member("deck", deck) }
                writer.member("clock", identity.clock)
                writer.member("record", identity.isRecorded)
                writer.key("frame")
                FrameWriter(session: identity.id).write(engine, at: time, to: &writer)
            }
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

/// What lets a client into one session. Only their hashes are kept.
private struct SessionTokens: Sendable {
    let full = freshToken()
    let spectator = freshToken()

    func identity(for request: SessionRequest, deck: String?) -> SessionIdentity {
        SessionIdentity(
            id: freshToken(),
            tokenHash: tokenHash(full),
            spectatorTokenHash: tokenHash(spectator),
            deck: deck,
            createdAt: WallTime(.now()),
            clock: request.clock.wireName.description,
            isRecorded: request.records
        )
    }
}

extension SessionTable {
    /// Answers with what the body makes of the session that the path names, now or when it has been loaded.
    func with(
        _ call: Call,
        _ body: @escaping @Sendable (HostedSession) throws(Problem) -> Reply
    ) -> Reply {
        find(call.parameters[0]) { result in
            call.finish { () throws(Problem) in try body(try result.get()) }
        }
        return .later
    }
}
