internal import DeckEngine
internal import Locking

extension HostedSession {
    /// The result of an eviction.
    enum Leave: Sendable {
        case left
        /// It is watched, or a commit has started.
        case stays
        /// It has changes or reserved numbers that the journal must learn of. It may leave after ``save(_:)``.
        case isToBeSaved
    }

    /// Evicts the session from memory if possible.
    func leave() -> Leave {
        inside.withLock { inside in
            // A session that is gone or has failed need not stay.
            if inside.isStale {
                inside.isGone = true
                return .left
            }
            guard inside.watchers.isEmpty, inside.commits.isIdle, !inside.hold.isTaken else { return .stays }
            // Numbers that are reserved and not given out would be skipped by the next stay.
            guard inside.isSavedExactly else { return .isToBeSaved }
            inside.isGone = true
            return .left
        }
    }

    /// Whether the journal has the latest state of the session. This is true for a session that must be loaded again.
    var isSavedExactly: Bool {
        inside.withLock { $0.isStale || ($0.commits.isIdle && !$0.hold.isTaken && $0.isSavedExactly) }
    }

    /// Notifies the watchers that the session has left memory. It can no longer be changed here.
    func retire() {
        let watchers = inside.withLock { inside in
            inside.isGone = true
            return inside.watchers.all
        }
        for watcher in watchers { watcher() }
    }

    /// Saves the changes that needed no commit, such as drags, so that the session can leave memory.
    ///
    /// - Parameter completion: gets whether they were committed. A failure loses only these changes.
    func save(_ completion: @escaping @Sendable (_ isSaved: Bool) -> Void) {
        change(ChangeDemand(), refused: { _ in completion(false) }) { inside throws(HostError) in
            // The entry reserves no numbers beyond those that were given out, so that the next stay continues there.
            inside.state.usesBlock = false
            var change = Change { result in
                if case .success = result { completion(true) } else { completion(false) }
            }
            change.mustCommit = true
            return change
        }
    }
}

extension HostedSession.Inside {
    /// Whether the journal has everything that this process has changed.
    fileprivate var isSavedExactly: Bool { preview != nil || state.isSavedExactly }
}
