internal import Dispatch
internal import Locking

extension SessionTable {
    /// How many sessions are saved at a time. They fit into the journal's queue.
    private static let savedAtATime = 1000

    /// Saves every session in memory that differs from its last entry, so that the next process continues exactly there. To
    /// be called when no more requests come.
    ///
    /// - Parameter completion: runs when all were tried, and gets the number of those that could not be saved. These lose only
    ///   changes that needed no commit.
    public func saveAll(_ completion: @escaping @Sendable (_ failures: Int) -> Void) {
        let sessions = shards.flatMap { shard in shard.withLock { $0.all } }.filter { !$0.isSavedExactly }
        save(sessions[...], Lock(0), completion)
    }

    private func save(
        _ sessions: ArraySlice<HostedSession>,
        _ failures: Lock<Int>,
        _ completion: @escaping @Sendable (_ failures: Int) -> Void
    ) {
        let some = sessions.prefix(Self.savedAtATime)
        guard !some.isEmpty else { return completion(failures.withLock(\.self)) }
        let group = DispatchGroup()
        for session in some {
            group.enter()
            session.save { isSaved in
                if !isSaved { failures.withLock { $0 += 1 } }
                group.leave()
            }
        }
        group.notify(queue: .global()) { [self] in save(sessions.dropFirst(some.count), failures, completion) }
    }
}
