import DeckJournal

/// A journal that has another one do whatever it does not do itself.
protocol ForwardingJournal: Journal {
    var inner: any Journal { get }
}

extension ForwardingJournal {
    func counts(completion: @escaping JournalCompletion<JournalCounts>) { inner.counts(completion: completion) }

    func check(completion: @escaping JournalCompletion<Void>) { inner.check(completion: completion) }

    func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) { inner.onWrite(observer) }

    func close(completion: @escaping JournalCompletion<Void>) { inner.close(completion: completion) }

    func createSession(_ session: NewSession, completion: @escaping JournalCompletion<Void>) {
        inner.createSession(session, completion: completion)
    }

    func loadSession(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        inner.loadSession(id, completion: completion)
    }

    func sessions(after place: SessionPlace, limit: Int, completion: @escaping JournalCompletion<SessionPage>) {
        inner.sessions(after: place, limit: limit, completion: completion)
    }

    func commit(_ record: SessionRecord, expecting version: Int, completion: @escaping JournalCompletion<Void>) {
        inner.commit(record, expecting: version, completion: completion)
    }

    func endSession(_ id: String, completion: @escaping JournalCompletion<SessionEnding>) {
        inner.endSession(id, completion: completion)
    }

    func touchSessions(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        inner.touchSessions(ids, at: time, completion: completion)
    }

    func expireSessions(idleSince time: WallTime, limit: Int, completion: @escaping JournalCompletion<[String]>) {
        inner.expireSessions(idleSince: time, limit: limit, completion: completion)
    }

    func log(of session: String, from line: Int, limit: Int, completion: @escaping JournalCompletion<[[UInt8]]>) {
        inner.log(of: session, from: line, limit: limit, completion: completion)
    }

    func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<[VerdictRecord]>
    ) {
        inner.standingVerdicts(of: session, after: number, limit: limit, completion: completion)
    }

    func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: RevisionCondition,
        atMost maximumCount: Int,
        completion: @escaping JournalCompletion<DeckPutting>
    ) {
        inner.putDeck(id, document, if: condition, atMost: maximumCount, completion: completion)
    }

    func removeDeck(_ id: String, if condition: RevisionCondition, completion: @escaping JournalCompletion<Bool>) {
        inner.removeDeck(id, if: condition, completion: completion)
    }

    func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        inner.deck(id, completion: completion)
    }

    func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        inner.decks(after: id, limit: limit, completion: completion)
    }

    func verdicts(
        after cursor: VerdictCursor,
        deck: String?,
        limit: Int,
        completion: @escaping JournalCompletion<VerdictPage>
    ) {
        inner.verdicts(after: cursor, deck: deck, limit: limit, completion: completion)
    }

    func onNewVerdicts(_ observer: @escaping @Sendable (VerdictCursor) -> Void) { inner.onNewVerdicts(observer) }

    func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        inner.answer(of: session, key: key, completion: completion)
    }

    func purgeAnswers(before time: WallTime, limit: Int, completion: @escaping JournalCompletion<Int>) {
        inner.purgeAnswers(before: time, limit: limit, completion: completion)
    }
}
