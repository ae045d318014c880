public import DeckJournal

extension SQLiteJournal {
    /// Adds a change to the queue.
    ///
    /// - Parameter bytes: the size of its data.
    private func write<Value: Sendable>(
        _ bytes: Int,
        _ completion: @escaping JournalCompletion<Value>,
        using reservation: Reservation? = nil,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
    ) {
        writer.queue.add(WriteJob(completion, body), bytes: bytes, using: reservation, completion)
    }

    /// Writes test data that is as large as most changes: if the disk has room for one page only, changes that need several fail.
    func tryWriting(_ completion: @escaping JournalCompletion<Void>) {
        write(WriteTransaction.trialBytes, completion) { try $0.writeTrial() }
    }

    /// Reserves room for an entry.
    public func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        if let damage = writer.damage { throw damage }
        return try writer.queue.reserve(bytes: bytes)
    }

    /// Saves a new session.
    public func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        write(session.byteCount, completion) { try $0.create(session) }
    }

    /// Appends an entry.
    public func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        write(entry.byteCount, completion, using: reservation) { transaction in
            try transaction.append(entry, to: id, after: revision)
        }
    }

    /// Ends a session.
    public func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>) {
        write(0, completion) { try $0.end(id, at: revision) }
    }

    /// Marks sessions as active.
    public func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        write(0, completion) { transaction in
            for id in ids { try transaction.touch(id, at: time) }
        }
    }

    /// Starts a new generation: the next one, or the one after `former` if that is greater. Every revision, cursor and deck revision
    /// from now on is greater than all of earlier generations.
    func raiseGeneration(above former: Int, completion: @escaping JournalCompletion<Int>) {
        write(0, completion) { try $0.raiseGeneration(above: former) }
    }

    /// Puts a deck.
    public func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        completion: @escaping JournalCompletion<DeckPutResult>
    ) {
        write(document.count, completion) { transaction in
            try transaction.putDeck(id, document, if: condition, atMost: maximumCount, once: key)
        }
    }

    /// Removes a deck.
    public func removeDeck(
        _ id: String,
        if condition: DeckCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        write(0, completion) { try $0.removeDeck(id, if: condition) }
    }
}
