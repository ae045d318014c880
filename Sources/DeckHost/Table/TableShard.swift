internal import DeckJournal
internal import Synchronization

/// A part of the table: the sessions in memory whose ids belong to it, and those on their way there.
///
/// It guarantees that an id has at most one session and is loaded by one caller at a time, and that a session which was
/// removed during its load is not added. It calls nothing, so that its lock is never held while it waits for another.
struct TableShard {
    /// Gets a session once it is in memory, or why it is not.
    typealias Finder = @Sendable (Result<HostedSession, HostError>) -> Void

    private struct Arrival {
        var finders: [Finder] = []
        /// Whether the session was removed since it was last requested: the session that is being loaded may have ended.
        var wasRemoved = false
        /// The latest revision that another process has reported meanwhile.
        var latestElsewhere: Revision?
    }

    /// Where a session is.
    enum Place {
        case here(HostedSession)
        /// It is on its way, and the finder gets it.
        case arriving
        /// It is on its way from now on: the caller must load it, and the finder gets it.
        case toBeLoaded
    }

    /// The result of adding a session that has been loaded or created.
    enum Arriving {
        /// It is in memory now, and these wait for it.
        case added([Finder])
        /// It was removed or changed in the meantime, and must be loaded again for the callers that wait.
        case outdated
        /// It was removed or changed in the meantime, and no caller waits for it.
        case dropped
    }

    private var residents: [String: HostedSession] = [:]
    private var arrivals: [String: Arrival] = [:]

    /// The session if it is here. It counts as used.
    func resident(_ id: String, use: Int) -> HostedSession? {
        let session = residents[id]
        session?.countUse(use)
        return session
    }

    /// Finds a session, and counts it as used.
    mutating func find(_ id: String, use: Int, _ finder: @escaping Finder) -> Place {
        if let session = resident(id, use: use) { return .here(session) }
        if arrivals[id] != nil {
            arrivals[id]?.finders.append(finder)
            return .arriving
        }
        arrivals[id] = Arrival(finders: [finder])
        return .toBeLoaded
    }

    /// A session is about to be created; false: there is one of its id.
    mutating func expect(_ id: String) -> Bool {
        guard residents[id] == nil, arrivals[id] == nil else { return false }
        arrivals[id] = Arrival()
        return true
    }

    /// Adds a session that has been loaded or created, unless it was removed or changed by another process in the
    /// meantime.
    ///
    /// - Parameter revision: the session's.
    mutating func arrive(_ session: HostedSession, _ revision: Revision, use: Int) -> Arriving {
        let id = session.identity.id
        let arrival = arrivals[id] ?? Arrival()
        guard !arrival.wasRemoved, arrival.latestElsewhere.map({ $0 <= revision }) ?? true else {
            arrivals[id] = arrival.finders.isEmpty ? nil : Arrival(finders: arrival.finders)
            return arrival.finders.isEmpty ? .dropped : .outdated
        }
        arrivals[id] = nil
        session.countUse(use)
        residents[id] = session
        return .added(arrival.finders)
    }

    /// Gives up a session that was to arrive, because it could not be loaded or continued here.
    ///
    /// - Returns: the callers that wait for it.
    mutating func giveUp(_ id: String) -> [Finder] {
        arrivals.removeValue(forKey: id)?.finders ?? []
    }

    /// Gives up a session that was to arrive, because its creation failed. Another process may have created it, with the same
    /// idempotency key.
    ///
    /// - Returns: whether callers wait for it, so that it must be loaded.
    mutating func giveUpCreation(_ id: String) -> Bool {
        let finders = giveUp(id)
        arrivals[id] = finders.isEmpty ? nil : Arrival(finders: finders)
        return !finders.isEmpty
    }

    /// Removes a session, also one that is on its way.
    ///
    /// - Returns: the session, if it was here.
    mutating func remove(_ id: String) -> HostedSession? {
        arrivals[id]?.wasRemoved = true
        return residents.removeValue(forKey: id)
    }

    /// Removes this session; another one of its id that has come since stays.
    ///
    /// - Returns: whether it was here.
    mutating func remove(_ session: HostedSession) -> Bool {
        let id = session.identity.id
        guard residents[id] === session else { return false }
        residents[id] = nil
        return true
    }

    /// The session that was not used for the longest time, if there are more sessions than this number.
    func oldest(ifMoreThan count: Int) -> HostedSession? {
        guard residents.count > count else { return nil }
        return residents.values.min { $0.lastUse.load(ordering: .relaxed) < $1.lastUse.load(ordering: .relaxed) }
    }

    /// All sessions that are here.
    var all: [HostedSession] {
        Array(residents.values)
    }

    /// Another process has changed a session. An older version that is on its way will be loaded again.
    ///
    /// - Returns: the session, if it is here.
    mutating func noteLatest(_ id: String, _ revision: Revision) -> HostedSession? {
        let former = arrivals[id]?.latestElsewhere ?? revision
        arrivals[id]?.latestElsewhere = max(former, revision)
        return residents[id]
    }

    /// The session, if it is here.
    func resident(_ id: String) -> HostedSession? {
        residents[id]
    }

    /// The sessions whose use is not reported yet. From now on it counts as reported.
    func takeUnreported() -> [UsedSession] {
        residents.values.filter { $0.countUsesAsReported() }.map { UsedSession($0.identity) }
    }

    /// The sessions that were last used at a use or before.
    func unused(since use: Int) -> [HostedSession] {
        residents.values.filter { $0.lastUse.load(ordering: .relaxed) <= use }
    }
}
