internal import DeckJournal
internal import Locking

// Other processes may change the session in a journal that is shared.
extension HostedSession {
    /// The last time at which this was known to be the latest version.
    var knownAt: ContinuousClock.Instant {
        inside.withLock { $0.knownAt }
    }

    /// The last entry that is known to be committed.
    var head: LedgerHead {
        inside.withLock { $0.commits.head }
    }

    /// The revision after the last entry that is known to be committed.
    var revision: Revision {
        head.revision
    }

    /// Takes note of the latest revision in the journal.
    ///
    /// - Returns: whether the session is behind it; false while an append is in flight, whose revision it may be. After the append,
    ///   `leaveIfOutdated` decides.
    func noteLatest(_ revision: Revision) -> Bool {
        inside.withLock { $0.noteLatest(revision) }
    }

    /// Compares the session with its head in the journal.
    ///
    /// - Parameter completion: gets `contended` if it is not the latest version or has ended. Then it has left memory.
    func compare(_ completion: @escaping @Sendable (Result<Void, HostError>) -> Void) {
        let (start, former) = (ContinuousClock.now, head)
        journal.heads(of: [identity.id]) { [self] result in
            completion(
                result.flatMap { heads in
                    if let head = heads[identity.id], confirm(head, after: former, at: start) { return .success(()) }
                    retire()
                    return .failure(.contended)
                }
            )
        }
    }

    /// Passes on what was decided without changing the session, if it was the latest version. The commit of a change finds out the
    /// same.
    ///
    /// - Parameters:
    ///   - start: when the request came. Changes that other processes have answered before must be in the session. nil: it is enough
    ///     that no news of them has come.
    ///   - completion: gets `contended` if another process has changed the session.
    func decide<Value: Sendable>(
        _ decision: Result<Value, HostError>,
        since start: ContinuousClock.Instant?,
        _ completion: @escaping @Sendable (Result<Value, HostError>) -> Void
    ) {
        guard let start, decision.dependsOnSession, knownAt < start else { return completion(decision) }
        compare { [self] comparison in
            if case .failure(let error) = comparison { return completion(.failure(error)) }
            // The head can be that of an entry in flight or of another process. The entry's outcome says which.
            let reader: CommitPipeline.Reader = { [self] state in
                completion(state.flatMap { _ in isStale ? .failure(.contended) : decision })
            }
            if let state = read(later: reader) { reader(state) }
        }
    }

    /// Compares the session with its head, which was read after a time.
    ///
    /// - Parameter former: the session's head at that time. If the database has an earlier one, or another one of the same revision,
    ///   it has lost commits.
    /// - Returns: whether the session is the latest version.
    func confirm(_ head: LedgerHead, after former: LedgerHead, at time: ContinuousClock.Instant) -> Bool {
        inside.withLock { inside in
            guard head == former || head.revision > former.revision else { return false }
            guard !inside.isStale, !inside.noteLatest(head.revision) else { return false }
            if inside.commits.isIdle { inside.knownAt = max(inside.knownAt, time) }
            return true
        }
    }
}

extension Result where Failure == HostError {
    /// Whether it is a value or an error that the state of a session has led to.
    fileprivate var dependsOnSession: Bool {
        guard case .failure(let error) = self else { return true }
        return switch error {
        case .preconditionFailed, .timeRunsBackwards, .invalid, .notAllowedForPlayers, .tooManyCardBytes: true
        default: false
        }
    }
}

extension HostedSession.Inside {
    /// See ``HostedSession/noteLatest(_:)``.
    fileprivate mutating func noteLatest(_ revision: Revision) -> Bool {
        guard commits.isIdle else {
            latestElsewhere = max(latestElsewhere ?? revision, revision)
            return false
        }
        return commits.revision < revision
    }

    /// Leaves memory if another process has appended to the entry of the append that has ended.
    mutating func leaveIfOutdated() {
        guard commits.isIdle, let latestElsewhere else { return }
        self.latestElsewhere = nil
        if commits.revision < latestElsewhere { isGone = true }
    }
}
