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
            guard !inside.isBusy else {
                return inside.enqueue(retry) ? .waits : .refused(.overloaded)
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
            inside.isBusy = true
            return .held(inside.commits.revision)
        }
    }

    /// Makes the changes that have waited since the session was held.
    func release() {
        inside.withLock { $0.isBusy = false }
        makeWaiting()
    }

    /// Makes the changes that have waited.
    func makeWaiting() {
        let waiting = inside.withLock { inside in
            defer { inside.waiting = [] }
            return inside.waiting
        }
        for change in waiting { change() }
    }
}

extension HostedSession.Inside {
    /// The maximum number of changes that wait.
    private static let maximumWaiting = 256

    /// Makes a change wait until the session is no longer busy. Returns false if too many wait.
    mutating func enqueue(_ change: @escaping @Sendable () -> Void) -> Bool {
        guard waiting.count < Self.maximumWaiting else { return false }
        waiting.append(change)
        return true
    }
}
