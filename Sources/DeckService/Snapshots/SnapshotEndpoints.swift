import DeckEngine
import DeckHost
import MicroHTTP

/// A session over HTTP as a client's engine continues it.
struct SnapshotEndpoints: Sendable {
    var sessions: SessionTable

    var routes: [Route] {
        let snapshot = Endpoint(access: .session(.read), produces: "application/octet-stream") { call throws(Problem) in
            try self.snapshot(call)
        }
        return [Route("/v1/sessions/{id}/snapshot", [(.get, snapshot)])]
    }

    private func snapshot(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let known = EntityTags(call.request.head.headers.values("If-None-Match"))
        return sessions.read(call) { sight throws(Problem) in
            let (session, engine) = (sight.session, sight.state.session)
            // The request itself was one unit.
            try call.charge(call.prices.cost(ofFrameOf: engine) - 1, to: session)
            // The engine's bytes are a function of the version.
            let tag = "\"\(engine.version)\""
            let headers: HeaderFields = ["Cache-Control": "no-store", "ETag": tag]
            if known?.weaklyContains(tag) == true { return .now(Response(status: 304, headers: headers)) }
            call.finish(asLarge: engine.cards.isLarge) { () throws(Problem) in
                guard let bytes = SessionSnapshot(of: session, engine, for: call.role).bytes(of: engine) else {
                    throw Problem(
                        .notFound,
                        "The session has more than 100,000 cards in another order, and no snapshot."
                    )
                }
                var headers = headers
                headers.set("Content-Type", "application/octet-stream")
                return .now(Response(status: 200, headers: headers, body: bytes))
            }
            return .later
        }
    }
}
