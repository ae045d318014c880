import DeckEngine
import DeckWire
import MicroHTTP

/// Events over HTTP: the way of a drag, a swipe or any other event into a session, and of its answer back.
struct EventEndpoints: Sendable {
    var decks: DeckStore
    var sessions: SessionTable
    var parsers: ParserPool
    var journal: any Journal

    var routes: [Route] {
        [
            Route(
                "/v1/sessions/{id}/events",
                [
                    (.get, Endpoint(produces: "application/x-ndjson") { call throws(Problem) in try log(call) }),
                    (.post, Endpoint(bodyLimitBytes: WireLimits.bodyBytes) { call throws(Problem) in try apply(call) }),
                ]
            )
        ]
    }

    /// Answers with everything that was done to a session that records, as `deckd replay` reads it.
    private func log(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        guard let log = try sessions.session(call.parameters[0]).read().log else {
            throw Problem(.notFound, "The session does not record; it was not begun with record.")
        }
        var headers: HeaderFields = ["Content-Type": "application/x-ndjson", "Cache-Control": "no-store"]
        if !log.isComplete { headers.set("Deckd-Log", "truncated") }
        return .now(Response(status: 200, headers: headers, body: log.bytes))
    }

    private func apply(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["frame", "dryRun"])
        let withFrame = try query.word("frame", of: ["none", "full"]) != "none"
        let isRehearsal = try query.flag("dryRun")
        let session = try sessions.session(call.parameters[0])
        let requests = try parsers.read(call.request.body) { value throws(WireError) in
            try EventRequest.read(value)
        }
        let applied = try session.apply(requests, rereadDeck: rereadDeck(for: session), isRehearsal: isRehearsal)
        let response = response(to: requests, applied, of: session, withFrame: withFrame)
        guard !isRehearsal, let record = applied.record else { return .now(response) }
        keep(record, thenSend: response, over: call)
        return .later
    }

    private func rereadDeck(for session: HostedSession) -> DeckDocument? {
        session.identity.deckID.flatMap { decks.deck($0)?.document }
    }

    /// Sends the answer once what it reports has been kept.
    private func keep(_ record: SessionRecord, thenSend response: Response, over call: Call) {
        let sessions = sessions
        journal.commit(record) { result in
            switch result {
            case .success: call.exchange.send(response)
            case .failure:
                // What was not kept must not be seen either, so the session goes back to what the journal has.
                sessions.forget(record.session)
                let problem = Problem(.journalUnavailable, "The event could not be kept, and was not applied.")
                call.exchange.send(.problem(problem, instance: call.request.head.target.path))
            }
        }
    }

    private func response(
        to requests: [EventRequest],
        _ applied: HostedSession.Applied,
        of session: HostedSession,
        withFrame: Bool
    ) -> Response {
        .json(capacity: withFrame ? 2048 : 512) { writer in
            writer.object { writer in
                writer.array("results") { writer in
                    for (request, outcome) in zip(requests, applied.outcomes) {
                        writer.result(outcome, of: request.type)
                    }
                }
                let notifications = applied.outcomes.flatMap(\.notifications)
                writer.member("notifications", notifications)
                guard withFrame else { return }
                writer.key("frame")
                FrameWriter(session: session.identity.id)
                    .write(applied.session, at: applied.session.now, to: &writer)
            }
        }
    }
}
