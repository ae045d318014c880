public import DeckEngine
public import DeckJournal
public import DeckWire
internal import Locking
internal import Synchronization

/// A session in memory: its engine with commits, clock, watchers and account.
public final class HostedSession: Sendable {
    /// The state of a session that can be read without waiting.
    public enum Glance: Sendable {
        /// The committed session.
        case state(State)
        /// A commit has started, after which watchers are notified.
        case unsettled
        /// The session has left memory. It has ended, or can be found again.
        case gone
        /// A change could not be committed, so that memory differs from the journal.
        case failed
    }

    /// The state that the session's lock protects.
    struct Inside: Sendable {
        var state: State
        var commits: CommitPipeline
        var watchers = Watchers()
        var answeredKeys: AnsweredKeys
        /// The session as another process has it.
        var preview: Preview?
        /// Whether other processes may have uncommitted changes. The next change here must be committed, and ends that.
        var mustTakeOver: Bool
        /// The last time at which this was known to be the latest version; see ``NewsCoverage``.
        var knownAt: ContinuousClock.Instant
        /// The latest revision that another process has reported while an append was in flight.
        var latestElsewhere: Revision?
        /// Whether the session has left memory, so that it must not be changed here any more.
        var isGone = false
        /// Taken while a change is made on the pool, or the session is held. Nothing else changes the state meanwhile.
        var hold = Hold()

        /// Whether the session must be loaded again before it is used.
        var isStale: Bool {
            isGone || commits.hasFailed
        }
    }

    /// The properties that never change.
    public let identity: SessionIdentity
    /// The source of the session's time.
    public let clock: SessionClock
    let journal: SessionJournal
    let pool: WorkPool
    let previews: PreviewSender
    /// How many bytes the session's cards may have.
    let cardBytesLimit: Int
    let inside: Lock<Inside>
    /// Grows with each use, so that the least recently used session has the smallest number.
    let lastUse = Atomic(0)
    /// Whether the session was used after the journal last got a time of use: with a change of the session, or in a report of used
    /// sessions.
    private let hasUnreportedUse = Atomic(false)
    /// The account that pays for the requests of the session and of its family.
    public let account: Account
    private let familyAccount: FamilyAccount

    init(
        identity: SessionIdentity,
        state: State,
        head: LedgerHead,
        answeredKeys: AnsweredKeys,
        knownAt: ContinuousClock.Instant,
        on table: SessionTable
    ) {
        self.identity = identity
        clock = SessionClock(of: identity)
        journal = table.journal
        pool = table.pool
        previews = table.previews
        cardBytesLimit = table.limits.cardBytesPerSession
        familyAccount = table.accounts.account(of: identity)
        account = familyAccount.account
        inside = Lock(
            Inside(
                state: state,
                commits: CommitPipeline(head: head),
                answeredKeys: answeredKeys,
                mustTakeOver: state.skipsNumbers && table.journal.isShared,
                knownAt: knownAt
            )
        )
    }

    /// Counts a use.
    func countUse(_ number: Int) {
        lastUse.store(number, ordering: .relaxed)
        hasUnreportedUse.store(true, ordering: .relaxed)
    }

    /// Counts all uses until now as reported.
    ///
    /// - Returns: whether there were any that were not.
    @discardableResult
    func countUsesAsReported() -> Bool {
        hasUnreportedUse.exchange(false, ordering: .relaxed)
    }

    /// Reads the state as the last event left it, once that is committed.
    ///
    /// - Returns: the state if there is nothing to wait for, or `contended` if the session must be loaded again; nil if
    ///   the reader gets it later, on any thread.
    func read(later reader: @escaping CommitPipeline.Reader) -> Result<State, HostError>? {
        inside.withLock { inside in
            if inside.commits.hasFailed { return .failure(.contended) }
            if inside.commits.isIdle { return .success(inside.shown) }
            inside.commits.wait(reader)
            return nil
        }
    }

    /// The state if there is nothing to wait for.
    public func readAtOnce() -> State? {
        inside.withLock { $0.isStale || !$0.commits.isIdle ? nil : $0.shown }
    }

    /// The committed state, if it is known now.
    public func glance() -> Glance {
        inside.withLock { inside in
            if let failure = inside.commits.failure, !failure.meansSessionChanged { return .failed }
            if inside.isStale { return .gone }
            if inside.commits.isIdle { return .state(inside.shown) }
            return inside.commits.committed.map { .state($0) } ?? .unsettled
        }
    }

    /// The time at which the session is read: now, or a moment to come on a manual clock.
    public func now(of session: DeckSession) -> Instant {
        clock.now(after: session.now)
    }

    /// The session at the time of the read. Queued commands may have been applied by then.
    public func present(_ state: State) -> DeckSession {
        state.session.advanced(to: now(of: state.session))
    }

    /// Adds a watcher. It is notified after each visible change, after a commit that failed, and when the session leaves memory, on
    /// any thread, until it is removed.
    ///
    /// - Returns: the number by which it can be removed; nil: the session is gone, and the watcher is never notified.
    public func watch(_ watcher: @escaping Watchers.Watcher) -> Int? {
        inside.withLock { inside in inside.isStale ? nil : inside.watchers.add(watcher) }
    }

    /// Whether there are watchers.
    var isWatched: Bool {
        inside.withLock { !$0.watchers.isEmpty }
    }

    /// Removes a watcher.
    public func unwatch(_ number: Int) {
        inside.withLock { inside in
            inside.watchers.remove(number)
            if inside.watchers.isEmpty { inside.state.moment = nil }
        }
    }

    /// The cost of events, from the state with all its changes, visible or not.
    public func cost(of requests: [EventRequest], rereading document: DeckDocument?, _ prices: Prices) -> Int {
        prices.cost(of: requests, rereading: document) {
            inside.withLock { $0.state.shared.read { Prices.SessionSize(of: $0) } }
        }
    }

    /// The cost of a copy of the session, beside that of its verdicts.
    public func costOfFork(_ prices: Prices) -> Int {
        inside.withLock { prices.cost(ofForkOf: $0.state) }
    }

    /// Whether the journal may have an answer to a request with this key.
    func mayHaveAnswered(_ key: String) -> Bool {
        inside.withLock { $0.answeredKeys.mayContain(key) }
    }

    /// Whether the session must be loaded again before it is used.
    var isStale: Bool {
        inside.withLock { $0.isStale }
    }

    /// Whether the session can be used as it is in memory: it need not be loaded again, and is not a preview.
    var isReady: Bool {
        inside.withLock { !$0.isStale && $0.preview == nil }
    }
}
