import DeckJournal
import MicroHTTP

extension SessionTable {
    /// Answers with what the body makes of the session that the path names, now or when it has been loaded.
    func with(
        _ call: Call,
        _ body: @escaping @Sendable (HostedSession) throws(Problem) -> Reply
    ) -> Reply {
        if let session = call.session {
            call.finish { () throws(Problem) in try body(session) }
            return .later
        }
        find(call.parameters[0]) { result in
            call.finish { () throws(Problem) in try body(try result.get()) }
        }
        return .later
    }

    /// Answers with what the body makes of the session that the path names, as it is kept.
    func read(
        _ call: Call,
        _ body: @escaping @Sendable (HostedSession, HostedSession.State) throws(Problem) -> Reply
    ) -> Reply {
        with(call) { session throws(Problem) in
            // What comes later comes on the journal's thread, which is not to write answers.
            let state = session.read(later: { state in
                call.exchange.wake(after: .zero) { _ in
                    call.finish { () throws(Problem) in try body(session, try state.found()) }
                }
            })
            guard let state else { return .later }
            return try body(session, try state.found())
        }
    }

    /// What a look at a session that is watched finds.
    struct Sight: Sendable {
        var session: HostedSession
        var state: HostedSession.State
        /// Whether the watchers are told nothing more.
        var isLast: Bool
    }

    /// Looks at a session that is watched. The body is told nil if there is nothing to be seen until the watchers are
    /// told again.
    ///
    /// - Parameter isLate: whether to wait for what is to be seen.
    func look(
        at session: HostedSession,
        isLate: Bool,
        _ body: @escaping @Sendable (Result<Sight?, Problem>) -> Void
    ) {
        switch session.glance() {
        case .state(let state): return body(.success(Sight(session: session, state: state, isLast: isLate)))
        case .unsettled where !isLate: return body(.success(nil))
        case .unsettled, .gone: break
        }
        // What is gone has ended, or stands in the journal as it was before something that could not be kept.
        find(session.identity.id) { result in
            switch result {
            case .success(let session):
                let tell: CommitQueue.Reader = { state in
                    body(
                        Result { () throws(Problem) in Sight(session: session, state: try state.found(), isLast: true) }
                    )
                }
                if let state = session.read(later: tell) { tell(state) }
            case .failure(let problem): body(.failure(problem))
            }
        }
    }
}
