/// Sessions by id, with all that goes when they end.
struct MemorySessions {
    fileprivate struct Entry {
        var session: StoredSession
        /// Grows from each session to the next.
        var number: Int
        var standing: [VerdictRecord] = []
        var log: [[UInt8]]
        var answers: [String: AnswerRecord] = [:]
    }

    /// A key of the answer that it belongs to, in the order in which answers were given.
    private struct GivenAnswer {
        var session: String
        var key: String
        var at: WallTime
    }

    /// How many ended sessions are remembered as such.
    private static let rememberedEndings = 100_000

    private var entries: [String: Entry] = [:]
    private var lastNumber = 0
    private var ended: Set<String> = []
    private var endedInOrder: [String] = []
    private var givenAnswers: [GivenAnswer] = []
    /// How many sessions each owner has.
    private var countsByOwner: [String: Int] = [:]

    var count: Int { entries.count }

    func find(_ id: String) -> SessionFinding {
        if let entry = entries[id] { return .session(entry.session) }
        return ended.contains(id) ? .ended : .unknown
    }

    mutating func create(_ new: NewSession) throws(JournalError) {
        let id = new.identity.id
        guard !ended.contains(id) else { throw .versionConflict(current: nil) }
        if let there = entries[id] { throw .versionConflict(current: there.session.version) }
        if let owner = new.identity.owner {
            let count = countsByOwner[owner, default: 0]
            if let limit = new.ownerLimit, count >= limit { throw .ownerFull(limit: limit) }
            countsByOwner[owner] = count + 1
        }
        let session = StoredSession(
            identity: new.identity,
            version: new.version,
            snapshot: new.snapshot,
            cards: new.cards,
            logSize: LogSize(of: new.logLines),
            lastActiveAt: new.at
        )
        lastNumber += 1
        var entry = Entry(session: session, number: lastNumber, log: new.logLines)
        for verdict in new.verdicts { entry.standing.take(verdict) }
        entries[id] = entry
    }

    /// Applies a record and says which deck the session is of.
    mutating func commit(_ record: SessionRecord, expecting version: Int) throws(JournalError) -> String? {
        guard let current = entries[record.session]?.session.version else { throw .versionConflict(current: nil) }
        guard current == version else { throw .versionConflict(current: current) }
        try check(record)
        if let answer = record.answer {
            givenAnswers.append(GivenAnswer(session: record.session, key: answer.key, at: answer.at))
        }
        return entries[record.session]?.apply(record)
    }

    private func check(_ record: SessionRecord) throws(JournalError) {
        guard let key = record.answer?.key, let former = entries[record.session]?.answers[key] else { return }
        guard former.at < record.answersExpireBefore else { throw .alreadyAnswered }
    }

    mutating func end(_ id: String) -> SessionEnding {
        guard let entry = entries.removeValue(forKey: id) else { return ended.contains(id) ? .hadEnded : .unknown }
        if let owner = entry.session.identity.owner, let count = countsByOwner[owner] {
            countsByOwner[owner] = count > 1 ? count - 1 : nil
        }
        ended.insert(id)
        endedInOrder.append(id)
        if endedInOrder.count > 2 * Self.rememberedEndings {
            for old in endedInOrder.prefix(Self.rememberedEndings) { ended.remove(old) }
            endedInOrder.removeFirst(Self.rememberedEndings)
        }
        return .ended
    }

    mutating func touch(_ ids: [String], at time: WallTime) {
        for id in ids { entries[id]?.touch(at: time) }
    }

    mutating func expire(idleSince time: WallTime, limit: Int) -> [String] {
        let idle = entries.values.map(\.session).filter { $0.lastActiveAt < time }
            .sorted { ($0.lastActiveAt, $0.identity.id) < ($1.lastActiveAt, $1.identity.id) }
        let ids = idle.prefix(max(limit, 0)).map(\.identity.id)
        for id in ids { _ = end(id) }
        return ids
    }

    func page(after place: SessionPlace, limit: Int) -> SessionPage {
        let later = entries.values.map(\.summary).filter { place < $0.place }.sorted { $0.place < $1.place }
        return SessionPage(sessions: Array(later.prefix(max(limit, 0))), hasMore: later.count > limit)
    }

    func log(of id: String, from line: Int, limit: Int) -> [[UInt8]] {
        Array((entries[id]?.log ?? []).dropFirst(max(line, 0)).prefix(max(limit, 0)))
    }

    func standingVerdicts(of id: String, after number: Int, limit: Int) -> [VerdictRecord] {
        Array((entries[id]?.standing ?? []).lazy.filter { $0.number > number }.prefix(max(limit, 0)))
    }

    func answer(of id: String, key: String) -> AnswerRecord? {
        entries[id]?.answers[key]
    }

    mutating func purgeAnswers(before time: WallTime, limit: Int) -> Int {
        var purged = 0
        var kept: [GivenAnswer] = []
        for given in givenAnswers {
            guard given.at < time, purged < limit else {
                kept.append(given)
                continue
            }
            // The session may have ended, or have a younger answer to the same key.
            guard entries[given.session]?.answers[given.key]?.at == given.at else { continue }
            entries[given.session]?.answers[given.key] = nil
            purged += 1
        }
        givenAnswers = kept
        return purged
    }
}

extension MemorySessions.Entry {
    fileprivate var summary: SessionSummary {
        SessionSummary(
            identity: session.identity,
            version: session.version,
            lastActiveAt: session.lastActiveAt,
            place: SessionPlace(minute: session.lastActiveAt.minute, number: number)
        )
    }

    fileprivate mutating func touch(at time: WallTime) {
        session.lastActiveAt = max(session.lastActiveAt, time)
    }

    fileprivate mutating func apply(_ record: SessionRecord) -> String? {
        touch(at: record.at)
        session.version = record.version
        session.snapshot = record.snapshot
        switch record.cards {
        case .unchanged: break
        case .replaced(let cards): session.cards = cards
        case .dropped: session.cards = nil
        }
        for verdict in record.verdicts { standing.take(verdict) }
        log += record.logLines
        session.logSize.add(record.logLines)
        if let answer = record.answer { answers[answer.key] = answer }
        return session.identity.deck
    }
}
