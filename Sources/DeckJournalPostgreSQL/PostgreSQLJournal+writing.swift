public import DeckJournal

extension PostgreSQLJournal {
    /// Commits a transaction that has written test data, and removed them. A transaction that is only rolled back would wait for no
    /// standby.
    func tryWriting(_ completion: @escaping JournalCompletion<Void>) {
        writer.add(Trial.byteCount, [], isTrial: true, completion) { changes throws(JournalError) in
            try changes.addTrial()
        }
    }

    /// Reserves room for an entry.
    public func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        try writer.queue.reserve(bytes: bytes)
    }

    /// Saves a new session.
    public func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        let sessions = [session.identity.id, session.origin?.session].compactMap { $0.map(Need.session) }
        let counts = [session.identity.owner.map(Need.owner), session.identity.root.map(Need.family)]
        let base = session.cards.map { Need.cardsBase($0.hash) }
        let needs = sessions + (counts + [base]).compactMap(\.self)
        writer.add(session.byteCount, needs, completion) { changes throws(JournalError) in
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
        var needs = [.session(id)] + entry.answers.map { Need.answer(KeyPlace(owner: id, key: $0.key)) }
        if case .replaced(let base) = entry.cards { needs.append(.cardsBase(base.hash)) }
        writer.add(entry.byteCount, needs, completion, using: reservation) { changes throws(JournalError) in
            try changes.append(entry, to: id, after: revision)
        }
    }

    /// Ends a session.
    public func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>) {
        writer.add(0, [.sessionToEnd(id)], completion) { changes throws(JournalError) in
            try changes.end(id, at: revision)
        }
    }

    /// Marks sessions as active.
    public func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        writer.add(0, ids.map(Need.session), completion) { changes in
            for id in ids { changes.touch(id, at: time) }
        }
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
        let keys = [key].compactMap(\.self).map { Need.deckKey(KeyPlace(owner: $0.owner, key: $0.key)) }
        let needs = [.deck(id)] + keys
        writer.add(document.count, needs, completion) { changes throws(JournalError) in
            try changes.putDeck(id, document, if: condition, atMost: maximumCount, once: key)
        }
    }

    /// Removes a deck.
    public func removeDeck(
        _ id: String,
        if condition: DeckCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        writer.add(0, [.deck(id)], completion) { changes throws(JournalError) in
            try changes.removeDeck(id, if: condition)
        }
    }
}
