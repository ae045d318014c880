internal import DeckJournal
internal import Locking

// Other processes may change the session in a journal that is shared.
extension HostedSession {
    /// The last time at which this was known to be the latest version.
    var knownAt: ContinuousClock.Instant {
        inside.withLock { $0.knownAt }
    }

    /// The last entry that is known to be committed.
    var head: LedgerHead {
        inside.withLock { $0.commits.head }
    }

    /// The revision after the last entry that is known to be committed.
    var revision: Revision {
        head.revision
    }

    /// Whether the journal has a later revision than the last one that is known here. While an append is in flight, the later
    /// revision may be its own. Then this is decided when the append is over.
    func isBehind(_ revision: Revision) -> Bool {
        inside.withLock { $0.isBehind(revision) }
    }

    /// Compares the session with its head, which was read after a time.
    ///
    /// - Parameter former: the session's head at that time. If the database has an earlier one, or another one of the same revision,
    ///   it has lost commits.
    /// - Returns: whether the session is the latest version.
    func confirm(_ head: LedgerHead, after former: LedgerHead, at time: ContinuousClock.Instant) -> Bool {
        inside.withLock { inside in
            guard head == former || head.revision > former.revision else { return false }
            guard !inside.isStale, !inside.isBehind(head.revision) else { return false }
            if inside.commits.isIdle { inside.knownAt = max(inside.knownAt, time) }
            return true
        }
    }
}

extension HostedSession.Inside {
    fileprivate mutating func isBehind(_ revision: Revision) -> Bool {
        guard commits.isIdle else {
            reported = max(reported ?? revision, revision)
            return false
        }
        return commits.revision < revision
    }

    /// Leaves memory if another process has appended to the entry of the append that has ended.
    mutating func leaveIfOvertaken() {
        guard commits.isIdle, let reported else { return }
        self.reported = nil
        if commits.revision < reported { isGone = true }
    }
}
