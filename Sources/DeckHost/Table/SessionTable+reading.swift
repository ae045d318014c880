public import DeckJournal

extension SessionTable {
    /// A session with its committed state.
    public struct CommittedSession: Sendable {
        /// The session in memory.
        public let session: HostedSession
        /// Its committed state.
        public let state: HostedSession.State

        /// A session with its state.
        public init(of session: HostedSession, _ state: HostedSession.State) {
            self.session = session
            self.state = state
        }
    }

    /// Reads the committed state of a session. If the session leaves memory in the meantime, it is loaded again.
    ///
    /// - Parameter completion: runs on any thread, possibly before this returns.
    public func read(
        _ session: HostedSession,
        _ completion: @escaping @Sendable (Result<CommittedSession, HostError>) -> Void
    ) {
        read(session, attemptsLeft: Self.attempts, completion)
    }

    private func read(
        _ session: HostedSession,
        attemptsLeft: Int,
        _ completion: @escaping @Sendable (Result<CommittedSession, HostError>) -> Void
    ) {
        let reader: CommitPipeline.Reader = { [self] result in
            switch result {
            case .failure(let error) where error.meansSessionChanged && attemptsLeft > 1:
                findAgain(session, orElse: completion) { self.read($0, attemptsLeft: attemptsLeft - 1, completion) }
            default: completion(result.map { CommittedSession(of: session, $0) })
            }
        }
        if let state = session.read(later: reader) { reader(state) }
    }

    /// Looks at a session that is watched.
    ///
    /// - Parameters:
    ///   - mustAnswer: whether the reader's time is over. Then it gets a state, if necessary when the next one is visible.
    ///   - completion: gets the state, and whether the reader must take it: its time is over, or its watcher is not notified any
    ///     more. Gets nil if nothing is visible until the watchers are notified again.
    public func look(
        at session: HostedSession,
        mustAnswer: Bool,
        _ completion: @escaping @Sendable (Result<(state: HostedSession.State, isLast: Bool)?, HostError>) -> Void
    ) {
        switch session.glance() {
        case .state(let state): return completion(.success((state, isLast: mustAnswer)))
        case .unsettled where !mustAnswer: return completion(.success(nil))
        case .unsettled, .gone, .failed: break
        }
        // A session that is gone has ended, or must be loaded again after a failed commit.
        find(session.identity.id) { [self] result in
            switch result {
            case .success(let session):
                read(session) { committed in
                    completion(committed.map { ($0.state, isLast: true) })
                }
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    /// Pins a session in memory while the body runs, so that the body can watch it. If it has left memory it is loaded
    /// again.
    public func pin(_ session: HostedSession, _ body: @escaping @Sendable (Result<HostedSession, HostError>) -> Void) {
        pin(session, attemptsLeft: Self.attempts, body)
    }

    private func pin(
        _ session: HostedSession,
        attemptsLeft: Int,
        _ body: @escaping @Sendable (Result<HostedSession, HostError>) -> Void
    ) {
        if let watcher = session.watch({}) {
            body(.success(session))
            return session.unwatch(watcher)
        }
        guard attemptsLeft > 1 else { return body(.failure(.contended)) }
        findAgain(session, orElse: body) { [self] in pin($0, attemptsLeft: attemptsLeft - 1, body) }
    }

    /// Drops a session that must be loaded again, and finds it.
    ///
    /// - Parameter completion: gets the error if there is no such session any more.
    private func findAgain<Value>(
        _ session: HostedSession,
        orElse completion: @escaping @Sendable (Result<Value, HostError>) -> Void,
        _ next: @escaping @Sendable (HostedSession) -> Void
    ) {
        drop(session)
        find(session.identity.id) { found in
            switch found {
            case .success(let session): next(session)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    /// Reads lines of a session's log as of a state, without line feeds. Fails with `logForgotten` if some were removed because
    /// of their age.
    ///
    /// - Parameter range: the lines, of those that the log has.
    public func logLines(
        of session: HostedSession,
        _ log: SessionLog,
        in range: Range<Int>,
        _ completion: @escaping @Sendable (Result<[[UInt8]], HostError>) -> Void
    ) {
        RecordedLog(of: session.identity.id, log, in: journal).lines(range, completion)
    }

    /// Reads the lines that are left of a session's log as of a state, without line feeds. The page can begin after the line
    /// from which it is asked for, if lines were removed because of their age, and can have fewer lines than there are.
    ///
    /// - Parameters:
    ///   - line: one of the lines that the log has, or their number.
    ///   - limit: how many lines the page has at most.
    public func logPage(
        of session: HostedSession,
        _ log: SessionLog,
        from line: Int,
        limit: Int,
        _ completion: @escaping @Sendable (Result<LogPage, HostError>) -> Void
    ) {
        RecordedLog(of: session.identity.id, log, in: journal).page(from: line, limit: limit, completion)
    }
}
