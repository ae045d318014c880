public import DeckJournal

extension SQLiteJournal {
    /// Counts decks and sessions.
    public func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        readers.read(completion) { db in
            let tally = try Tally(db)
            return JournalCounts(
                decks: tally.deckCount,
                sessions: tally.sessionCount,
                hasHadDecks: tally.lastDeckRevision > 0
            )
        }
    }

    /// Finds a deck.
    public func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        readers.read(completion) { try DeckReading.deck(id, in: $0) }
    }

    /// Finds the result of the request with a key.
    public func deckPutResult(of key: DeckKey, completion: @escaping JournalCompletion<DeckPutResult?>) {
        readers.read(completion) { try DeckReading.putResult(of: key, in: $0) }
    }

    /// Lists decks.
    public func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        readers.read(completion) { try DeckReading.page(after: id, limit: limit, in: $0) }
    }

    /// Answers from before this time have expired; nil: answers do not expire.
    private var oldestAnswer: WallTime? {
        writer.options.ages.answers?.before(writer.options.clock())
    }

    /// Finds a session.
    public func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        let time = oldestAnswer
        let (tail, answers) = (writer.tail, writer.answers)
        readers.read(completion) { db in
            var head: Tail.Head?
            let found = try answers.begin {
                let found = try tail.find(id, in: db)
                head = found?.head
                return found?.number
            }
            guard let (number, rows) = found else { return .unknown }
            return try SessionReading.find(number, head, answers: rows, since: time, in: db)
        }
    }

    /// Finds the heads of sessions.
    public func heads(of ids: [String], completion: @escaping JournalCompletion<[String: LedgerHead]>) {
        let tail = writer.tail
        readers.read(completion) { try SessionReading.heads(of: ids, tail, in: $0) }
    }

    /// Counts an owner's sessions.
    public func sessionCount(ofOwner owner: String, completion: @escaping JournalCompletion<Int>) {
        readers.read(completion) { try SessionReading.count(ofOwner: owner, in: $0) }
    }

    /// Lists sessions.
    public func sessions(
        after cursor: SessionCursor,
        filter: SessionFilter,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        let tail = writer.tail
        readers.read(completion) { db in
            try SessionListing(after: cursor, filter, tail, in: db).page(limit: limit)
        }
    }

    /// Reads a session's log.
    public func log(
        of session: String,
        from line: Int,
        limit: Int,
        completion: @escaping JournalCompletion<LogPage>
    ) {
        readers.read(completion) { try SessionReading.log(of: session, from: line, limit: limit, in: $0) }
    }

    /// Reads a session's verdicts.
    public func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    ) {
        let verdicts = writer.verdicts
        readers.read(completion) { db in
            let reading = try VerdictReading(db, unindexed: try verdicts.begin(in: db))
            return try reading.standing(of: session, after: number, limit: limit)
        }
    }

    /// Finds an answer.
    public func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        let time = oldestAnswer
        let answers = writer.answers
        readers.read(completion) { db in
            guard let (number, rows) = try answers.begin({ try SessionReading.number(of: session, in: db) }) else {
                return nil
            }
            return try SessionReading.answer(of: number, key: key, unindexed: rows, since: time, in: db)
        }
    }

    /// Reads the feed.
    public func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        let verdicts = writer.verdicts
        readers.read(completion) { db in
            try FeedReading(filter, unindexed: verdicts, in: db).page(after: cursor, upTo: end, limit: limit)
        }
    }

    /// Finds where a page of the feed ends.
    public func feedEnd(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedEnd>
    ) {
        let verdicts = writer.verdicts
        readers.read(completion) { db in
            try FeedReading(filter, unindexed: verdicts, in: db).end(after: cursor, limit: limit)
        }
    }
}
