import DeckJournal
import Locking
import Synchronization

extension SessionTable {
    /// How many sessions are marked or ended at a time, so that no write keeps others waiting for long.
    private static let tidiedAtATime = 1000

    /// Tells the journal which sessions were used since the last time, and ends those that were not for long. Where the
    /// journal cannot be told, none is ended, and it is told the next time.
    func tidy(
        at now: Timestamp,
        idleSince time: Timestamp,
        _ complain: @escaping @Sendable (Problem) -> Void
    ) {
        let (formerUses, latestUses) = (tidiedUses.load(ordering: .relaxed), uses.load(ordering: .relaxed))
        let used = shards.flatMap { shard in
            shard.withLock { residents in
                residents.filter { $0.value.lastUse > formerUses }.map(\.key)
            }
        }
        touch(used[...], at: WallTime(now)) { [self] result in
            switch result {
            case .success:
                tidiedUses.store(latestUses, ordering: .relaxed)
                expire(idleSince: WallTime(time), complain)
            case .failure(let error): complain(Problem(error))
            }
        }
    }

    private func touch(_ ids: ArraySlice<String>, at time: WallTime, _ completion: @escaping JournalCompletion<Void>) {
        let some = ids.prefix(Self.tidiedAtATime)
        guard !some.isEmpty else { return completion(.success(())) }
        journal.touchSessions(Array(some), at: time) { [self] result in
            guard case .success = result else { return completion(result) }
            touch(ids.dropFirst(some.count), at: time, completion)
        }
    }

    private func expire(idleSince time: WallTime, _ complain: @escaping @Sendable (Problem) -> Void) {
        journal.expireSessions(idleSince: time, limit: Self.tidiedAtATime) { [self] result in
            switch result {
            case .success(let expired):
                for id in expired { forget(id) }
                count.subtract(expired.count, ordering: .relaxed)
            case .failure(let error): complain(Problem(error))
            }
        }
    }

    /// Drops the sessions from memory that were not used for as long as they may be idle there, and that nobody
    /// watches.
    ///
    /// - Parameter now: must never be earlier than in a call before.
    func dropIdle(at now: ContinuousClock.Instant = .now) {
        guard let lastUse = residency.mark(uses.load(ordering: .relaxed), at: now) else { return }
        for shard in shards {
            var unkept: [HostedSession] = []
            shard.withLock { residents in
                for (id, resident) in residents where resident.lastUse <= lastUse {
                    switch resident.session.leave() {
                    case .left: residents[id] = nil
                    case .stays: break
                    case .isToBeKept: unkept.append(resident.session)
                    }
                }
            }
            // They leave the next time. Nothing is written while others wait for the table.
            for session in unkept { session.keep() }
        }
    }
}
