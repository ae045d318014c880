internal import DeckJournal
internal import Locking
internal import Synchronization

extension SessionTable {
    /// How many sessions are tried at a time. If none can leave, the next call continues.
    private static let triesToMakeRoom = 16

    /// Evicts sessions while there are too many, the least recently used first.
    ///
    /// - Parameter id: the session that has arrived or was used; its shard is the first in which room is made.
    func makeRoom(for id: String) {
        for _ in 0..<Self.triesToMakeRoom {
            guard residentCount > limits.residentSessions else { return }
            guard let session = nextToLeave(from: shardIndex(of: id)) else { return }
            evict(session)
        }
    }

    /// The session that was not used for the longest time in a shard that has more than its share. If all shards
    /// together have more than the limit, one of them has.
    private func nextToLeave(from first: Int) -> HostedSession? {
        let share = limits.residentSessions / shards.count
        for offset in shards.indices {
            let shard = shards[(first + offset) % shards.count]
            if let session = shard.withLock({ $0.oldest(ifMoreThan: share) }) { return session }
        }
        return nil
    }

    /// Evicts a session if possible, or as soon as it is saved.
    private func evict(_ session: HostedSession) {
        let result = tryToEvict(session)
        if result != .left { postpone(session) }
        guard result == .isToBeSaved else { return }
        session.save { [self] _ in
            // If it could not be saved it is loaded again, and leaves as well.
            if residentCount > limits.residentSessions { tryToEvict(session) }
        }
    }

    /// Moves a session that cannot be evicted now behind the others.
    private func postpone(_ session: HostedSession) {
        session.lastUse.store(nextUse(), ordering: .relaxed)
    }

    /// Evicts the sessions that have been idle for too long and are not watched. Sessions with unsaved changes leave
    /// after they are saved.
    ///
    /// - Parameter now: must never be earlier than in a call before.
    public func evictIdle(at now: ContinuousClock.Instant = .now) {
        guard let lastUse = residency.mark(uses.load(ordering: .relaxed), at: now) else { return }
        for shard in shards {
            for session in shard.withLock({ $0.unused(since: lastUse) }) {
                if tryToEvict(session) == .isToBeSaved { session.save { [self] _ in tryToEvict(session) } }
            }
        }
    }

    /// Evicts a session if possible now.
    @discardableResult
    private func tryToEvict(_ session: HostedSession) -> HostedSession.Leave {
        let result = session.leave()
        guard result == .left else { return result }
        evictions.add(1, ordering: .relaxed)
        if session.countUsesAsReported() { reportLater([UsedSession(session.identity)]) }
        drop(session)
        return result
    }
}
