import DeckEngine
import DeckHost
import DeckWire
import MicroHTTP

/// Copies of sessions. Each starts with the current or a past state of its origin, and is then independent.
struct ForkEndpoints: Sendable {
    var sessions: SessionTable

    var routes: [Route] {
        let fork = Endpoint(access: .session(.own), body: .other) { call throws(Problem) in try self.fork(call) }
        return [Route("/v1/sessions/{id}/fork", [(.post, fork)])]
    }

    private func fork(_ call: Call) throws(Problem) -> Reply {
        try sessions.with(call) { session throws(Problem) in
            let at = try time(call.request.body)
            let condition = try call.request.head.versionCondition()
            let key = try call.creationKey { CreationKey($0, ofForkOf: call.parameters[0], credential: $1) }
            try call.take(session.costOfFork(call.prices), from: session)
            sessions.fork(
                session,
                at: at,
                byToken: call.isByToken,
                paying: call.payment(from: session),
                if: condition,
                once: key,
                savingOutcome: Response.savedOutcome
            ) { result in
                call.finishOnWorker { () throws(Problem) in
                    if case .failure(.notRecorded) = result { throw Problem(Self.notRecorded) }
                    return .now(try .session(try result.getOrProblem()))
                }
            }
            return .later
        }
    }

    /// The body names a moment, and the session has only the current one.
    private static let notRecorded = WireError(
        .malformed,
        at: "/at",
        "requires a session with a manual clock or with `record`"
    )

    /// The moment that the body asks for; nil: now.
    private func time(_ body: [UInt8]) throws(Problem) -> Instant? {
        guard !body.isEmpty else { return nil }
        return try JSONParser.read(body: body) { value throws(WireError) in
            try value.object(allowing: ["at"])["at"]?.moment()
        }
    }
}
