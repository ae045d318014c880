public import DeckJournal
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
    /// How many sessions are reported in one call of the journal, so that no write delays others for long.
    private static let reportedAtATime = 1000
    /// How many sessions beside those in memory a report names at most. Each takes about 100 bytes.
    private static let mostUnreported = 1_000_000

    /// Reports to the journal which sessions were used since the last call, so that they do not expire. Sessions whose last
    /// use was a change that is committed are not reported, because the journal has its time.
    ///
    /// If a report of some sessions fails, the next call names these again. A call does nothing while the report of an
    /// earlier call is still being made.
    public func reportUses(at now: WallTime, _ complain: @escaping @Sendable (HostError) -> Void) {
        guard !isReporting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let former = unreported.withLock { unreported in
            defer { unreported = [] }
            return unreported
        }
        let resident = shards.flatMap { shard in shard.withLock { $0.takeUnreported() } }
        // A journal stores the sessions in this order. Sessions that are stored together are reported together.
        let used = (resident + former).sorted { $0.createdAt < $1.createdAt }
        let groups = Dictionary(grouping: used) { journal.database(of: $0.id) }.values.map { $0[...] }
        report(groups[...], at: now, after: nil) { [self] error in
            if let error { complain(error) }
            isReporting.store(false, ordering: .releasing)
        }
    }

    /// Reports sessions, some in each call of the journal. A call that fails ends the report for its database, and those for the
    /// others continue.
    ///
    /// - Parameters:
    ///   - groups: the sessions of each database.
    ///   - failure: the first error of the calls before.
    ///   - completion: gets the first error of all calls.
    private func report(
        _ groups: ArraySlice<ArraySlice<UsedSession>>,
        at time: WallTime,
        after failure: HostError?,
        _ completion: @escaping @Sendable (HostError?) -> Void
    ) {
        guard let group = groups.first else { return completion(failure) }
        let some = group.prefix(Self.reportedAtATime)
        journal.touch(some.map(\.id), at: time) { [self] result in
            let others = groups.dropFirst()
            switch result {
            case .success:
                let rest = group.dropFirst(some.count)
                report(rest.isEmpty ? others : [rest] + others, at: time, after: failure, completion)
            case .failure(let error):
                reportLater(Array(group))
                report(others, at: time, after: failure ?? error, completion)
            }
        }
    }

    /// Has the next report name sessions that were used.
    func reportLater(_ used: [UsedSession]) {
        unreported.withLock { unreported in
            for session in used where unreported.count < Self.mostUnreported { unreported.insert(session) }
        }
    }
}
