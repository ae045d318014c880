/// Sessions by id.
struct MemorySessions {
    /// How many ended sessions are remembered.
    private static let rememberedEndings = 100_000
    /// The order is not tidied for fewer ids.
    private static let leastOrder = 500

    private var sessions: [String: MemorySession] = [:]
    private var cards = MemoryCards()
    private var lastNumber = 0
    private var lastEntryPosition: Int64 = 0
    private var ended: Set<String> = []
    private var endedInOrder: [String] = []
    /// How many sessions each owner has.
    private var countsByOwner: [String: Int] = [:]
    /// How many copies each family has.
    private var countsByRoot: [String: Int] = [:]
    /// The ids in the order of creation, with those of ended sessions until they are more than the others.
    private(set) var order: [String] = []
    private var nextToTidy = 0

    var count: Int { sessions.count }

    func session(_ id: String) -> MemorySession? { sessions[id] }

    private func status(of id: String) -> SessionStatus {
        sessions[id].map { .current($0.lastEntry) } ?? (ended.contains(id) ? .ended : .unknown)
    }

    func find(_ id: String, answersSince time: WallTime) -> SessionFinding {
        guard let session = sessions[id] else { return ended.contains(id) ? .ended : .unknown }
        return .session(session.loaded(answersSince: time))
    }

    private mutating func nextRevision() -> Revision {
        lastEntryPosition += 1
        return Revision(position: lastEntryPosition)
    }

    /// Creates a session; false if it is a retry of the creation.
    mutating func create(_ new: NewSession, at time: WallTime) throws(JournalError) -> (Revision, isNew: Bool) {
        let id = new.identity.id
        if let revision = try status(of: id).earlierRevision(of: new) { return (revision, false) }
        if let origin = new.origin { try status(of: origin.session).checkIsOrigin() }
        let refusal = new.refusal(
            in: 0,
            sessionCount: sessions.count,
            ownerCount: { countsByOwner[$0] ?? 0 },
            familyCount: { countsByRoot[$0] ?? 0 }
        )
        if let refusal { throw refusal }
        if let owner = new.identity.owner { countsByOwner[owner, default: 0] += 1 }
        if let root = new.identity.root { countsByRoot[root, default: 0] += 1 }
        lastNumber += 1
        var new = new
        new.cards = new.cards.map { cards.take($0) }
        var session = MemorySession(new, number: lastNumber, revision: nextRevision(), at: time)
        if let shared = new.origin, let origin = sessions[shared.session] {
            session.inherit(shared.standing, from: origin)
        }
        sessions[id] = session
        order.append(id)
        return (session.stored.revision, true)
    }

    /// Appends an entry; false if it is a retry.
    mutating func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        at time: WallTime,
        answersSince oldest: WallTime
    ) throws(JournalError) -> (Revision, isNew: Bool) {
        guard let place = sessions.index(forKey: id) else { throw .conflict(current: nil) }
        let status = SessionStatus.current(sessions.values[place].lastEntry)
        if let revision = try status.earlierRevision(of: entry, after: revision) { return (revision, false) }
        let isAnswered = entry.answers.contains { answer in
            sessions.values[place].answer(answer.key).map { $0.at >= oldest } ?? false
        }
        guard !entry.answers.hasDuplicateKeys, !isAnswered else { throw .alreadyAnswered }
        let next = nextRevision()
        var entry = entry
        if case .replaced(let base) = entry.cards {
            cards.leave(sessions.values[place].cardsBase)
            entry.cards = .replaced(cards.take(base))
        }
        sessions.values[place].apply(entry, revision: next, at: time)
        return (next, true)
    }

    mutating func end(_ id: String, at revision: Revision?) throws(JournalError) -> SessionEnding {
        let ending = try status(of: id).ending(at: revision)
        if ending == .ended { end(id) }
        return ending
    }

    private mutating func end(_ id: String) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        cards.leave(session.cardsBase)
        if let owner = session.stored.identity.owner, let count = countsByOwner[owner] {
            countsByOwner[owner] = count > 1 ? count - 1 : nil
        }
        if let root = session.stored.identity.root, let count = countsByRoot[root] {
            countsByRoot[root] = count > 1 ? count - 1 : nil
        }
        ended.insert(id)
        endedInOrder.append(id)
        if endedInOrder.count > 2 * Self.rememberedEndings {
            for old in endedInOrder.prefix(Self.rememberedEndings) { ended.remove(old) }
            endedInOrder.removeFirst(Self.rememberedEndings)
        }
        if order.count > 2 * max(sessions.count, Self.leastOrder) { dropEndedFromOrder() }
    }

    /// Each remaining id is moved for one that is dropped.
    private mutating func dropEndedFromOrder() {
        nextToTidy = order[..<nextToTidy].count(where: { sessions[$0] != nil })
        order.removeAll { sessions[$0] == nil }
    }

    func count(ofOwner owner: String) -> Int {
        countsByOwner[owner] ?? 0
    }

    mutating func touch(_ ids: [String], at time: WallTime) {
        for id in ids { sessions[id]?.touch(at: time) }
    }

    func page(after cursor: SessionCursor, filter: SessionFilter, limit: Int) -> SessionPage {
        let later = sessions.values.map(\.summary)
            .filter { cursor < $0.cursor && filter.allows($0.identity) }
            .sorted { $0.cursor < $1.cursor }
        let page = Array(later.prefix(max(limit, 0)))
        return SessionPage(sessions: page, next: later.count > limit ? page.last?.cursor ?? cursor : nil)
    }
}

extension MemorySessions {
    /// Removes data that is older than its age from the next few sessions, and ends them if they have expired.
    mutating func tidy(_ limit: Int, _ due: DueTimes) -> (ended: [SessionIdentity], isRoundComplete: Bool) {
        var expired: [SessionIdentity] = []
        let last = min(nextToTidy + limit, order.count)
        for id in order[nextToTidy..<last] {
            guard let session = sessions[id] else { continue }
            if let time = due.sessions, session.stored.lastActiveAt < time {
                expired.append(session.stored.identity)
            } else {
                tidy(id, due)
            }
        }
        let isRoundComplete = last == order.count
        nextToTidy = isRoundComplete ? 0 : last
        for identity in expired { end(identity.id) }
        return (expired, isRoundComplete)
    }

    private mutating func tidy(_ id: String, _ due: DueTimes) {
        if let time = due.answers { sessions[id]?.removeAnswers(before: time) }
        if let time = due.feedRecords { sessions[id]?.removeVerdicts(before: time) }
        if let time = due.logs { sessions[id]?.removeLines(before: time) }
    }
}
