import DeckEngine
import DeckJournal
import DeckWire
import Locking

/// A session that clients can reach, with what is kept beside its engine.
final class HostedSession: Sendable {
    struct State: Sendable {
        var session: DeckSession
        /// The preset that the deck started from.
        var preset: Preset
        /// The version that the journal was last given.
        var keptVersion = 0
        /// The cards that the journal was last given.
        var keptCards: Int
        var notifications = NotificationLog()
        /// What was done since the journal was last given something; nil: the session does not record.
        var log: SessionLog?

        init(session: DeckSession, preset: Preset, keptVersion: Int = 0) {
            self.session = session
            self.preset = preset
            self.keptVersion = keptVersion
            keptCards = session.cardsRevision
        }
    }

    /// What the events of one request led to.
    struct Applied: Sendable {
        var outcomes: [Outcome]
        var session: DeckSession
        /// Whether what happened must last before the answer is sent.
        var mustLast: Bool
        var verdictChanges: [VerdictChange]
    }

    let identity: SessionIdentity
    let clock: SessionClock
    private let state: Lock<State>
    /// Requests with these idempotency keys are under way.
    private let keysUnderWay = Lock<Set<String>>([])
    private let journal: any Journal

    init(identity: SessionIdentity, clock: SessionClock, state: State, journal: any Journal) {
        self.identity = identity
        self.clock = clock
        self.state = Lock(state)
        self.journal = journal
    }

    /// The state as the last event left it.
    func read() -> State {
        state.withLock { $0 }
    }

    /// The session and the time it is read at: now, or a moment to come on a manual clock.
    func now(of session: DeckSession) -> Milliseconds {
        clock.now(after: session.now)
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
    ///   - answer: makes the answer, and says under which key it is to be found again; it runs under the session's lock,
    ///     so that the journal gets records in the order of their versions.
    ///   - completion: is told the answer once what it reports is kept. It may run under the session's lock.
    func apply(
        _ requests: [EventRequest],
        rereadDeck: DeckDocument?,
        if condition: VersionCondition,
        isRehearsal: Bool,
        answer: (Applied) -> (response: [UInt8], key: AnswerKey?),
        completion: @escaping @Sendable (Result<[UInt8], JournalError>) -> Void
    ) throws(Problem) {
        try state.withLock { state throws(Problem) in
            try condition.check(state.session, of: self)
            let times = try clock.times(of: requests, after: state.session.now)
            try state.check(requests)
            guard !isRehearsal else {
                var rehearsal = state
                completion(.success(answer(try rehearsal.apply(requests, at: times, rereadDeck)).response))
                return
            }
            let applied = try state.apply(requests, at: times, rereadDeck)
            let (response, key) = answer(applied)
            guard applied.mustLast || key != nil else { return completion(.success(response)) }
            let answerRecord = key?.record(of: response)
            keep(&state, verdicts: applied.verdictChanges, answer: answerRecord) { result in
                completion(result.map { response })
            }
        }
    }

    /// Applies a merge patch of the settings and the size.
    ///
    /// - Parameter completion: is told the session after it once it is kept. It may run under the session's lock.
    func patch(
        _ value: JSONValue,
        completion: @escaping @Sendable (Result<DeckSession, JournalError>) -> Void
    ) throws(WireError) {
        try state.withLock { state throws(WireError) in
            let patch = try SessionPatch(value, over: state.session.deck.settings, preset: state.preset)
            if let error = patch.viewport?.misfit(for: state.session.deck.settings.layout) { throw error }
            let time = clock.now(after: state.session.now)
            for event in patch.events {
                // The time is no earlier than the session's, so that nothing can be thrown.
                guard let outcome = try? state.session.apply(event, at: time) else { continue }
                state.notifications.append(outcome.notifications)
            }
            state.log?.append(patch: value.rawText, at: time)
            let session = state.session
            keep(&state, verdicts: [], answer: nil) { completion($0.map { session }) }
        }
    }

    /// Gives the journal the state. The lock is held, so that records come in the order of their versions; the journal
    /// only takes them over and does not make the caller wait.
    private func keep(
        _ state: inout State,
        verdicts: [VerdictChange],
        answer: AnswerRecord?,
        _ completion: @escaping JournalCompletion<Void>
    ) {
        let now = Timestamp.now()
        let haveCardsChanged = state.session.cardsRevision != state.keptCards
        let record = SessionRecord(
            session: identity.id,
            at: WallTime(now),
            version: state.session.version,
            snapshot: SessionForm.snapshot(state),
            cards: haveCardsChanged ? .replaced(state.session.deck.cards.snapshot()) : .unchanged,
            verdicts: verdicts.map(VerdictRecord.init),
            logLines: state.log?.take() ?? [],
            answer: answer,
            answersExpireBefore: WallTime(milliseconds: Int64(now.milliseconds - AnswerKey.lifetimeMilliseconds))
        )
        let formerVersion = state.keptVersion
        state.keptVersion = record.version
        state.keptCards = state.session.cardsRevision
        journal.commit(record, expecting: formerVersion, completion: completion)
    }
}

extension HostedSession.State {
    /// Checks what depends on the session and an event together.
    fileprivate func check(_ requests: [EventRequest]) throws(Problem) {
        for request in requests {
            guard case .event(.resize(let viewport, _)) = request.action,
                let error = viewport.misfit(for: session.deck.settings.layout)
            else { continue }
            let issue = error.errors[0]
            throw Problem(WireError(error.kind, at: request.pointer + issue.pointer, issue.detail))
        }
    }

    fileprivate mutating func apply(
        _ requests: [EventRequest],
        at times: [Milliseconds],
        _ rereadDeck: DeckDocument?
    ) throws(Problem) -> HostedSession.Applied {
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(requests.count)
        var changes: [VerdictChange] = []
        var mustLast = false
        for (request, time) in zip(requests, times) {
            let outcome = try apply(request, at: time, rereadDeck)
            notifications.append(outcome.notifications)
            changes += outcome.verdictChanges
            mustLast = mustLast || (outcome.isApplied && request.changesTheDeck(outcome))
            outcomes.append(outcome)
        }
        return HostedSession.Applied(
            outcomes: outcomes,
            session: session,
            mustLast: mustLast,
            verdictChanges: changes
        )
    }

    private mutating func apply(
        _ request: EventRequest,
        at time: Milliseconds,
        _ rereadDeck: DeckDocument?
    ) throws(Problem) -> Outcome {
        let event = request.engineEvent(in: session, rereading: rereadDeck)
        let outcome: Outcome
        do throws(SessionError) {
            outcome = try session.apply(event, at: time)
        } catch {
            // The times were checked before; this is here so that a mistake there is an answer and no trap.
            throw Problem(.timeRunsBackwards, "\(request.pointer)/at lies before the event before it.")
        }
        if request.action == .reload, let rereadDeck { preset = rereadDeck.preset }
        log?.append(request, at: time, deck: request.readsTheDeck ? rereadDeck : nil)
        return outcome
    }
}

extension EventRequest {
    /// Whether an applied event must last: all but drags that decide nothing, scrolling, taps, hints and ticks.
    fileprivate func changesTheDeck(_ outcome: Outcome) -> Bool {
        switch action {
        case .event(.drag): outcome.ending == .swiped
        case .event(.scroll), .event(.tap), .event(.nudge), .event(.appear), .event(.tick): false
        case .event, .reload, .refresh: true
        }
    }
}
