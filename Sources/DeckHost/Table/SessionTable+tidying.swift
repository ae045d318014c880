internal import DeckJournal
internal import Locking
internal import Synchronization

/// A session whose use must be reported to the journal.
struct UsedSession: Sendable, Hashable {
    var id: String
    var createdAt: WallTime

    init(_ identity: SessionIdentity) {
        id = identity.id
        createdAt = identity.createdAt
    }
}

extension SessionTable {
    /// How many sessions are marked in one call of the journal, so that no write delays others for long.
    private static let touchedAtATime = 1000
    /// How many sessions beside those in memory a report names at most. Each takes about 100 bytes.
    private static let mostUnreported = 1_000_000

    /// Reports to the journal which sessions were used since the last call, so that they do not expire. Sessions whose last
    /// use was a change that is committed are not reported, because the journal has its time.
    ///
    /// If the journal fails, the next call names the same sessions again. A call does nothing while the report of an earlier
    /// call is still being made.
    public func touchUsed(at now: Timestamp, _ complain: @escaping @Sendable (HostError) -> Void) {
        guard !isTouching.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let former = unreported.withLock { unreported in
            defer { unreported = [] }
            return unreported
        }
        let resident = shards.flatMap { shard in shard.withLock { $0.takeUsed() } }
        // A journal stores the sessions in this order. Sessions that are stored together are marked together.
        let used = (resident + former).sorted { $0.createdAt < $1.createdAt }
        touch(used.map(\.id)[...], at: now) { [self] result in
            if case .failure(let error) = result {
                reportLater(used)
                complain(error)
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

    /// Has the next report name sessions that were used.
    func reportLater(_ used: [UsedSession]) {
        unreported.withLock { unreported in
            for session in used where unreported.count < Self.mostUnreported { unreported.insert(session) }
        }
    }
}
