import DeckEngine
import DeckWire
import MicroHTTP

/// Sessions over HTTP: beginning, reading and ending them.
struct SessionEndpoints: Sendable {
    var decks: DeckStore
    var sessions: SessionTable
    var parsers: ParserPool

    var routes: [Route] {
        [
            Route(
                "/v1/sessions",
                [(.post, Endpoint(bodyLimitBytes: WireLimits.deckBytes) { call throws(Problem) in try begin(call) })]
            ),
            Route(
                "/v1/sessions/{id}",
                [
                    (.get, Endpoint { call throws(Problem) in try get(call) }),
                    (
                        .patch,
                        Endpoint(bodyLimitBytes: WireLimits.bodyBytes) { call throws(Problem) in try patch(call) }
                    ),
                    (.delete, Endpoint { call throws(Problem) in try end(call) }),
                ]
            ),
        ]
    }

    private func begin(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let request = try parsers.read(call.request.body) { value throws(WireError) in try SessionRequest(value) }
        let document = try document(of: request)
        try check(request, document.deck)
        let (engine, notifications) = DeckSession.begin(
            deck: document.deck,
            viewport: request.viewport,
            screen: request.screen,
            startIndex: request.startIndex,
            appears: request.appears
        )
        let identity = identity(for: request)
        var state = HostedSession.State(session: engine, preset: document.preset)
        state.notifications.append(notifications)
        if request.records { state.log = SessionLog(request, document, id: identity.id) }
        let session = HostedSession(identity: identity, state: state)
        guard sessions.insert(session) else {
            throw Problem(.tooManySessions, "The server holds as many sessions as it may.")
        }
        let headers: HeaderFields = ["Location": "/v1/sessions/\(session.identity.id)"]
        return .now(
            .json(status: 201, headers: headers, capacity: 2048) { writer in
                writer.object { writer in
                    writer.members(of: session.identity, withTokens: true)
                    writer.member("record", request.records)
                    writer.frame(of: session, engine, at: engine.now)
                }
            }
        )
    }

    private func document(of request: SessionRequest) throws(Problem) -> DeckDocument {
        switch request.source {
        case .inline(let document): return document
        case .named(let id):
            guard let stored = decks.deck(id) else {
                throw Problem(WireError(.outOfRange, at: "/deck", "names no deck that there is"))
            }
            return stored.document
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

    private func identity(for request: SessionRequest) -> HostedSession.Identity {
        let deckID: String? = if case .named(let id) = request.source { id } else { nil }
        return HostedSession.Identity(
            id: freshToken(),
            token: freshToken(),
            spectatorToken: freshToken(),
            createdAt: .now(),
            deckID: deckID,
            clock: SessionClock(kind: request.clock, epoch: .now)
        )
    }

    private func get(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let session = try sessions.session(call.parameters[0])
        let engine = session.read().session
        return .now(answer(of: session, engine, at: session.now(of: engine)))
    }

    private func answer(of session: HostedSession, _ engine: DeckSession, at time: Milliseconds) -> Response {
        .json(capacity: 2048) { writer in
            writer.object { writer in
                writer.members(of: session.identity, withTokens: false)
                writer.member("record", session.read().log != nil)
                writer.frame(of: session, engine, at: time)
            }
        }
    }

    private func patch(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let session = try sessions.session(call.parameters[0])
        let engine = try parsers.read(call.request.body) { value throws(WireError) in try session.patch(value) }
        return .now(answer(of: session, engine, at: engine.now))
    }

    private func end(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        _ = try sessions.end(call.parameters[0]).found()
        return .now(Response(status: 204))
    }
}

extension SessionTable {
    /// The session of an id.
    func session(_ id: String) throws(Problem) -> HostedSession {
        try find(id).found()
    }
}

extension SessionTable.Finding {
    func found() throws(Problem) -> HostedSession {
        switch self {
        case .session(let session): return session
        case .ended: throw Problem(.sessionEnded, "The session has ended.")
        case .unknown: throw Problem(.notFound, "There is no such session.")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of identity: HostedSession.Identity, withTokens: Bool) {
        member("id", identity.id)
        if withTokens {
            member("token", identity.token)
            member("spectatorToken", identity.spectatorToken)
        }
        member("createdAt", identity.createdAt.text)
        if let deck = identity.deckID { member("deck", deck) }
        member("clock", identity.clock.kind.wireName.description)
    }

    fileprivate mutating func frame(of session: HostedSession, _ engine: DeckSession, at time: Milliseconds) {
        key("frame")
        FrameWriter(session: session.identity.id).write(engine, at: time, to: &self)
    }
}
