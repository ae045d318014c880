internal import DeckJournal
internal import Locking
internal import Synchronization

extension SessionTable {
    /// Ends a session.
    ///
    /// - Parameters:
    ///   - condition: the versions that the session may have. If it has another, it does not end.
    ///   - body: runs on any thread, possibly before this returns.
    public func end(
        _ id: String,
        if condition: VersionCondition = .none,
        _ body: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        guard condition != .none else {
            return journal.end(id) { [self] result in
                // If nothing has changed, the session stays here with the changes that are not saved yet.
                if !result.leavesSessionAsItWas { forget(id) }
                body(result)
            }
        }
        end(id, if: condition, attemptsLeft: Self.attempts, body)
    }

    private func end(
        _ id: String,
        if condition: VersionCondition,
        attemptsLeft: Int,
        _ body: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        let again: @Sendable (HostError) -> Void = { [self] error in
            guard error.callsForAnotherAttempt, attemptsLeft > 1 else { return body(.failure(error)) }
            end(id, if: condition, attemptsLeft: attemptsLeft - 1, body)
        }
        find(id) { [self] found in
            guard case .success(let session) = found else { return body(found.map { _ in }) }
            // From here on, callers that look for the session wait until it has ended or is back in the table.
            guard shard(of: id).withLock({ $0.detach(session) }) else { return again(.contended) }
            residents.subtract(1, ordering: .relaxed)
            switch session.close(if: condition) {
            case .closed(let revision):
                endDetached(id, at: revision) { result in
                    if case .failure(let error) = result { again(error) } else { body(result) }
                }
            case .isChanging:
                arrive(session)
                // The readers are called when the change is committed.
                read(session) { sight in
                    if case .failure(let error) = sight { again(error) } else { again(.contended) }
                }
            case .refused(let error):
                arrive(session)
                again(error)
            }
        }
    }

    /// Ends a session that was taken out of the table, if no other process has changed it since the revision.
    private func endDetached(
        _ id: String,
        at revision: Revision,
        _ body: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        journal.end(id, at: revision) { [self] result in
            switch result {
            case .success, .failure(.ended), .failure(.notFound):
                for finder in shard(of: id).withLock({ $0.giveUp(id) }) { finder(.failure(.ended)) }
            // The session continues, or the outcome is unknown.
            case .failure: load(id)
            }
            body(result)
        }
    }
}

extension Result where Success == Void, Failure == HostError {
    /// Whether a session that could not be ended has certainly not changed.
    fileprivate var leavesSessionAsItWas: Bool {
        if case .failure(.journal(.unavailable)) = self { true } else { false }
    }
}

extension HostedSession {
    /// The result of closing a session before it ends.
    enum Closing {
        /// The session can no longer be changed here. It has this revision.
        case closed(Revision)
        /// A commit has started.
        case isChanging
        /// Its version is another, or it must be loaded again.
        case refused(HostError)
    }

    /// Lets no more changes in, if the session has one of the versions of a condition.
    func close(if condition: VersionCondition) -> Closing {
        let (closing, watchers) = inside.withLock { inside -> (Closing, [Watchers.Watcher]) in
            guard !inside.isStale else { return (.refused(.contended), []) }
            guard inside.commits.isIdle else { return (.isChanging, []) }
            do throws(HostError) {
                try condition.check(inside.shown.session, of: self)
            } catch {
                return (.refused(error), [])
            }
            inside.isGone = true
            return (.closed(inside.commits.revision), inside.watchers.all)
        }
        for watcher in watchers { watcher() }
        return closing
    }
}
