package import DeckJournal

/// A journal that forwards every call that it does not implement itself to another one.
package protocol ForwardingJournal: Journal {
    var inner: any Journal { get }
}

extension ForwardingJournal {
    package var statistics: JournalStatistics { inner.statistics }

    package func counts(completion: @escaping JournalCompletion<JournalCounts>) { inner.counts(completion: completion) }

    package func check(completion: @escaping JournalCompletion<Void>) { inner.check(completion: completion) }

    package func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) { inner.onWrite(observer) }

    package func close(completion: @escaping JournalCompletion<Void>) { inner.close(completion: completion) }

    package func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        inner.create(session, completion: completion)
    }

    package func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        inner.load(id, completion: completion)
    }

    package func heads(of ids: [String], completion: @escaping JournalCompletion<[String: LedgerHead]>) {
        inner.heads(of: ids, completion: completion)
    }

    package var databaseCount: Int { inner.databaseCount }

    package func generation(of database: Int) -> Int { inner.generation(of: database) }

    package func database(of id: String) -> Int { inner.database(of: id) }

    package func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        try inner.reserve(bytes: bytes, for: id)
    }

    package func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        inner.append(entry, to: id, after: revision, using: reservation, completion: completion)
    }

    package func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>) {
        inner.end(id, at: revision, completion: completion)
    }

    package func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        inner.touch(ids, at: time, completion: completion)
    }

    package func follow(_ observer: @escaping @Sendable (JournalNews) -> Void) { inner.follow(observer) }

    package func newsCoverage(of database: Int) -> NewsCoverage? { inner.newsCoverage(of: database) }

    package func sessionCount(ofOwner owner: String, completion: @escaping JournalCompletion<Int>) {
        inner.sessionCount(ofOwner: owner, completion: completion)
    }

    package func requestPreview(of id: String, _ request: UInt64) { inner.requestPreview(of: id, request) }

    package func send(_ preview: SessionPreview, of id: String) { inner.send(preview, of: id) }

    package func sessions(
        after cursor: SessionCursor,
        filter: SessionFilter,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        inner.sessions(after: cursor, filter: filter, limit: limit, completion: completion)
    }

    package func log(of session: String, from line: Int, limit: Int, completion: @escaping JournalCompletion<LogPage>) {
        inner.log(of: session, from: line, limit: limit, completion: completion)
    }

    package func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    ) {
        inner.standingVerdicts(of: session, after: number, limit: limit, completion: completion)
    }

    package func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        inner.answer(of: session, key: key, completion: completion)
    }

    package func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        completion: @escaping JournalCompletion<DeckPutResult>
    ) {
        inner.putDeck(id, document, if: condition, atMost: maximumCount, once: key, completion: completion)
    }

    package func deckPutResult(of key: DeckKey, completion: @escaping JournalCompletion<DeckPutResult?>) {
        inner.deckPutResult(of: key, completion: completion)
    }

    package func removeDeck(
        _ id: String,
        if condition: DeckCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        inner.removeDeck(id, if: condition, completion: completion)
    }

    package func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        inner.deck(id, completion: completion)
    }

    package func deckRevision(_ id: String, completion: @escaping JournalCompletion<Int?>) {
        inner.deckRevision(id, completion: completion)
    }

    package func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        inner.decks(after: id, limit: limit, completion: completion)
    }

    package func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        inner.feed(after: cursor, upTo: end, filter: filter, limit: limit, completion: completion)
    }

    package func feedEnd(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedEnd>
    ) {
        inner.feedEnd(after: cursor, filter: filter, limit: limit, completion: completion)
    }

    package func onNewFeedRows(_ observer: @escaping @Sendable () -> Void) {
        inner.onNewFeedRows(observer)
    }
}
