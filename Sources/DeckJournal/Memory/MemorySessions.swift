/// Sessions by id.
struct MemorySessions {
    /// How many ended sessions are remembered.
    private static let rememberedEndings = 100_000

    private var sessions: [String: MemorySession] = [:]
    private var lastNumber = 0
    private var lastPosition: Int64 = 0
    private var ended: Set<String> = []
    private var endedInOrder: [String] = []
    /// How many sessions each owner has.
    private var countsByOwner: [String: Int] = [:]
    /// How many copies each family has.
    private var countsByRoot: [String: Int] = [:]
    /// The ids in the order of creation, with those of ended sessions until the next round of housekeeping.
    private var order: [String] = []
    private var nextToTidy = 0

    var count: Int { sessions.count }

    func session(_ id: String) -> MemorySession? { sessions[id] }

    func find(_ id: String, answersSince time: WallTime, generation: Int) -> SessionFinding {
        guard let session = sessions[id] else { return ended.contains(id) ? .ended : .unknown }
        return .session(session.loaded(answersSince: time, generation: generation))
    }

    /// Continues at a position, which is greater than all before.
    mutating func skip(to position: Int64) {
        lastPosition = max(lastPosition, position)
    }

    private mutating func nextRevision() -> Revision {
        lastPosition += 1
        return Revision(position: lastPosition)
    }

    /// Creates a session; false if it is a retry of the creation.
    mutating func create(_ new: NewSession, at time: WallTime) throws(JournalError) -> (Revision, isNew: Bool) {
        let id = new.identity.id
        if let there = sessions[id] {
            guard there.predecessor == nil, there.stored.headNonce == new.nonce else {
                throw .conflict(current: there.stored.revision)
            }
            return (there.stored.revision, false)
        }
        guard !ended.contains(id) else { throw .conflict(current: nil) }
        if let origin = new.origin, sessions[origin.session] == nil { throw .conflict(current: nil) }
        guard !new.answers.hasDuplicateKeys else { throw .alreadyAnswered }
        try count(new)
        lastNumber += 1
        var session = MemorySession(new, number: lastNumber, revision: nextRevision(), at: time)
        if let shared = new.origin, let origin = sessions[shared.session] {
            session.inherit(shared.standing, from: origin)
        }
        sessions[id] = session
        order.append(id)
        return (session.stored.revision, true)
    }

    /// Counts one more session of an owner and of a family, if the limits allow it.
    private mutating func count(_ new: NewSession) throws(JournalError) {
        let (owner, root) = (new.identity.owner, new.identity.root)
        let (ownerCount, rootCount) = (
            owner.map { countsByOwner[$0, default: 0] }, root.map { countsByRoot[$0, default: 0] }
        )
        if let limit = new.limit, sessions.count >= limit { throw .full(limit: limit) }
        if let limit = new.ownerLimit, let ownerCount, ownerCount >= limit { throw .ownerFull(limit: limit) }
        if let limit = new.familyLimit, let rootCount, rootCount >= limit { throw .familyFull(limit: limit) }
        if let owner, let ownerCount { countsByOwner[owner] = ownerCount + 1 }
        if let root, let rootCount { countsByRoot[root] = rootCount + 1 }
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
        let head = sessions.values[place].stored.revision
        guard head == revision else {
            let isRetry =
                sessions.values[place].predecessor == revision
                && sessions.values[place].stored.headNonce == entry.nonce
            if isRetry { return (head, false) }
            throw .conflict(current: head)
        }
        let isAnswered = entry.answers.contains { answer in
            sessions.values[place].answer(answer.key).map { $0.at >= oldest } ?? false
        }
        guard !isAnswered, !entry.answers.hasDuplicateKeys else { throw .alreadyAnswered }
        let next = nextRevision()
        sessions.values[place].apply(entry, revision: next, at: time)
        return (next, true)
    }

    mutating func end(_ id: String, at revision: Revision?) throws(JournalError) -> SessionEnding {
        if let revision, let head = sessions[id]?.stored.revision, head != revision { throw .conflict(current: head) }
        return end(id)
    }

    private mutating func end(_ id: String) -> SessionEnding {
        guard let session = sessions.removeValue(forKey: id) else { return ended.contains(id) ? .hadEnded : .unknown }
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
        return .ended
    }

    func count(ofOwner owner: String) -> Int {
        countsByOwner[owner] ?? 0
    }

    mutating func touch(_ ids: [String], at time: WallTime) {
        for id in ids { sessions[id]?.touch(at: time) }
    }

    func page(after place: SessionPlace, filter: SessionFilter, limit: Int) -> SessionPage {
        let later = sessions.values.map(\.summary)
            .filter { place < $0.place && filter.allows($0.identity) }
            .sorted { $0.place < $1.place }
        let page = Array(later.prefix(max(limit, 0)))
        return SessionPage(sessions: page, next: later.count > limit ? page.last?.place ?? place : nil)
    }
}

extension MemorySessions {
    /// Removes data that is older than its age from the next few sessions, and ends them if they have expired.
    mutating func tidy(_ limit: Int, _ due: DueTimes) -> (ended: [SessionIdentity], isRoundComplete: Bool) {
        var ended: [SessionIdentity] = []
        let last = min(nextToTidy + limit, order.count)
        for id in order[nextToTidy..<last] {
            guard let session = sessions[id] else { continue }
            if let time = due.sessions, session.stored.lastActiveAt < time {
                _ = end(id)
                ended.append(session.stored.identity)
                continue
            }
            tidy(id, due)
        }
        nextToTidy = last
        guard last == order.count else { return (ended, false) }
        nextToTidy = 0
        if order.count > 2 * sessions.count { order.removeAll { sessions[$0] == nil } }
        return (ended, true)
    }

    private mutating func tidy(_ id: String, _ due: DueTimes) {
        if let time = due.answers { _ = sessions[id]?.removeAnswers(before: time) }
        if let time = due.verdicts { _ = sessions[id]?.removeVerdicts(before: time) }
        if let time = due.logs { _ = sessions[id]?.removeLines(before: time) }
    }
}
