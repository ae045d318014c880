extension MemoryJournal {
    private var oldestAnswer: WallTime {
        options.ages.answers?.before(options.clock()) ?? WallTime(milliseconds: .min)
    }

    /// Creates a session.
    public func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        let time = options.clock()
        change(completion) { state, news throws(JournalError) in
            let (revision, isNew) = try state.sessions.create(session, at: time)
            if isNew { state.add(session.feedRecords, of: session.identity, at: time, &news) }
            return revision
        }
    }

    /// Finds a session. Of sessions that ended long ago, only the last 100,000 are remembered.
    public func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        let time = oldestAnswer
        complete(completion) { $0.sessions.find(id, answersSince: time) }
    }

    /// Finds the heads of sessions.
    public func heads(of ids: [String], completion: @escaping JournalCompletion<[String: LedgerHead]>) {
        complete(completion) { state in
            Dictionary(
                uniqueKeysWithValues: Set(ids).compactMap { id in
                    state.sessions.session(id).map { (id, $0.lastEntry.head) }
                }
            )
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
        let time = options.clock()
        let oldest = oldestAnswer
        change(completion) { state, news throws(JournalError) in
            let (next, isNew) = try state.sessions.append(
                entry,
                to: id,
                after: revision,
                at: time,
                answersSince: oldest
            )
            if isNew, let identity = state.sessions.session(id)?.stored.identity {
                state.add(entry.feedRecords, of: identity, at: time, &news)
            }
            return next
        }
        reservation.free()
    }

    /// Ends a session.
    public func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>) {
        let time = options.clock()
        change(completion) { state, news throws(JournalError) in
            let identity = state.sessions.session(id)?.stored.identity
            let ending = try state.sessions.end(id, at: revision)
            if let identity { state.noteEnd(of: identity, at: time, &news) }
            return ending
        }
    }

    /// Marks sessions as active.
    public func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        change(completion) { state, _ in state.sessions.touch(ids, at: time) }
    }

    /// Counts an owner's sessions.
    public func sessionCount(ofOwner owner: String, completion: @escaping JournalCompletion<Int>) {
        complete(completion) { $0.sessions.count(ofOwner: owner) }
    }

    /// Lists sessions; the cost is that of all sessions.
    public func sessions(
        after cursor: SessionCursor,
        filter: SessionFilter,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        complete(completion) { $0.sessions.page(after: cursor, filter: filter, limit: limit) }
    }

    /// Reads a session's log.
    public func log(
        of session: String,
        from line: Int,
        limit: Int,
        completion: @escaping JournalCompletion<LogPage>
    ) {
        complete(completion) { state in
            state.sessions.session(session)?.logPage(from: max(line, 0), limit: limit)
                ?? LogPage(firstLine: max(line, 0), lines: [])
        }
    }

    /// Reads a session's verdicts.
    public func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    ) {
        complete(completion) { $0.sessions.session(session)?.standingVerdicts(after: number, limit: limit) ?? .end }
    }

    /// Finds an answer.
    public func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>) {
        let time = oldestAnswer
        complete(completion) { state in
            let answer = state.sessions.session(session)?.answer(key)
            return answer.flatMap { $0.at < time ? nil : $0 }
        }
    }

    /// Reads the feed, as far back as it goes.
    public func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        complete(completion) { $0.feed.page(after: cursor, upTo: end, filter: filter, limit: limit) }
    }

    /// Finds where a page of the feed ends.
    public func feedEnd(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedEnd>
    ) {
        complete(completion) { FeedEnd($0.feed.page(after: cursor, filter: filter, limit: limit)) }
    }
}

extension MemoryJournal.State {
    /// Adds the row of a session's end to the feed.
    mutating func noteEnd(of session: SessionIdentity, at time: WallTime, _ news: inout MemoryJournal.News) {
        news.ofSessions.append(.ended(session: session.id))
        add([.notice(.ended, atMilliseconds: 0)], of: session, at: time, &news)
    }

    fileprivate mutating func add(
        _ records: [FeedRecord],
        of session: SessionIdentity,
        at time: WallTime,
        _ news: inout MemoryJournal.News
    ) {
        guard !records.isEmpty else { return }
        for record in records { feed.append(record, of: session, at: time) }
        news.hasFeedRows = true
    }
}
