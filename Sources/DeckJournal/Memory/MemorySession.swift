/// A session in memory with everything that is removed when it ends.
struct MemorySession {
    /// A verdict with the time at which it was saved.
    struct Saved {
        var verdict: FeedRecord
        var at: WallTime
    }

    private(set) var stored: StoredSession
    /// The hash of the base of its cards; nil: it has no cards.
    private(set) var cardsBase: [UInt8]?
    /// Grows from each session to the next.
    var number: Int
    /// The revision before the head; nil if the head is the creation.
    private var predecessor: Revision?
    /// The verdict that was given last under each number, those of the origin included.
    private var given: [Int: Saved] = [:]
    private var standing = NumberSet()
    private var log: [(bytes: [UInt8], at: WallTime)] = []
    private var removedLines = 0
    private var answers: [String: AnswerRecord] = [:]
    /// The keys of the answers, oldest first.
    private var answerKeys: [String] = []
    private var answerBytes = 0

    init(_ new: NewSession, number: Int, revision: Revision, at time: WallTime) {
        self.number = number
        stored = StoredSession(
            identity: new.identity,
            revision: revision,
            headNonce: new.nonce,
            version: new.version,
            state: new.state,
            parts: new.parts,
            notifications: new.notifications.suffix(SessionLimits.notifications),
            cards: new.cards.map { StoredCards(base: $0.bytes) },
            lastActiveAt: new.at
        )
        cardsBase = new.cards?.hash
        append(new.logLines, at: time)
        for record in new.feedRecords { take(record, at: time) }
        for answer in new.answers { add(answer) }
    }

    var lastEntry: LastEntry {
        LastEntry(LedgerHead(stored.revision, nonce: stored.headNonce), after: predecessor)
    }

    /// Takes over the verdicts of the origin of a fork. Both share those with the given numbers. A fork of the fork at an earlier moment
    /// can share the others.
    mutating func inherit(_ numbers: [ClosedRange<Int>], from origin: MemorySession) {
        for number in numbers.joined() where given[number] == nil && origin.given[number] != nil {
            standing.insert(number)
        }
        given = origin.given.merging(given) { _, own in own }
    }

    mutating func touch(at time: WallTime) {
        stored.lastActiveAt = max(stored.lastActiveAt, time)
    }

    mutating func apply(_ entry: Entry, revision: Revision, at time: WallTime) {
        touch(at: entry.at)
        predecessor = stored.revision
        stored.revision = revision
        stored.headNonce = entry.nonce
        stored.version = entry.version
        stored.state = entry.state
        stored.parts += entry.parts.new
        stored.parts.removeFirst(stored.parts.count - entry.parts.neededCount)
        stored.notifications += entry.notifications
        // Removing many at a time costs little for each.
        if stored.notifications.count >= 2 * SessionLimits.notifications {
            stored.notifications = stored.notifications.suffix(SessionLimits.notifications)
        }
        switch entry.cards {
        case .unchanged: break
        case .edited(let edit): stored.cards = (stored.cards ?? StoredCards(base: [])).adding(edit)
        case .replaced(let base):
            stored.cards = StoredCards(base: base.bytes)
            cardsBase = base.hash
        }
        for record in entry.feedRecords { take(record, at: time) }
        append(entry.logLines, at: time)
        for answer in entry.answers { add(answer) }
    }

    /// The session as `load` returns it.
    func loaded(answersSince time: WallTime) -> StoredSession {
        var loaded = stored
        loaded.notifications = stored.notifications.suffix(SessionLimits.notifications)
        loaded.answeredKeys = answeredKeys(since: time)
        return loaded
    }

    private mutating func append(_ lines: [[UInt8]], at time: WallTime) {
        log += lines.map { ($0, time) }
        stored.logSize.add(lines)
    }
}

extension MemorySession {
    private mutating func take(_ record: FeedRecord, at time: WallTime) {
        switch record.kind {
        case .given:
            given[record.number] = Saved(verdict: record, at: time)
            standing.insert(record.number)
        case .reverted:
            standing.remove(record.number)
        case .pending, .needsCards, .ranOut, .ended: break
        }
    }

    func standingVerdicts(after number: Int, limit: Int) -> StandingPage {
        guard limit > 0, number < .max else { return .end }
        let covered = StandingPage.numbers(after: number)
        return StandingPage(
            first: limit,
            of: standing[covered].compactMap { given[$0]?.verdict },
            following: [standing.first(after: covered.upperBound)]
        )
    }

    /// Removes verdicts that were saved before a time.
    mutating func removeVerdicts(before time: WallTime) {
        let old = given.filter { $0.value.at < time }
        guard !old.isEmpty else { return }
        for number in old.keys { given[number] = nil }
        standing.removeAll { old[$0] != nil }
    }

    func logPage(from line: Int, limit: Int) -> LogPage {
        let first = max(line, removedLines)
        let lines = log.dropFirst(first - removedLines).prefix(max(limit, 0)).map(\.bytes)
        return LogPage(firstLine: first, lines: lines)
    }

    /// Removes log lines that were saved before a time.
    mutating func removeLines(before time: WallTime) {
        let count = log.prefix { $0.at < time }.count
        log.removeFirst(count)
        removedLines += count
    }
}

extension MemorySession {
    func answer(_ key: String) -> AnswerRecord? { answers[key] }

    private mutating func add(_ answer: AnswerRecord) {
        if answers[answer.key] != nil { removeAnswer(answer.key) }
        var answer = answer
        answer.revision = stored.revision
        answers[answer.key] = answer
        answerKeys.append(answer.key)
        answerBytes += answer.storedBytes
        guard answerBytes > SessionLimits.answerBytes else { return }
        let first = answers[answerKeys[0]]?.isOfCreation == true ? 1 : 0
        var end = first
        while let oldest = answers[answerKeys[end]],
            answerBytes - oldest.storedBytes >= SessionLimits.answerBytesAfterTrimming
        {
            forgetAnswer(oldest.key)
            end += 1
        }
        answerKeys.removeSubrange(first..<end)
    }

    private mutating func removeAnswer(_ key: String) {
        forgetAnswer(key)
        answerKeys.removeAll { $0 == key }
    }

    private mutating func forgetAnswer(_ key: String) {
        guard let former = answers.removeValue(forKey: key) else { return }
        answerBytes -= former.storedBytes
    }

    /// Removes answers that were given before a time.
    mutating func removeAnswers(before time: WallTime) {
        let old = answers.filter { $0.value.at < time }.map(\.key)
        guard !old.isEmpty else { return }
        for key in old { forgetAnswer(key) }
        answerKeys.removeAll { answers[$0] == nil }
    }

    /// The keys that were answered last and not before a time.
    private func answeredKeys(since time: WallTime) -> [String] {
        answerKeys.suffix(SessionLimits.answers).filter { answers[$0].map { $0.at >= time } ?? false }
    }
}

extension MemorySession {
    var summary: SessionSummary {
        SessionSummary(
            identity: stored.identity,
            version: stored.version,
            lastActiveAt: stored.lastActiveAt,
            cursor: SessionCursor(minute: stored.lastActiveAt.minute, number: number)
        )
    }
}

extension StoredCards {
    fileprivate func adding(_ edit: [UInt8]) -> StoredCards {
        StoredCards(base: base, edits: edits + [edit])
    }
}
