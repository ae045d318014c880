import DeckEngine
import DeckJournal
import DeckWire
import Locking

/// A session that clients can reach, with what is kept beside its engine.
final class HostedSession: Sendable {
    /// What a look at a session finds without waiting.
    enum Glance: Sendable {
        case state(State)
        /// A commit is under way, after which watchers are told.
        case unsettled
        /// The session has ended, or what is in memory is not what the journal has.
        case gone
    }

    /// What is only touched under the session's lock.
    struct Inside: Sendable {
        var state: State
        var commits = CommitQueue()
        var watchers = Watchers()
        /// Whether the session has left memory, so that nobody may change it here any more.
        var isGone = false
    }

    let identity: SessionIdentity
    let clock: SessionClock
    /// Tells this stay in memory from every other: versions that the journal never had may be given again in the next.
    private let stay = String(UInt32.random(in: .min ... .max), radix: 16)
    /// Locked while a record is made and handed over, so that the journal gets records in the order of their versions.
    let journal: Lock<any Journal>
    let inside: Lock<Inside>
    /// Requests with these idempotency keys are under way.
    private let keysUnderWay = Lock<Set<String>>([])
    /// What is left of the limit of events; nil: no event has come yet.
    let bucket = Lock<TokenBucket?>(nil)

    init(identity: SessionIdentity, clock: SessionClock, state: State, journal: any Journal) {
        self.identity = identity
        self.clock = clock
        inside = Lock(Inside(state: state))
        self.journal = Lock(journal)
    }

    /// The state as the last event left it, if that is kept; otherwise the reader is told it once it is, on any thread.
    func read(later reader: @escaping CommitQueue.Reader) -> Result<State, JournalError>? {
        inside.withLock { inside in
            if let failure = inside.commits.failure { return .failure(failure) }
            if inside.commits.isEmpty { return .success(inside.state) }
            inside.commits.append(reader)
            return nil
        }
    }

    /// The state as it is kept, if that can be told at once.
    func glance() -> Glance {
        inside.withLock { inside in
            if inside.isGone || inside.commits.failure != nil { return .gone }
            if inside.commits.isEmpty { return .state(inside.state) }
            return inside.commits.kept.map { .state($0) } ?? .unsettled
        }
    }

    /// The session and the time it is read at: now, or a moment to come on a manual clock.
    func now(of session: DeckSession) -> Instant {
        clock.now(after: session.now)
    }

    /// The session as it is at the time it is read at, which may be after queued commands have taken effect.
    func present(_ state: State) -> DeckSession {
        state.session.advanced(to: now(of: state.session))
    }

    /// What a frame at rest is known by: its version, and before the journal has that, the stay in memory too.
    ///
    /// - Parameter keptVersion: the version that the journal was last given.
    func entityTag(of session: DeckSession, keptVersion: Int) -> String {
        let version = session.version
        return version <= keptVersion ? "\"\(version)\"" : "\"\(version)-\(stay)\""
    }

    /// Whether a tag, or a version in quotes, names the session as it is.
    func isNamed(by tag: String, _ session: DeckSession) -> Bool {
        tag == "\"\(session.version)\"" || tag == entityTag(of: session, keptVersion: -1)
    }

    /// Has a watcher told after each change that is kept, on any thread, until it is taken away.
    ///
    /// - Returns: by what it can be taken away; nil: the session is gone, and the watcher is told nothing.
    func watch(_ watcher: @escaping Watchers.Watcher) -> Int? {
        inside.withLock { inside in
            inside.isGone || inside.commits.failure != nil ? nil : inside.watchers.add(watcher)
        }
    }

    /// Takes a watcher away.
    func unwatch(_ number: Int) {
        inside.withLock { $0.watchers.remove(number) }
    }

    /// What becomes of a session that is to leave memory.
    enum Leave: Sendable {
        case left
        /// Somebody watches it, or a commit is under way.
        case stays
        /// It has more than the journal has, and may leave after ``keep()``.
        case isToBeKept
    }

