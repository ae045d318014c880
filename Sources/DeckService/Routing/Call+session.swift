import DeckEngine
import DeckHost
import MicroHTTP

extension Call {
    /// Takes the cost of a frame from the session's account. The request itself was one unit.
    func takeFrameCost(of committed: SessionTable.CommittedSession) throws(Problem) {
        // No commands wait in a session at rest. Its frame costs no more than the request.
        guard committed.state.rest == nil else { return }
        try take(prices.cost(ofFrameOf: committed.state.session) - 1, from: committed.session)
    }

    /// The session at the present moment, which costs as much as a frame.
    func present(_ committed: SessionTable.CommittedSession) throws(Problem) -> DeckSession {
        try takeFrameCost(of: committed)
        return committed.session.present(committed.state)
    }
}

extension SessionTable {
    /// Answers with what the body makes of the session in the path, now or when it has been loaded. The session pays for the
    /// request and its body.
    func with(
        _ call: Call,
        _ body: @escaping @Sendable (HostedSession) throws(Problem) -> Reply
    ) throws(Problem) -> Reply {
        if let session = call.session ?? resident(for: call) {
            try call.takeRequestCost(from: session)
            return try body(session)
        }
        find(for: call) { result in
            call.finish { () throws(Problem) in
                let session = try result.getOrProblem()
                try call.takeRequestCost(from: session)
                return try body(session)
            }
        }
        return .later
    }

    /// The session in the path, if it can be used at once.
    func resident(for call: Call) -> HostedSession? {
        call.plan.asksForLatest ? nil : resident(call.parameters[0])
    }

    /// Finds the session in the path.
    func find(for call: Call, _ body: @escaping @Sendable (Result<HostedSession, HostError>) -> Void) {
        let id = call.parameters[0]
        if call.plan.asksForLatest { findLatest(id, body) } else { find(id, body) }
    }

    /// Answers with what the body makes of the committed state of the session in the path.
    func read(
        _ call: Call,
        _ body: @escaping @Sendable (CommittedSession) throws(Problem) -> Reply
    ) throws(Problem) -> Reply {
        try with(call) { session throws(Problem) in
            if call.isOnWorker, let state = session.readAtOnce() {
                return try body(CommittedSession(of: session, state))
            }
            self.read(session) { result in
                call.finishOnWorker { () throws(Problem) in try body(try result.getOrProblem()) }
            }
            return .later
        }
    }
}
