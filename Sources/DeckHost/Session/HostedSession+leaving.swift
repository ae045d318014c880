internal import DeckEngine
internal import Locking

extension HostedSession {
    /// The result of an eviction.
    enum Leave: Sendable {
        case left
        /// It is watched, or a commit has started.
        case stays
        /// It has more than the journal has, and may leave after ``save(_:)``.
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
            guard inside.watchers.isEmpty, inside.commits.isEmpty else { return .stays }
            guard inside.state.session.version == inside.state.savedVersion else { return .isToBeSaved }
            inside.isGone = true
            return .left
        }
    }

    /// Notifies the watchers that the session has left memory. It can no longer be changed here.
    func end() {
        let watchers = inside.withLock { inside in
            inside.isGone = true
            return inside.watchers.all
        }
        for watcher in watchers { watcher() }
    }

    /// Saves the changes that needed no commit, such as drags.
    ///
    /// - Parameter completion: runs after the commit or its failure. A failure loses only changes that needed no commit.
    func save(_ completion: @escaping @Sendable () -> Void = {}) {
        change(refused: { _ in completion() }) { inside throws(HostError) in
            var change = Change { _ in completion() }
            change.record = record(&inside.state, verdicts: [], answer: nil)
            return change
        }
    }
}
