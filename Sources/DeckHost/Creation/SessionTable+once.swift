internal import DeckJournal

extension SessionTable {
    /// Creates a session, and passes the result on.
    typealias Creation =
        @Sendable (SessionBirth, _ finish: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void) -> Void

    /// Creates a session, or finds the one that an earlier request with the same key has created.
    ///
    /// - Parameters:
    ///   - key: the request's key; nil: every request creates a session.
    ///   - origin: the session whose database must have the new one; nil: any database may.
    ///   - completion: gets the result.
    ///   - create: is called again if another process has created a session with the key in the meantime and that session is not
    ///     found, or if the generation of the journal has grown.
    func once(
        _ key: CreationKey?,
        beside origin: String? = nil,
        _ completion: @escaping @Sendable (Result<CreationResult, HostError>) -> Void,
        create: @escaping Creation
    ) {
        let home = origin.map { journal.database(of: $0) }
        let isPossible: IDCondition = { [journal] id in home.map { $0 == journal.database(of: id) } ?? true }
        guard let key else { return create(SessionBirth(where: isPossible)) { completion($0.map { .created($0) }) } }
        let text = key.key.key
        guard keysInUse.take(text, in: key.scope) else { return completion(.failure(.keyInUse(text))) }
        let finish: @Sendable (Result<CreationResult, HostError>) -> Void = { [keysInUse] result in
            keysInUse.release(text, in: key.scope)
            completion(result)
        }
        once(key, where: isPossible, attemptsLeft: Self.attempts, finish, create)
    }

    private func once(
        _ key: CreationKey,
        where isPossible: @escaping IDCondition,
        attemptsLeft: Int,
        _ finish: @escaping @Sendable (Result<CreationResult, HostError>) -> Void,
        _ create: @escaping Creation
    ) {
        let now = WallTime.now()
        let ids = key.ids(at: now, where: isPossible)
        lookUp(key, in: ids[...]) { [self] found in
            switch found {
            case .success(let former?): finish(.success(former))
            case .failure(let error): finish(.failure(error))
            case .success(nil):
                create(SessionBirth(key, id: ids[0], in: journal.generation(for: ids[0]))) { [self] result in
                    if case .failure(.journal(.conflict)) = result, attemptsLeft > 1 {
                        return once(key, where: isPossible, attemptsLeft: attemptsLeft - 1, finish, create)
                    }
                    finish(result.map { .created($0) })
                }
            }
        }
    }

    /// Finds the session that a key has created among the ids that it can have.
    ///
    /// - Parameter completion: gets nil if there is none, or if its key does not count any more; fails with `ended` if the
    ///   session has ended.
    private func lookUp(
        _ key: CreationKey,
        in ids: ArraySlice<String>,
        _ completion: @escaping @Sendable (Result<CreationResult?, HostError>) -> Void
    ) {
        guard let id = ids.first else { return completion(.success(nil)) }
        journal.load(id) { [self] found in
            switch found {
            case .failure(.notFound): lookUp(key, in: ids.dropFirst(), completion)
            case .failure(let error): completion(.failure(error))
            case .success(let stored):
                journal.outcome(of: id, under: key.keyInSession) { [self] result in
                    switch result {
                    case .failure(.keyReused): completion(.failure(.keyReused(key.key.key)))
                    case .failure(let error): completion(.failure(error))
                    case .success(nil): lookUp(key, in: ids.dropFirst(), completion)
                    case .success(let saved?):
                        completion(
                            Result { () throws(HostError) in
                                let (derived, outcome) = try key.tokens(ofSaved: saved)
                                return .createdBefore(id: id, derived.of(stored.identity), outcome: outcome)
                            }
                        )
                    }
                }
            }
        }
    }
}
