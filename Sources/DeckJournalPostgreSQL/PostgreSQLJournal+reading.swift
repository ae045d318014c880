public import DeckJournal

extension PostgreSQLJournal {
    /// Counts decks and sessions.
    public func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        readers.read(completion) { connection in
            let tally = try Tally(connection.run([Tally.reading])[0])
            return JournalCounts(
                decks: tally.deckCount,
                sessions: tally.sessionCount,
                hasHadDecks: tally.lastDeckRevision > 0
            )
        }
    }

    /// Finds a deck.
    public func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        readers.read(completion) { try DeckReading.deck(id, on: $0) }
    }

    /// Finds the revision of a deck.
    public func deckRevision(_ id: String, completion: @escaping JournalCompletion<Int?>) {
        readers.read(completion) { try DeckReading.revision(of: id, on: $0) }
    }

    /// Finds the result of the request with a key.
    public func deckPutResult(of key: DeckKey, completion: @escaping JournalCompletion<DeckPutResult?>) {
        readers.read(completion) { try DeckReading.putResult(of: key, on: $0) }
    }

    /// Lists decks.
    public func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        readers.read(completion) { try DeckReading.page(after: id, limit: limit, on: $0) }
    }

    /// Answers from before this time have expired; nil: answers do not expire.
    private var oldestAnswer: WallTime? {
        writer.options.ages.answers?.before(writer.clock.now)
    }

    /// Finds a session.
    public func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        let time = oldestAnswer
        readers.read(completion) { try SessionReading.find(id, since: time, on: $0) }
    }

    /// Finds the heads of sessions.
    public func heads(of ids: [String], completion: @escaping JournalCompletion<[String: LedgerHead]>) {
        readers.read(completion) { try SessionReading.heads(of: ids, on: $0) }
    }

    /// Counts an owner's sessions.
    public func sessionCount(ofOwner owner: String, completion: @escaping JournalCompletion<Int>) {
        readers.read(completion) { connection in
            try connection.run("SELECT count FROM owner WHERE name = $1", [.text(owner)]).first?.integer(0) ?? 0
        }
    }

    /// Lists sessions.
    public func sessions(
        after cursor: SessionCursor,
        filter: SessionFilter,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        readers.read(completion) { try SessionListing(filter, limit: limit, on: $0).page(after: cursor) }
    }

    /// Reads a session's log.
    public func log(
        of session: String,
        from line: Int,
        limit: Int,
        completion: @escaping JournalCompletion<LogPage>
    ) {
        readers.read(completion) { try SessionReading.log(of: session, from: line, limit: limit, on: $0) }
    }

    /// Reads a session's verdicts.
    public func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    ) {
        readers.read(completion) { connection in
            try VerdictReading(connection: connection).standing(of: session, after: number, limit: limit)
        }
    }

    /// Finds an answer.
    public func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        let time = oldestAnswer
        readers.read(completion) { try SessionReading.answer(of: session, key: key, since: time, on: $0) }
    }

    /// Reads the feed.
    public func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        readers.read(completion) { connection in
            try FeedReading(filter, after: cursor, upTo: end, limit: limit, on: connection).page()
        }
    }

    /// Finds where a page of the feed ends.
    public func feedEnd(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedEnd>
    ) {
        readers.read(completion) { try FeedReading(filter, after: cursor, limit: limit, on: $0).end() }
    }
}
