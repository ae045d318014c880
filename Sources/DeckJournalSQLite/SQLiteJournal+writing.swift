public import DeckJournal

extension SQLiteJournal {
    /// Has a change made.
    ///
    /// - Parameter bytes: what the change carries with it.
    private func write<Value: Sendable>(
        _ bytes: Int,
        _ completion: @escaping JournalCompletion<Value>,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
    ) {
        do throws(JournalError) {
            try writer.inbox.put(WriteJob(completion, body), bytes: bytes)
        } catch {
            completion(.failure(error))
        }
    }

    /// Writes something that means nothing.
    func tryWriting(_ completion: @escaping JournalCompletion<Void>) {
        write(0, completion) { transaction in try transaction.execute(Fence.statement) }
    }

    /// Puts a deck.
    public func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: RevisionCondition,
        atMost maximumCount: Int,
        completion: @escaping JournalCompletion<DeckPutting>
    ) {
        write(document.count, completion) { transaction in
            try transaction.putDeck(id, document, if: condition, atMost: maximumCount)
        }
    }

    /// Removes a deck.
    public func removeDeck(
        _ id: String,
        if condition: RevisionCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        write(0, completion) { try $0.removeDeck(id, if: condition) }
    }

    /// Keeps a new session.
    public func createSession(_ session: NewSession, completion: @escaping JournalCompletion<Void>) {
        write(session.byteCount, completion) { try $0.createSession(session) }
    }

    /// Keeps what a request has changed.
    public func commit(
        _ record: SessionRecord,
        expecting version: Int,
        completion: @escaping JournalCompletion<Void>
    ) {
        write(record.byteCount, completion) { try $0.commit(record, expecting: version) }
    }

    /// Ends a session.
    public func endSession(_ id: String, completion: @escaping JournalCompletion<SessionEnding>) {
        write(0, completion) { try $0.endSession(id) }
    }

    /// Marks sessions as active.
    public func touchSessions(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        write(0, completion) { transaction in
            for id in ids { try transaction.touchSession(id, at: time) }
        }
    }

    /// Ends idle sessions.
    public func expireSessions(
        idleSince time: WallTime,
        limit: Int,
        completion: @escaping JournalCompletion<[String]>
    ) {
        write(0, completion) { try $0.expireSessions(idleSince: time, limit: limit) }
    }

    /// Drops old answers.
    public func purgeAnswers(before time: WallTime, limit: Int, completion: @escaping JournalCompletion<Int>) {
        write(0, completion) { try $0.purgeAnswers(before: time, limit: limit) }
    }
}

extension SessionRecord {
    fileprivate var byteCount: Int {
        var count = snapshot.count + (answer?.body.count ?? 0)
        if case .replaced(let cards) = cards { count += cards.count }
        for line in logLines { count += line.count }
        return count
    }
}

extension NewSession {
    /// About how many bytes it takes while it waits. A verdict is a short row.
    fileprivate var byteCount: Int {
        snapshot.count + (cards?.count ?? 0) + verdicts.count * 100 + logLines.reduce(0) { $0 + $1.count }
    }
}
