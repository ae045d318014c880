internal import DeckJournal

extension SessionTable {
    /// How often an operation is applied, or a session read, before the host gives up.
    static let attempts = 8

    /// An operation on its way.
    private struct Performance: Sendable {
        var id: String
        var operation: Operation
        var answer: @Sendable (OperationOutcome) -> [UInt8]
        var completion: @Sendable (Result<OperationResult, HostError>) -> Void
        var attemptsLeft = attempts
    }

    /// Applies an operation to a session, and completes when all that its outcome shows is committed.
    ///
    /// If the session leaves memory in the meantime, or the journal has another version of it, the session is loaded
    /// and the operation is applied again. An operation with a key is applied once. Later ones with the key get the
    /// saved answer.
    ///
    /// - Parameters:
    ///   - session: the session, as it was found.
    ///   - answer: makes the bytes that are saved under the operation's key. It must not call the host.
    ///   - completion: runs on any thread, possibly before this returns.
    public func perform(
        _ operation: Operation,
        on session: HostedSession,
        savingAnswer answer: @escaping @Sendable (OperationOutcome) -> [UInt8] = { _ in [] },
        _ completion: @escaping @Sendable (Result<OperationResult, HostError>) -> Void
    ) {
        let id = session.identity.id
        guard let key = operation.key else {
            let performance = Performance(id: id, operation: operation, answer: answer, completion: completion)
            return apply(performance, to: session)
        }
        guard keysInUse.take(key.key, of: id) else { return completion(.failure(.keyInUse(key.key))) }
        let performance = Performance(id: id, operation: operation, answer: answer) { [keysInUse] result in
            // The answer can be found from now on, or there is none.
            keysInUse.release(key.key, of: id)
            completion(result)
        }
        lookUp(key, performance) { [self] in apply(performance, to: session) }
    }

    /// Completes with the answer that was saved under a key, or continues.
    private func lookUp(
        _ key: OperationKey,
        _ performance: Performance,
        orElse body: @escaping @Sendable () -> Void
    ) {
        journal.answer(of: performance.id, key: key.key) { result in
            switch result {
            case .success(let former?) where former.isFresh:
                let isSame = former.fingerprint == key.fingerprint
                guard isSame else { return performance.completion(.failure(.keyReused(key.key))) }
                performance.completion(.success(.answeredBefore(former.outcome)))
            case .success: body()
            case .failure(let error): performance.completion(.failure(error))
            }
        }
    }

    private func apply(_ performance: Performance, to session: HostedSession) {
        session.apply(performance.operation, savingAnswer: performance.answer) { [self] result in
            guard case .failure(let error) = result else {
                performance.completion(result)
                // It could not leave while it was committed.
                return makeRoom(for: performance.id)
            }
            // A change that was not committed must not be visible, so the session is loaded again.
            if session.isStale { drop(session) }
            guard error.callsForAnotherAttempt, performance.attemptsLeft > 1 else {
                return performance.completion(result)
            }
            var next = performance
            next.attemptsLeft -= 1
            // The same request may have changed the session.
            guard error.isConflict, let key = performance.operation.key else { return applyAgain(next) }
            lookUp(key, next) { [self, next] in applyAgain(next) }
        }
    }

    private func applyAgain(_ performance: Performance) {
        find(performance.id) { [self] found in
            switch found {
            case .success(let session): apply(performance, to: session)
            case .failure(let error): performance.completion(.failure(error))
            }
        }
    }
}

extension HostError {
    /// Whether the session changed outside of this stay in memory, and nothing else was wrong.
    var callsForAnotherAttempt: Bool {
        if case .contended = self { return true }
        return isConflict
    }

    /// Whether the journal has a change that memory does not have.
    fileprivate var isConflict: Bool {
        switch self {
        case .journal(.conflict), .journal(.alreadyAnswered): true
        default: false
        }
    }
}

extension AnswerRecord {
    /// Whether the answer still counts.
    fileprivate var isFresh: Bool {
        at.milliseconds > Int64(Timestamp.now().milliseconds - OperationKey.lifetimeMilliseconds)
    }
}
