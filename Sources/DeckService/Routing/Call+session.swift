import DeckHost
import MicroHTTP

extension SessionTable {
    /// Answers with what the body makes of the session in the path, now or when it has been loaded. The session pays for the
    /// request and its body.
    func with(
        _ call: Call,
        _ body: @escaping @Sendable (HostedSession) throws(Problem) -> Reply
    ) -> Reply {
        let find: @Sendable (Result<HostedSession, HostError>) -> Void = { result in
            call.finish { () throws(Problem) in
                let session = try result.found()
                try call.charge(1 + call.prices.cost(ofBytes: call.request.body.count), to: session)
                return try body(session)
            }
        }
        if let session = call.session { find(.success(session)) } else { self.find(for: call, find) }
        return .later
    }

    /// Finds the session in the path.
    func find(for call: Call, _ body: @escaping @Sendable (Result<HostedSession, HostError>) -> Void) {
        let id = call.parameters[0]
        if call.request.head.asksForLatest { findLatest(id, body) } else { find(id, body) }
    }

    /// Answers with what the body makes of the committed state of the session in the path.
    func read(_ call: Call, _ body: @escaping @Sendable (Sight) throws(Problem) -> Reply) -> Reply {
        with(call) { session throws(Problem) in
            self.read(session) { result in
                call.finishOnWorker { () throws(Problem) in try body(try result.found()) }
            }
            return .later
        }
    }
}
