internal import DeckJournal
internal import Locking

// Changes wait while a large change is made, and while it is decided whether the session ends.
extension HostedSession {
    /// The result of holding a session.
    enum Holding {
        /// Changes wait until ``release()`` is called. The session has this revision.
        case held(Revision)
        /// A change is being made or committed.
        case waits
        /// Its version is another, or it must be loaded again.
        case refused(HostError)
    }

    /// Makes changes wait, if every change so far is visible and the session has one of the versions of a condition.
    ///
    /// - Parameter retry: runs once the change is over that must be waited for.
    func hold(if condition: VersionCondition, orAfterwards retry: @escaping @Sendable () -> Void) -> Holding {
        inside.withLock { inside in
            guard !inside.isStale else { return .refused(.contended) }
            guard !inside.hold.isTaken else {
                return inside.hold.wait(retry) ? .waits : .refused(.overloaded)
            }
            guard inside.commits.isIdle else {
                inside.commits.wait { _ in retry() }
                return .waits
            }
            do throws(HostError) {
                try condition.check(inside.shown.session, of: self)
            } catch {
                return .refused(error)
            }
            inside.hold.take()
            return .held(inside.commits.revision)
        }
    }

    /// Makes the changes that have waited since the session was held.
    func release() {
        let waiting = inside.withLock { $0.hold.release() }
        for change in waiting { change() }
    }
}
