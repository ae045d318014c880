import DeckHost
import MicroHTTP

extension DeckService {
    /// Answers a call that is allowed: at once, or after the token was compared with those of the session in the path.
    func answer(_ call: Call) throws(Problem) -> Reply {
        let plan = call.plan
        switch try gate.grant(to: plan.claim, for: plan.endpoint.access) {
        case .everything(let key):
            return try plan.answer(key.map { call.with(key: $0) } ?? call)
        case .sessionToken(let hash):
            if let session = sessions.resident(for: call) { return try answer(call, with: hash, of: .success(session)) }
            sessions.find(for: call) { found in
                call.finish { () throws(Problem) in
                    try self.answer(call, with: hash, of: found.mapError { Problem($0) })
                }
            }
            return .later
        }
    }

    /// Answers a call with a token, if it is a token of the session that was found.
    private func answer(
        _ call: Call,
        with hash: [UInt8],
        of found: Result<HostedSession, Problem>
    ) throws(Problem) -> Reply {
        let (session, role) = try gate.check(hash, of: found, for: call.plan.endpoint.access)
        return try call.plan.answer(call.with(session, as: role))
    }

    /// The longest body that an endpoint reads.
    func bodyLimitBytes(of endpoint: Endpoint) -> Int {
        switch endpoint.body {
        case .none: 0
        case .deck: deckBytes
        case .other: bodyBytes
        }
    }
}
