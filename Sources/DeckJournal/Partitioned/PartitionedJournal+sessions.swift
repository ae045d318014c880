extension PartitionedJournal {
    /// Saves a new session.
    public func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        let home = database(of: session.identity.id)
        let others = databases.indices.filter { $0 != home }
        var reduced = session
        reduced.limit = session.limit.map { limit in
            max(limit - others.reduce(0) { $0 + databases[$1].statistics.sessions }, 0)
        }
        let create: @Sendable (NewSession) -> Void = { [databases] reduced in
            databases[home].create(reduced) { completion($0.mapError { $0.withLimits(of: session) }) }
        }
        guard let limit = session.ownerLimit, let owner = session.identity.owner, !others.isEmpty else {
            return create(reduced)
        }
        let known = reduced
        let gathering = Gathering<Int>(others.count) { results in
            var reduced = known
            // A database that cannot be read counts as empty, so that it does not affect the others.
            let count = results.reduce(0) { $0 + ((try? $1.get()) ?? 0) }
            reduced.ownerLimit = max(limit - count, 0)
            create(reduced)
        }
        for (index, other) in others.enumerated() {
            databases[other].sessionCount(ofOwner: owner, completion: gathering.result(index))
        }
    }

    /// Loads a session.
    public func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        home(of: id).load(id, completion: completion)
    }

    /// The heads of sessions.
    public func heads(of ids: [String], completion: @escaping JournalCompletion<[String: LedgerHead]>) {
        inHomes(of: ids, { heads in completion(heads.map { $0.reduce(into: [:]) { $0.merge($1) { $1 } } }) }) {
            database,
            ids,
            done in database.heads(of: ids, completion: done)
        }
    }

    /// Makes a call in each database that has some of the sessions.
    private func inHomes<Value: Sendable>(
        of ids: [String],
        _ completion: @escaping JournalCompletion<[Value]>,
        _ call: (any Journal, [String], @escaping JournalCompletion<Value>) -> Void
    ) {
        let idsByHome = Dictionary(grouping: ids) { database(of: $0) }
        guard !idsByHome.isEmpty else { return completion(.success([])) }
        let gathering = Gathering<Value>(idsByHome.count) { completion($0.all()) }
        for (index, (home, ids)) in idsByHome.enumerated() { call(databases[home], ids, gathering.result(index)) }
    }

    /// Reserves room in the queue of a session's database.
    public func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        try home(of: id).reserve(bytes: bytes, for: id)
    }

    /// Appends an entry.
    public func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        home(of: id).append(entry, to: id, after: revision, using: reservation, completion: completion)
    }

    /// Ends a session.
    public func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>) {
        home(of: id).end(id, at: revision, completion: completion)
    }

    /// Marks sessions as active. If it fails, some of them may be marked.
    public func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        inHomes(of: ids, { completion($0.map { _ in }) }) { database, ids, done in
            database.touch(ids, at: time, completion: done)
        }
    }

    /// Adds an observer of all databases.
    public func follow(_ observer: @escaping @Sendable (JournalNews) -> Void) {
        for (number, database) in databases.enumerated() {
            database.follow { news in
                if case .interrupted = news { observer(.interrupted(database: number)) } else { observer(news) }
            }
        }
    }

    /// Asks for previews of a session.
    public func requestPreview(of id: String, _ request: UInt64) {
        home(of: id).requestPreview(of: id, request)
    }

    /// Sends a preview of a session.
    public func send(_ preview: SessionPreview, of id: String) {
        home(of: id).send(preview, of: id)
    }

    /// How far the changes in a database are known.
    public func newsCoverage(of database: Int) -> NewsCoverage? {
        databases[database].newsCoverage(of: 0)
    }

    /// Counts an owner's sessions.
    public func sessionCount(ofOwner owner: String, completion: @escaping JournalCompletion<Int>) {
        inAll({ completion($0.map { $0.reduce(0, +) }) }) { database, _, done in
            database.sessionCount(ofOwner: owner, completion: done)
        }
    }

    /// Reads a session's log.
    public func log(
        of session: String,
        from line: Int,
        limit: Int,
        completion: @escaping JournalCompletion<LogPage>
    ) {
        home(of: session).log(of: session, from: line, limit: limit, completion: completion)
    }

    /// Reads a session's verdicts.
    public func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    ) {
        home(of: session).standingVerdicts(of: session, after: number, limit: limit, completion: completion)
    }

    /// Finds an answer.
    public func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        home(of: session).answer(of: session, key: key, completion: completion)
    }
}

extension JournalError {
    /// The error with the limits of the request. A database is asked with what the sessions of the others leave of them.
    fileprivate func withLimits(of session: NewSession) -> JournalError {
        switch self {
        case .full(let limit): .full(limit: session.limit ?? limit)
        case .ownerFull(let limit): .ownerFull(limit: session.ownerLimit ?? limit)
        default: self
        }
    }
}
