package import DeckJournal

/// A journal that has another one do whatever it does not do itself.
package protocol ForwardingJournal: Journal {
    var inner: any Journal { get }
}

extension ForwardingJournal {
    package func counts(completion: @escaping JournalCompletion<JournalCounts>) { inner.counts(completion: completion) }

    package func check(completion: @escaping JournalCompletion<Void>) { inner.check(completion: completion) }

    package func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) { inner.onWrite(observer) }

    package func close(completion: @escaping JournalCompletion<Void>) { inner.close(completion: completion) }

    package func createSession(_ session: NewSession, completion: @escaping JournalCompletion<Void>) {
        inner.createSession(session, completion: completion)
    }

    package func loadSession(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        inner.loadSession(id, completion: completion)
    }

    package func sessions(after place: SessionPlace, limit: Int, completion: @escaping JournalCompletion<SessionPage>) {
        inner.sessions(after: place, limit: limit, completion: completion)
    }

    package func commit(_ record: SessionRecord, expecting version: Int, completion: @escaping JournalCompletion<Void>)
    {
        inner.commit(record, expecting: version, completion: completion)
    }

    package func endSession(_ id: String, completion: @escaping JournalCompletion<SessionEnding>) {
        inner.endSession(id, completion: completion)
    }

    package func touchSessions(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        inner.touchSessions(ids, at: time, completion: completion)
    }

    package func expireSessions(idleSince time: WallTime, limit: Int, completion: @escaping JournalCompletion<[String]>)
    {
        inner.expireSessions(idleSince: time, limit: limit, completion: completion)
    }

    package func log(of session: String, from line: Int, limit: Int, completion: @escaping JournalCompletion<[[UInt8]]>)
    {
        inner.log(of: session, from: line, limit: limit, completion: completion)
    }

    package func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<[VerdictRecord]>
    ) {
        inner.standingVerdicts(of: session, after: number, limit: limit, completion: completion)
    }

    package func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: RevisionCondition,
        atMost maximumCount: Int,
        completion: @escaping JournalCompletion<DeckPutting>
    ) {
        inner.putDeck(id, document, if: condition, atMost: maximumCount, completion: completion)
    }

    package func removeDeck(
        _ id: String,
        if condition: RevisionCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        inner.removeDeck(id, if: condition, completion: completion)
    }

    package func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        inner.deck(id, completion: completion)
    }

    package func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        inner.decks(after: id, limit: limit, completion: completion)
    }

    package func verdicts(
        after cursor: VerdictCursor,
        deck: String?,
        limit: Int,
        completion: @escaping JournalCompletion<VerdictPage>
    ) {
        inner.verdicts(after: cursor, deck: deck, limit: limit, completion: completion)
    }

    package func onNewVerdicts(_ observer: @escaping @Sendable (VerdictCursor) -> Void) {
        inner.onNewVerdicts(observer)
    }

    package func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        inner.answer(of: session, key: key, completion: completion)
    }

    package func purgeAnswers(before time: WallTime, limit: Int, completion: @escaping JournalCompletion<Int>) {
        inner.purgeAnswers(before: time, limit: limit, completion: completion)
    }
}
