public import DeckJournal

extension SQLiteJournal {
    /// Counts decks and sessions.
    public func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        readers.read(completion) { db in
            let tally = try Tally(db)
            return JournalCounts(decks: tally.deckCount, sessions: tally.sessionCount)
        }
    }

    /// Finds a deck.
    public func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        readers.read(completion) { try DeckReading.deck(id, in: $0) }
    }

    /// Lists decks.
    public func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        readers.read(completion) { try DeckReading.page(after: id, limit: limit, in: $0) }
    }

    /// Finds a session.
    public func loadSession(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        readers.read(completion) { try SessionReading.find(id, in: $0) }
    }

    /// Lists sessions.
    public func sessions(
        after place: SessionPlace,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        readers.read(completion) { try SessionReading.page(after: place, limit: limit, in: $0) }
    }

    /// Reads a session's log.
    public func log(
        of session: String,
        from line: Int,
        limit: Int,
        completion: @escaping JournalCompletion<[[UInt8]]>
    ) {
        readers.read(completion) { try SessionReading.log(of: session, from: line, limit: limit, in: $0) }
    }

    /// Reads a session's verdicts.
    public func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<[VerdictRecord]>
    ) {
        readers.read(completion) {
            try SessionReading.standingVerdicts(of: session, after: number, limit: limit, in: $0)
        }
    }

    /// Finds an answer.
    public func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        readers.read(completion) { try SessionReading.answer(of: session, key: key, in: $0) }
    }

    /// Reads the feed.
    public func verdicts(
        after cursor: VerdictCursor,
        deck: String?,
        limit: Int,
        completion: @escaping JournalCompletion<VerdictPage>
    ) {
        readers.read(completion) { try FeedReading.page(after: cursor, deck: deck, limit: limit, in: $0) }
    }
}
