internal import DeckJournal
internal import Locking

// Other processes may change the session in a journal that is shared.
extension HostedSession {
    /// The last time at which this was known to be the latest version.
    var knownAt: ContinuousClock.Instant {
        inside.withLock { $0.knownAt }
    }

    /// The revision of the last entry that is known to be committed.
    var revision: Revision {
        inside.withLock { $0.commits.revision }
    }

    /// Whether the journal has a later revision than the last one that is known here. While an append is in flight it decides,
    /// because the later revision may be its own.
    func isBehind(_ revision: Revision) -> Bool {
        inside.withLock { $0.isBehind(revision) }
    }

    /// Compares the session with its head, which was read after a time.
    ///
    /// - Returns: whether the session is the latest version.
    func confirm(_ head: Revision, at time: ContinuousClock.Instant) -> Bool {
        inside.withLock { inside in
            guard !inside.isStale, !inside.isBehind(head) else { return false }
            inside.knownAt = max(inside.knownAt, time)
            return true
        }
    }
}

extension HostedSession.Inside {
    fileprivate func isBehind(_ revision: Revision) -> Bool {
        commits.isIdle && commits.revision < revision
    }
}
