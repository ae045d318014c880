import Synchronization

/// The sessions that clients can reach, by id, over several locks so that workers seldom wait for each other.
final class SessionTable: Sendable {
    /// What is known of an id.
    enum Finding: Sendable {
        case session(HostedSession)
        /// There was one, and it has ended.
        case ended
        case unknown
    }

    fileprivate struct Shard: Sendable {
        var sessions: [String: HostedSession] = [:]
        /// Sessions that have ended, with the oldest forgotten first.
        var ended: Set<String> = []
        var endedInOrder: [String] = []
    }

    /// A lock has an address, so that each needs a place of its own in memory.
    private final class LockedShard: Sendable {
        let state = Mutex(Shard())
    }

    private static let shardCount = 64
    /// How many ended sessions a shard remembers.
    private static let rememberedEndings = 2048

    private let shards = (0..<shardCount).map { _ in LockedShard() }
    private let count = Atomic(0)
    private let maximumCount: Int

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// Adds a session, unless there are as many as there may be.
    func insert(_ session: HostedSession) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= maximumCount else {
            count.subtract(1, ordering: .relaxed)
            return false
        }
        shard(of: session.identity.id).state.withLock { $0.sessions[session.identity.id] = session }
        return true
    }

    func find(_ id: String) -> Finding {
        shard(of: id).state.withLock { shard in
            if let session = shard.sessions[id] { return .session(session) }
            return shard.ended.contains(id) ? .ended : .unknown
        }
    }

    /// Ends a session.
    func end(_ id: String) -> Finding {
        let finding = shard(of: id).state.withLock { shard -> Finding in
            guard let session = shard.sessions.removeValue(forKey: id) else {
                return shard.ended.contains(id) ? .ended : .unknown
            }
            shard.remember(id, atMost: Self.rememberedEndings)
            return .session(session)
        }
        if case .session = finding { count.subtract(1, ordering: .relaxed) }
        return finding
    }

    /// Drops a session from memory without ending it.
    func forget(_ id: String) {
        let wasThere = shard(of: id).state.withLock { $0.sessions.removeValue(forKey: id) != nil }
        if wasThere { count.subtract(1, ordering: .relaxed) }
    }

    private func shard(of id: String) -> LockedShard {
        shards[Int(id.hashValue.magnitude % UInt(Self.shardCount))]
    }
}

extension SessionTable.Shard {
    fileprivate mutating func remember(_ id: String, atMost limit: Int) {
        ended.insert(id)
        endedInOrder.append(id)
        guard endedInOrder.count > 2 * limit else { return }
        for old in endedInOrder.prefix(limit) { ended.remove(old) }
        endedInOrder.removeFirst(limit)
    }
}
