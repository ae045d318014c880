import DeckEngine
import DeckHost
import MicroHTTP

extension SessionTable {
    /// Answers with what the body makes of a session at a moment, at once or when its log has been played up to there.
    ///
    /// - Parameter at: nil: now.
    func show(
        _ call: Call,
        _ committed: CommittedSession,
        at: Instant?,
        _ body: @escaping @Sendable (FrameView) -> Reply
    ) throws(Problem) -> Reply {
        let (session, state) = (committed.session, committed.state)
        guard let at, try past.checkIsPast(at, in: committed) else {
            let time = at ?? session.now(of: state.session)
            return body(FrameView(session, state, at: time))
        }
        past.read(of: session, state, at: [at], paying: call.payment(from: session)) { result in
            call.finish { () throws(Problem) in
                guard let past = try result.getOrProblem().first else {
                    throw Problem(.notFound, "No frame is available.")
                }
                return body(FrameView(past: past.state, at: at))
            }
        }
        return .later
    }
}
