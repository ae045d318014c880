public import DeckEngine
public import DeckJournal
internal import Locking

/// A session in memory, with what belongs to it beside its engine: commits, clock, watchers and limit.
public final class HostedSession: Sendable {
    /// What a look at a session finds without waiting.
    public enum Glance: Sendable {
        /// The session as it is committed.
        case state(State)
        /// A commit has started, after which watchers are notified.
        case unsettled
        /// The session has left memory, or what is in memory is not what the journal has.
        case gone
    }

    /// What is only touched under the session's lock.
    struct Inside: Sendable {
        var state: State
        var commits = CommitQueue()
        var outbox = Outbox()
        var watchers = Watchers()
        /// Whether the session has left memory, so that it must not be changed here any more.
        var isGone = false

        /// Whether the session is to be loaded again before anything is done with it.
        var isStale: Bool {
            isGone || commits.hasFailed
        }
    }

    /// Who the session is: what never changes.
    public let identity: SessionIdentity
    /// Where the session's time comes from.
    public let clock: SessionClock
    /// Tells this stay in memory from every other: versions that were not committed may be given again in the next.
    private let stay = String(UInt32.random(in: .min ... .max), radix: 16)
    let journal: SessionJournal
    let inside: Lock<Inside>
    /// What is left of the limit of events; nil: no event has come yet.
    let bucket = Lock<TokenBucket?>(nil)

    init(identity: SessionIdentity, clock: SessionClock, state: State, journal: SessionJournal) {
        self.identity = identity
        self.clock = clock
        self.journal = journal
        inside = Lock(Inside(state: state))
    }

    /// Reads the state as the last event left it, once that is committed.
    ///
    /// - Returns: the state if there is nothing to wait for, or `contended` if the session is to be loaded again; nil:
    ///   the reader gets it later, on any thread.
    func read(later reader: @escaping CommitQueue.Reader) -> Result<State, HostError>? {
        inside.withLock { inside in
            if inside.commits.hasFailed { return .failure(.contended) }
            if inside.commits.isEmpty { return .success(inside.state) }
            inside.commits.append(reader)
            return nil
        }
    }

    /// The state as it is committed, if that can be said at once.
    public func glance() -> Glance {
        inside.withLock { inside in
            if inside.isStale { return .gone }
            if inside.commits.isEmpty { return .state(inside.state) }
            return inside.commits.committed.map { .state($0) } ?? .unsettled
        }
    }

    /// The time at which the session is read: now, or a moment to come on a manual clock.
    public func now(of session: DeckSession) -> Instant {
        clock.now(after: session.now)
    }

    /// The session as it is at the time it is read at, which may be after queued commands have taken effect.
    public func present(_ state: State) -> DeckSession {
        state.session.advanced(to: now(of: state.session))
    }

    /// What names a version: its number, and with it the stay in memory as long as the journal does not have it.
    ///
    /// - Parameter savedVersion: the version that the journal was last given.
    public func versionName(of session: DeckSession, savedVersion: Int) -> String {
        let version = session.version
        return version <= savedVersion ? "\(version)" : "\(version)-\(stay)"
    }

    /// Whether a name is one of the session's version as it is.
    func isNamed(_ name: String, _ session: DeckSession) -> Bool {
        name == "\(session.version)" || name == versionName(of: session, savedVersion: -1)
    }

    /// Adds a watcher, which is notified after each committed change, on any thread, until it is removed.
    ///
    /// - Returns: the number by which it can be removed; nil: the session is gone, and the watcher is never notified.
    public func watch(_ watcher: @escaping Watchers.Watcher) -> Int? {
        inside.withLock { inside in inside.isStale ? nil : inside.watchers.add(watcher) }
    }

    /// Removes a watcher.
    public func unwatch(_ number: Int) {
        inside.withLock { $0.watchers.remove(number) }
    }

    /// Whether the session is to be loaded again before anything is done with it.
    var isStale: Bool {
        inside.withLock { $0.isStale }
    }
}
