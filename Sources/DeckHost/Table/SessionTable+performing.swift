internal import DeckJournal
internal import Synchronization

extension SessionTable {
    /// How often an operation is applied, or a session read, before the host gives up.
    static let attempts = 8

    /// An operation that has no outcome yet.
    private final class PendingOperation: Sendable {
        let id: String
        let operation: Operation
        /// See ``requiredCurrency``.
        let start: ContinuousClock.Instant?
        let save: @Sendable (OperationOutcome) -> [UInt8]
        let completion: @Sendable (Result<OperationResult, HostError>) -> Void

        init(
            _ operation: Operation,
            on id: String,
            since start: ContinuousClock.Instant?,
            _ save: @escaping @Sendable (OperationOutcome) -> [UInt8],
            _ completion: @escaping @Sendable (Result<OperationResult, HostError>) -> Void
        ) {
            self.id = id
            self.operation = operation
            self.start = start
            self.save = save
            self.completion = completion
        }
    }

    /// Applies an operation that is complete at once: it moves a finger, and nothing is in progress. This costs less than
    /// ``perform(_:on:savingOutcome:_:)``.
    ///
    /// - Returns: nil if it is no such operation. It was not applied then, and must be performed.
    public func performAtOnce(
        _ operation: Operation,
        on session: HostedSession
    ) -> Result<OperationOutcome, HostError>? {
        guard operation.playerError == nil, let result = session.applyAtOnce(operation) else { return nil }
        makeRoom(for: session.identity.id)
        return result
    }

    /// Applies an operation to a session, and completes when all that its outcome shows is committed.
    ///
    /// If the session leaves memory in the meantime, or the journal has another version of it, the session is loaded
    /// and the operation is applied again. An operation with a key is applied once. Later ones with the key get the
    /// saved outcome.
    ///
    /// - Parameters:
    ///   - session: the session, as it was found.
    ///   - save: makes the bytes that are saved as the outcome under the operation's key. It must not call the host. nil: they
    ///     are empty.
    ///   - completion: runs on any thread, possibly before this returns.
    public func perform(
        _ operation: Operation,
        on session: HostedSession,
        savingOutcome save: (@Sendable (OperationOutcome) -> [UInt8])? = nil,
        _ completion: @escaping @Sendable (Result<OperationResult, HostError>) -> Void
    ) {
        let id = session.identity.id
        let save = save ?? Self.savingNothing
        if let error = operation.playerError { return completion(.failure(error)) }
        let start = requiredCurrency
        guard let key = operation.key else {
            return apply(
                PendingOperation(operation, on: id, since: start, save, completion),
                to: session,
                attemptsLeft: Self.attempts
            )
        }
        guard keysInUse.take(key.key, in: id) else { return completion(.failure(.keyInUse(key.key))) }
        let pending = PendingOperation(operation, on: id, since: start, save) { [keysInUse] result in
            // The outcome can be found from now on, or there is none.
            keysInUse.release(key.key, in: id)
            completion(result)
        }
        lookUp(pending, in: session, attemptsLeft: Self.attempts)
    }

    private static let savingNothing: @Sendable (OperationOutcome) -> [UInt8] = { _ in [] }

    /// Completes with the outcome that was saved under the operation's key, or applies the operation.
    private func lookUp(_ pending: PendingOperation, in session: HostedSession, attemptsLeft: Int) {
        guard let key = pending.operation.key, session.mayHaveAnswered(key.key) else {
            return apply(pending, to: session, attemptsLeft: attemptsLeft)
        }
        journal.outcome(of: pending.id, under: key) { [self] result in
            switch result {
            case .success(let outcome?): pending.completion(.success(.appliedBefore(outcome)))
            case .success(nil): apply(pending, to: session, attemptsLeft: attemptsLeft)
            case .failure(let error): pending.completion(.failure(error))
            }
        }
    }

    private func apply(_ pending: PendingOperation, to session: HostedSession, attemptsLeft: Int) {
        session.apply(pending.operation, since: pending.start, savingOutcome: pending.save) { [self] result in
            guard case .failure(let error) = result else {
                pending.completion(result)
                // It could not leave while it was committed.
                return makeRoom(for: pending.id)
            }
            // A change that was not committed must not be visible, so the session is loaded again.
            if session.isStale { drop(session) }
            if case .journal(.conflict) = error { conflicts.add(1, ordering: .relaxed) }
            guard error.meansSessionChanged, attemptsLeft > 1 else { return pending.completion(result) }
            reapplications.add(1, ordering: .relaxed)
            find(pending.id) { [self] found in
                switch found {
                // The same request may have changed the session in the meantime.
                case .success(let session): lookUp(pending, in: session, attemptsLeft: attemptsLeft - 1)
                case .failure(let error): pending.completion(.failure(error))
                }
            }
        }
    }
}

extension HostError {
    /// Whether the session changed outside of this stay in memory, and nothing else was wrong.
    var meansSessionChanged: Bool {
        switch self {
        case .contended, .journal(.conflict), .journal(.alreadyAnswered): true
        default: false
        }
    }
}
