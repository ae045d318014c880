internal import DeckJournal

/// The host's only access to the journal. It converts the journal's errors to the host's.
struct SessionJournal: Sendable {
    private let journal: any Journal

    init(_ journal: any Journal) {
        self.journal = journal
    }

    /// How many sessions there are.
    func sessionCount(_ body: @escaping @Sendable (Result<Int, HostError>) -> Void) {
        journal.counts { result in body(result.map(\.sessions).mapError { .journal($0) }) }
    }

    /// Saves a new session.
    func create(_ session: NewSession, _ body: @escaping @Sendable (Result<Void, HostError>) -> Void) {
        journal.createSession(session) { result in body(result.mapError { .journal($0) }) }
    }

    /// Loads a session; fails with `ended` or `notFound` if there is none.
    func load(_ id: String, _ body: @escaping @Sendable (Result<StoredSession, HostError>) -> Void) {
        journal.loadSession(id) { result in
            switch result {
            case .success(.session(let stored)): body(.success(stored))
            case .success(.ended): body(.failure(.ended))
            case .success(.unknown): body(.failure(.notFound))
            case .failure(let error): body(.failure(.journal(error)))
            }
        }
    }

    /// Saves what a request has changed. Records of one session must come in the order of their versions.
    func commit(
        _ record: SessionRecord,
        expecting version: Int,
        _ body: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        journal.commit(record, expecting: version) { result in body(result.mapError { .journal($0) }) }
    }

    /// Ends a session; fails with `ended` or `notFound` if there is none.
    func end(_ id: String, _ body: @escaping @Sendable (Result<Void, HostError>) -> Void) {
        journal.endSession(id) { result in
            switch result {
            case .success(.ended): body(.success(()))
            case .success(.hadEnded): body(.failure(.ended))
            case .success(.unknown): body(.failure(.notFound))
            case .failure(let error): body(.failure(.journal(error)))
            }
        }
    }

    /// Marks sessions as used.
    func touch(
        _ ids: [String],
        at time: Timestamp,
        _ body: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        journal.touchSessions(ids, at: WallTime(time)) { result in body(result.mapError { .journal($0) }) }
    }

    /// Ends sessions that were last used before a time, and says which.
    func expire(
        idleSince time: Timestamp,
        limit: Int,
        _ body: @escaping @Sendable (Result<[String], HostError>) -> Void
    ) {
        journal.expireSessions(idleSince: WallTime(time), limit: limit) { result in
            body(result.mapError { .journal($0) })
        }
    }

    /// The verdicts of a session that stand.
    func standingVerdicts(
        of id: String,
        _ body: @escaping @Sendable (Result<[VerdictRecord], HostError>) -> Void
    ) {
        journal.standingVerdicts(of: id, after: 0, limit: .max) { result in body(result.mapError { .journal($0) }) }
    }

    /// The answer that was saved for an idempotency key.
    func answer(
        of id: String,
        key: String,
        _ body: @escaping @Sendable (Result<AnswerRecord?, HostError>) -> Void
    ) {
        journal.answer(of: id, key: key) { result in body(result.mapError { .journal($0) }) }
    }

    /// Removes answers from before a time.
    func purgeAnswers(before time: Timestamp, limit: Int) {
        journal.purgeAnswers(before: WallTime(time), limit: limit) { _ in }
    }

    /// How many lines of a log are read at a time, so that others need not wait until a long one is read.
    private static let linesAtATime = 1000

    /// Reads lines of a session's log that are known to be there, in order.
    ///
    /// - Parameter body: gets `ended` if the session has ended in the meantime. It may run before this returns.
    func lines(
        of id: String,
        _ range: Range<Int>,
        after former: [[UInt8]] = [],
        _ body: @escaping @Sendable (Result<[[UInt8]], HostError>) -> Void
    ) {
        guard !range.isEmpty else { return body(.success(former)) }
        let count = min(range.count, Self.linesAtATime)
        journal.log(of: id, from: range.lowerBound, limit: count) { result in
            switch result {
            case .failure(let error): body(.failure(.journal(error)))
            case .success(let lines) where lines.count < count: body(.failure(.ended))
            case .success(let lines): self.lines(of: id, range.dropFirst(count), after: former + lines, body)
            }
        }
    }
}

extension AnswerRecord {
    /// The answer that is saved under a key. The journal's format has a status, which is not used.
    init(_ answer: [UInt8], for key: OperationKey, at time: Timestamp) {
        self.init(key: key.key, fingerprint: key.fingerprint, status: 200, body: answer, at: WallTime(time))
    }
}
