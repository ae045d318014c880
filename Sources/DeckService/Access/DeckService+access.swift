import DeckHost
import MicroHTTP

extension DeckService {
    /// Answers a call that is allowed: at once, or after the token was compared with those of the session in the path.
    func answer(_ call: Call, of endpoint: Endpoint) throws(Problem) -> Reply {
        switch try gate.grant(to: call.request.head, for: endpoint.access) {
        case .everything(let key):
            return try endpoint.answer(key.map { call.with(key: $0) } ?? call)
        case .sessionToken(let hash):
            sessions.find(for: call) { found in
                call.finish { () throws(Problem) in
                    let found = found.mapError { Problem($0) }
                    let (session, role) = try self.gate.check(hash, of: found, for: endpoint.access)
                    return try endpoint.answer(call.with(session, as: role))
                }
            }
            return .later
        }
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
