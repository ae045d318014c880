import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// A session over HTTP as a client's engine continues it.
struct SnapshotEndpoints: Sendable {
    var sessions: SessionTable

    /// How many cards from the front one on may have their content.
    private static let largestCardCount = 1000

    var routes: [Route] {
        let snapshot = Endpoint(
            access: .session(.read),
            produces: "application/octet-stream",
            parameters: ["at", "cards"]
        ) { call, query throws(Problem) in
            try self.snapshot(call, query)
        }
        return [Route("/v1/sessions/{id}/snapshot", [(.get, snapshot)])]
    }

    private func snapshot(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        let at = try query.moment("at")
        let cardCount = try query.integer("cards", in: 0...Self.largestCardCount) ?? ClientSnapshot.usualCardCount
        let known = call.request.head.knownTags
        return try sessions.read(call) { committed throws(Problem) in
            let engine = committed.state.session
            guard engine.hasClientSnapshot else {
                throw Problem(.tooManyCards, "The deck has more than 100,000 cards that are not in their first order.")
            }
            try call.takeFrameCost(of: committed)
            let (session, role) = (committed.session, call.role)
            return try sessions.show(call, committed, at: at) { view in
                let engine = view.state.session
                let form = ClientSnapshot(of: session, engine, at: view.time, cardCount: cardCount, for: role)
                return .now(answer(call, with: view, form, known))
            }
        }
    }

    private func answer(
        _ call: Call,
        with view: FrameView,
        _ form: ClientSnapshot,
        _ known: EntityTags?
    ) -> Response {
        let engine = view.state.session
        var headers = HeaderFields.notStored
        // The engine's state is a function of the version. While effects are due, a player can read other cards later.
        if !call.role.readsOnlyShownCards || !engine.awaitsEffects {
            let tag = "\"\(engine.version)\""
            headers.set("ETag", tag)
            if known?.weaklyContains(tag) == true { return Response(status: 304, headers: headers) }
        }
        call.charge(call.prices.cost(ofClientSnapshotOf: engine))
        headers.set("Content-Type", "application/octet-stream")
        return Response(status: 200, headers: headers, body: form.bytes(of: engine))
    }
}
