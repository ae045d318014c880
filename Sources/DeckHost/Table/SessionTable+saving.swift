internal import Dispatch
internal import Locking

extension SessionTable {
    /// How many sessions are saved at a time. They fit into the journal's queue.
    private static let savedAtATime = 1000

    /// Saves every session in memory that differs from its last entry, so that the next process continues exactly there. To
    /// be called when no more requests come.
    ///
    /// - Parameter completion: runs when all are saved. What could not be saved are changes that needed no commit.
    public func saveAll(_ completion: @escaping @Sendable () -> Void) {
        let sessions = shards.flatMap { shard in shard.withLock { $0.all } }.filter { !$0.isSavedExactly }
        save(sessions[...], completion)
    }

    private func save(_ sessions: ArraySlice<HostedSession>, _ completion: @escaping @Sendable () -> Void) {
        let some = sessions.prefix(Self.savedAtATime)
        guard !some.isEmpty else { return completion() }
        let group = DispatchGroup()
        for session in some {
            group.enter()
            session.save { group.leave() }
        }
        group.notify(queue: .global()) { [self] in save(sessions.dropFirst(some.count), completion) }
    }
}
