internal import DeckJournal

extension SessionTable {
    /// Ends a session.
    ///
    /// - Parameters:
    ///   - condition: the versions that the session may have. If it has another, it does not end.
    ///   - completion: runs on any thread, possibly before this returns.
    public func end(
        _ id: String,
        if condition: VersionCondition = .none,
        _ completion: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        if condition == .none {
            endInJournal(id, at: nil, completion)
        } else {
            end(id, if: condition, since: requiredCurrency, attemptsLeft: Self.attempts, completion)
        }
    }

    private func end(
        _ id: String,
        if condition: VersionCondition,
        since start: ContinuousClock.Instant?,
        attemptsLeft: Int,
        _ completion: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        let again: @Sendable (HostError) -> Void = { [self] error in
            guard error.meansSessionChanged, attemptsLeft > 1 else { return completion(.failure(error)) }
            end(id, if: condition, since: start, attemptsLeft: attemptsLeft - 1, completion)
        }
        find(id) { [self] found in
            guard case .success(let session) = found else { return completion(found.map { _ in }) }
            switch session.hold(if: condition, orAfterwards: { again(.contended) }) {
            case .held(let revision):
                endInJournal(id, at: revision) { result in
                    session.release()
                    if case .failure(let error) = result { again(error) } else { completion(result) }
                }
            case .waits: break
            case .refused(let error):
                session.decide(.failure(error), since: start) { (result: Result<Void, HostError>) in
                    if case .failure(let error) = result { again(error) }
                }
            }
        }
    }

    /// Ends a session in the journal.
    ///
    /// - Parameter revision: the revision that it must have there; nil: any.
    private func endInJournal(
        _ id: String,
        at revision: Revision?,
        _ completion: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        journal.end(id, at: revision) { [self] result in
            // If nothing has changed, the session stays here with the changes that are not saved yet.
            if !result.leavesSessionAsItWas { forget(id) }
            completion(result)
        }
    }
}

extension Result where Success == Void, Failure == HostError {
    /// Whether a session that could not be ended has certainly not changed.
    fileprivate var leavesSessionAsItWas: Bool {
        if case .failure(.journal(.unavailable)) = self { true } else { false }
    }
}