    /// Lets go of a session that is to leave memory, if it may.
    func leave() -> Leave {
        inside.withLock { inside in
            guard inside.watchers.isEmpty, inside.commits.isEmpty else { return .stays }
            guard inside.state.session.version == inside.state.keptVersion else { return .isToBeKept }
            inside.isGone = true
            return .left
        }
    }

    /// Whether what is in memory is not what the journal has.
    var isLost: Bool {
        inside.withLock { $0.commits.failure != nil }
    }

    /// Tells watchers that there is nothing to watch any more.
    func end() {
        let watchers = inside.withLock { inside in
            inside.isGone = true
            return inside.watchers.all
        }
        for watcher in watchers { watcher() }
    }

    /// Claims an idempotency key for one request; false: another request with it is under way.
    func begin(key: String) -> Bool {
        keysUnderWay.withLock { $0.insert(key).inserted }
    }

    /// Gives a key free.
    func end(key: String) {
        _ = keysUnderWay.withLock { $0.remove(key) }
    }

    /// Applies events in their order, all or, if one cannot be part of the session at all, none, and gives the journal
    /// what must last.
    ///
    /// - Parameters:
    ///   - rereadDeck: the deck that events which read it find; nil: the one the session has.
    ///   - condition: what must be true of the session's version.
    ///   - isRehearsal: whether the session stays as it is.
    ///   - answer: makes the answer, and says under which key it is to be found again; it runs under the session's
    ///     lock.
    ///   - completion: is told the answer, or why there is none, once all that it reports is kept.
    /// - Throws: why there is no answer, if that can be told at once.
    func apply(
        _ requests: [EventRequest],
        rereadDeck: DeckDocument?,
        if condition: VersionCondition,
        isRehearsal: Bool,
        answer: (Applied) -> (response: [UInt8], key: AnswerKey?),
        completion: @escaping @Sendable (Result<[UInt8], Problem>) -> Void
    ) throws(Problem) {
        try change(refused: { completion(.failure($0)) }) { inside throws(Problem) in
            try condition.check(inside.state.session, of: self)
            let times = try clock.times(of: requests, after: inside.state.session.now)
            try inside.state.check(requests)
            guard !isRehearsal else {
                var rehearsal = inside.state
                let response = answer(try rehearsal.apply(requests, at: times, rereadDeck)).response
                return Change { state in completion(Result { () throws(Problem) in try state.found(response) }) }
            }
            let applied = try inside.state.apply(requests, at: times, rereadDeck)
            let (response, key) = answer(applied)
            var change = Change(isSeen: true) { state in
                completion(Result { () throws(Problem) in try state.found(response) })
            }
            if applied.mustLast || key != nil || inside.state.log?.isDueToBeKept == true {
                change.record = record(
                    &inside.state,
                    verdicts: applied.verdictChanges,
                    answer: key?.record(of: response)
                )
            }
            return change
        }
    }

    /// Applies a merge patch of the settings and the size.
    ///
    /// - Parameter completion: is told the session after it once it is kept.
    func patch(
        _ value: JSONValue,
        completion: @escaping @Sendable (Result<DeckSession, Problem>) -> Void
    ) throws(Problem) {
        try change(refused: { completion(.failure($0)) }) { inside throws(Problem) in
            let patch: SessionPatch
            do throws(WireError) {
                patch = try SessionPatch(value, over: inside.state.session.settings, preset: inside.state.preset)
                if let error = patch.viewport?.misfit(for: inside.state.session.settings.layout) { throw error }
            } catch {
                throw Problem(error)
            }
            let time = clock.now(after: inside.state.session.now)
            for event in patch.events {
                // The time is no earlier than the session's, so that nothing can be thrown.
                guard let outcome = try? inside.state.session.apply(event, at: time) else { continue }
                inside.state.notifications.append(outcome.notifications)
            }
            inside.state.log?.append(patch: value.compactText, at: time)
            let session = inside.state.session
            var change = Change(isSeen: true) { state in
                completion(Result { () throws(Problem) in try state.found(session) })
            }
            change.record = record(&inside.state, verdicts: [], answer: nil)
            return change
        }
    }
}
