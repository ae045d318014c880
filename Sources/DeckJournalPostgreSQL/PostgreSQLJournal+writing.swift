public import DeckJournal

extension PostgreSQLJournal {
    /// Adds a change to the queue.
    ///
    /// - Parameter bytes: the size of its data.
    private func write<Value: Sendable>(
        _ key: String,
        _ bytes: Int,
        _ needs: Needs,
        _ completion: @escaping JournalCompletion<Value>,
        using reservation: Reservation? = nil,
        _ body: @escaping @Sendable (inout Changes) throws(JournalError) -> Value
    ) {
        var release: (@Sendable () -> Void)?
        do throws(JournalError) {
            // A reservation that was used before has no room left.
            release = reservation?.take()
            if release == nil { release = try writer.room.reserve(bytes: bytes).take() }
            let job = WriteJob(key: key, needs: needs, release: release ?? {}, completion, body)
            try writer.inbox.put(job, bytes: bytes)
        } catch {
            release?()
            completion(.failure(error))
        }
    }

    /// Begins a transaction that writes, and commits it.
    func tryWriting(_ completion: @escaping JournalCompletion<Void>) {
        write("", 0, Needs(), completion) { _ in }
    }

    /// Reserves room for an entry.
    public func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        guard !writer.inbox.refuses else { throw .closed }
        return try writer.room.reserve(bytes: bytes)
    }

    /// Saves a new session.
    public func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        var needs = Needs()
        needs.sessions = Set([session.identity.id, session.origin?.session].compactMap(\.self))
        needs.owners = Set([session.identity.owner].compactMap(\.self))
        needs.families = Set([session.identity.root].compactMap(\.self))
        write(session.identity.id, session.byteCount, needs, completion) { changes throws(JournalError) in
            try changes.create(session)
        }
    }

    /// Appends an entry.
    public func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        var needs = Needs()
        needs.sessions = [id]
        needs.answers = Set(entry.answers.map { KeyPlace(owner: id, key: $0.key) })
        write(id, entry.byteCount, needs, completion, using: reservation) { changes throws(JournalError) in
            try changes.append(entry, to: id, after: revision)
        }
    }

    /// Ends a session.
    public func end(_ id: String, completion: @escaping JournalCompletion<SessionEnding>) {
        var needs = Needs()
        needs.endedSessions = [id]
        needs.sessions = [id]
        write(id, 0, needs, completion) { $0.end(id) }
    }

    /// Marks sessions as active.
    public func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        var needs = Needs()
        needs.sessions = Set(ids)
        write("", 0, needs, completion) { changes in
            for id in ids { changes.touch(id, at: time) }
        }
    }

    /// Starts a new generation.
    public func raiseGeneration(above former: Int, completion: @escaping JournalCompletion<Int>) {
        write("", 0, Needs(), completion) { changes throws(JournalError) in
            try changes.tally.raiseGeneration(above: former)
        }
    }

    /// Puts a deck.
    public func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: RevisionCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        completion: @escaping JournalCompletion<DeckPutting>
    ) {
        var needs = Needs()
        needs.decks = [id]
        needs.deckKeys = Set([key].compactMap(\.self).map { KeyPlace(owner: $0.owner, key: $0.key) })
        write(id, document.count, needs, completion) { changes throws(JournalError) in
            try changes.putDeck(id, document, if: condition, atMost: maximumCount, once: key)
        }
    }

    /// Removes a deck.
    public func removeDeck(
        _ id: String,
        if condition: RevisionCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        var needs = Needs()
        needs.decks = [id]
        write(id, 0, needs, completion) { changes throws(JournalError) in try changes.removeDeck(id, if: condition) }
    }
}
