internal import DeckJournal
internal import Locking
internal import Synchronization

extension SessionTable {
    /// How many sessions are marked in one call of the journal, so that no write delays others for long.
    private static let touchedAtATime = 1000

    /// Reports to the journal which sessions were used since the last call, so that they do not expire. Sessions whose last
    /// use was a change that is committed are not reported, because the journal has its time.
    ///
    /// If the journal fails, the next call names the same sessions again. A call does nothing while the report of an earlier
    /// call is still being made.
    public func touchUsed(at now: Timestamp, _ complain: @escaping @Sendable (HostError) -> Void) {
        guard !isTouching.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let (formerUses, latestUses) = (touchedUses.load(ordering: .relaxed), uses.load(ordering: .relaxed))
        var used = shards.flatMap { shard in shard.withLock { $0.used(after: formerUses) } }
        // A journal stores the sessions in this order. Sessions that are stored together are marked together.
        used.sort { $0.createdAt < $1.createdAt }
        touch(used.map(\.id)[...], at: now) { [self] result in
            switch result {
            case .success: touchedUses.store(latestUses, ordering: .relaxed)
            case .failure(let error): complain(error)
            }
            isTouching.store(false, ordering: .releasing)
        }
    }

    private func touch(
        _ ids: ArraySlice<String>,
        at time: Timestamp,
        _ completion: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) {
        let some = ids.prefix(Self.touchedAtATime)
        guard !some.isEmpty else { return completion(.success(())) }
        journal.touch(Array(some), at: time) { [self] result in
            guard case .success = result else { return completion(result) }
            touch(ids.dropFirst(some.count), at: time, completion)
        }
    }
}
