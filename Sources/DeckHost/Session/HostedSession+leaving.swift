internal import DeckEngine
internal import Locking

extension HostedSession {
    /// What becomes of a session that is to leave memory.
    enum Leave: Sendable {
        case left
        /// It is watched, or a commit has started.
        case stays
        /// It has more than the journal has, and may leave after ``save(_:)``.
        case isToBeSaved
    }

    /// Has the session leave memory, if it may.
    func leave() -> Leave {
        inside.withLock { inside in
            // What is gone or failed has no reason to stay.
            if inside.isStale {
                inside.isGone = true
                return .left
            }
            guard inside.watchers.isEmpty, inside.commits.isEmpty else { return .stays }
            guard inside.state.session.version == inside.state.savedVersion else { return .isToBeSaved }
            inside.isGone = true
            return .left
        }
    }

    /// Notifies the watchers that there is nothing to watch any more. From now on the session cannot be changed here.
    func end() {
        let watchers = inside.withLock { inside in
            inside.isGone = true
            return inside.watchers.all
        }
        for watcher in watchers { watcher() }
    }

    /// Has the journal save what drags and the like have changed, if it has not yet.
    ///
    /// - Parameter completion: runs when that is done or has failed. Should it fail, nothing is lost that was to last.
    func save(_ completion: @escaping @Sendable () -> Void = {}) {
        change(refused: { _ in completion() }) { inside throws(HostError) in
            var change = Change { _ in completion() }
            change.record = record(&inside.state, verdicts: [], answer: nil)
            return change
        }
    }
}
