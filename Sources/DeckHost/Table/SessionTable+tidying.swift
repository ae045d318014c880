internal import DeckJournal
internal import Locking
internal import Synchronization

extension SessionTable {
    /// How many sessions are marked or ended at a time, so that no write keeps others waiting for long.
    private static let tidiedAtATime = 1000
    /// How many answers are removed at a time.
    private static let answersAtATime = 10_000

    /// Tells the journal which sessions were used since the last time, and ends those that were not for long. If the
    /// journal fails, none is ended, and the same sessions are named the next time.
    public func tidy(
        at now: Timestamp,
        idleSince time: Timestamp,
        _ complain: @escaping @Sendable (HostError) -> Void
    ) {
        let (formerUses, latestUses) = (tidiedUses.load(ordering: .relaxed), uses.load(ordering: .relaxed))
        let used = shards.flatMap { shard in shard.withLock { $0.used(after: formerUses) } }
        touch(used[...], at: now) { [self] result in
            switch result {
            case .success:
                tidiedUses.store(latestUses, ordering: .relaxed)
                expire(idleSince: time, complain)
            case .failure(let error): complain(error)
            }
        }
    }

    private func touch(
        _ ids: ArraySlice<String>,
        at time: Timestamp,
        _ completion: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        let some = ids.prefix(Self.tidiedAtATime)
        guard !some.isEmpty else { return completion(.success(())) }
        journal.touch(Array(some), at: time) { [self] result in
            guard case .success = result else { return completion(result) }
            touch(ids.dropFirst(some.count), at: time, completion)
        }
    }

    private func expire(idleSince time: Timestamp, _ complain: @escaping @Sendable (HostError) -> Void) {
        journal.expire(idleSince: time, limit: Self.tidiedAtATime) { [self] result in
            switch result {
            case .success(let expired):
                for id in expired { forget(id) }
                count.subtract(expired.count, ordering: .relaxed)
            case .failure(let error): complain(error)
            }
        }
    }

    /// Removes saved answers that are too old to be found by their keys.
    public func removeOldAnswers(at now: Timestamp) {
        let oldest = Timestamp(milliseconds: now.milliseconds - OperationKey.lifetimeMilliseconds)
        journal.purgeAnswers(before: oldest, limit: Self.answersAtATime)
    }
}
