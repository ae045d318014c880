import Locking

/// A journal that lasts as long as the process: it completes everything at once, on the caller's thread.
public final class MemoryJournal: Journal {
    struct State {
        var decks = MemoryDecks()
        var sessions = MemorySessions()
        var feed = MemoryFeed()
        var observers: [@Sendable (VerdictCursor) -> Void] = []
        var isClosed = false
    }

    private let state: Lock<State>

    /// Creates a journal that holds nothing.
    ///
    /// - Parameter feedCapacity: how many verdicts the feed keeps, at least 10; beyond that the oldest are forgotten.
    public init(feedCapacity: Int = 1_000_000) {
        var state = State()
        state.feed.capacity = max(feedCapacity, 10)
        self.state = Lock(state)
    }

    /// Does what is asked under the lock, and completes it outside, so that the completion may ask for more.
    private func complete<Value: Sendable>(
        _ completion: JournalCompletion<Value>,
        _ body: (inout State) throws(JournalError) -> Value
    ) {
        let result = state.withLock { state -> Result<Value, JournalError> in
            guard !state.isClosed else { return .failure(.closed) }
            do throws(JournalError) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }
        completion(result)
    }

    /// Counts decks and sessions.
    public func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        complete(completion) { JournalCounts(decks: $0.decks.count, sessions: $0.sessions.count) }
    }

    /// Forgets everything.
    public func close(completion: @escaping JournalCompletion<Void>) {
        state.withLock { state in
            let capacity = state.feed.capacity
            state = State()
            state.feed.capacity = capacity
            state.isClosed = true
        }
        completion(.success(()))
    }
}

extension MemoryJournal {
    /// Puts a deck.
    public func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: RevisionCondition,
        atMost maximumCount: Int,
        completion: @escaping JournalCompletion<DeckPutting>
    ) {
        complete(completion) { state throws(JournalError) in
            try state.decks.put(id, document, if: condition, atMost: maximumCount)
        }
    }

    /// Removes a deck.
    public func removeDeck(
        _ id: String,
        if condition: RevisionCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        complete(completion) { state throws(JournalError) in try state.decks.remove(id, if: condition) }
    }

    /// Finds a deck.
    public func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        complete(completion) { $0.decks.deck(id) }
    }

    /// Lists decks; the cost is that of all there are.
    public func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        complete(completion) { $0.decks.page(after: id, limit: limit) }
    }
}

extension MemoryJournal {
    /// Keeps a new session.
    public func createSession(_ session: NewSession, completion: @escaping JournalCompletion<Void>) {
        completeAndTell(completion) { state throws(JournalError) in
            try state.sessions.create(session)
            return (session.identity.id, session.identity.deck, session.verdicts)
        }
    }

    /// Finds a session; of those that ended long ago it has forgotten that they were.
    public func loadSession(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        complete(completion) { $0.sessions.find(id) }
    }

    /// Keeps what a request has changed.
    public func commit(
        _ record: SessionRecord,
        expecting version: Int,
        completion: @escaping JournalCompletion<Void>
    ) {
        completeAndTell(completion) { state throws(JournalError) in
            let deck = try state.sessions.commit(record, expecting: version)
            return (record.session, deck, record.verdicts)
        }
    }

    /// Completes a change that may have brought verdicts, and tells of those.
    private func completeAndTell(
        _ completion: @escaping JournalCompletion<Void>,
        _ change: (inout State) throws(JournalError) -> (session: String, deck: String?, verdicts: [VerdictRecord])
    ) {
        var told: (observers: [@Sendable (VerdictCursor) -> Void], end: VerdictCursor)?
        complete(completion) { state throws(JournalError) in
            let (session, deck, verdicts) = try change(&state)
            guard !verdicts.isEmpty else { return }
            for verdict in verdicts { state.feed.append(verdict, of: session, deck: deck) }
            told = (state.observers, state.feed.end)
        }
        guard let told else { return }
        for observer in told.observers { observer(told.end) }
    }

    /// Lists sessions.
    public func sessions(
        after place: SessionPlace,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        complete(completion) { $0.sessions.page(after: place, limit: limit) }
    }

    /// Ends a session.
    public func endSession(_ id: String, completion: @escaping JournalCompletion<SessionEnding>) {
        complete(completion) { $0.sessions.end(id) }
    }

    /// Marks sessions as active.
    public func touchSessions(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        complete(completion) { $0.sessions.touch(ids, at: time) }
    }

    /// Ends idle sessions; the cost is that of all there are.
    public func expireSessions(
        idleSince time: WallTime,
        limit: Int,
        completion: @escaping JournalCompletion<[String]>
    ) {
        complete(completion) { $0.sessions.expire(idleSince: time, limit: limit) }
    }

    /// Reads a session's log.
    public func log(
        of session: String,
        from line: Int,
        limit: Int,
        completion: @escaping JournalCompletion<[[UInt8]]>
    ) {
        complete(completion) { $0.sessions.log(of: session, from: line, limit: limit) }
    }

    /// Reads a session's verdicts.
    public func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<[VerdictRecord]>
    ) {
        complete(completion) { $0.sessions.standingVerdicts(of: session, after: number, limit: limit) }
    }
}

extension MemoryJournal {
    /// Reads the feed, as far back as it is kept.
    public func verdicts(
        after cursor: VerdictCursor,
        deck: String?,
        limit: Int,
        completion: @escaping JournalCompletion<VerdictPage>
    ) {
        complete(completion) { $0.feed.page(after: cursor, deck: deck, limit: limit) }
    }

    /// Adds an observer, which is called on the thread of the commit.
    public func onNewVerdicts(_ observer: @escaping @Sendable (VerdictCursor) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Finds an answer.
    public func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        complete(completion) { $0.sessions.answer(of: session, key: key) }
    }

    /// Drops old answers.
    public func purgeAnswers(before time: WallTime, limit: Int, completion: @escaping JournalCompletion<Int>) {
        complete(completion) { $0.sessions.purgeAnswers(before: time, limit: limit) }
    }
}
