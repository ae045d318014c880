import DeckEngine
import DeckWire
import Synchronization

/// A session that clients can reach, with what is kept beside its engine.
final class HostedSession: Sendable {
    /// What never changes.
    struct Identity: Sendable {
        var id: String
        var token: String
        var spectatorToken: String
        var createdAt: Timestamp
        /// The deck it reads; nil: one of its own.
        var deckID: String?
        var clock: SessionClock
    }

    struct State: Sendable {
        var session: DeckSession
        /// The preset that the deck started from.
        var preset: Preset
        var notifications = NotificationLog()
        var verdicts = VerdictList()
        /// Everything that was done; nil: the session does not record.
        var log: SessionLog?
    }

    /// What the events of one request led to.
    struct Applied: Sendable {
        var outcomes: [Outcome]
        var session: DeckSession
        /// What must last before the answer is sent; nil if nothing does.
        var record: SessionRecord?
    }

    let identity: Identity
    private let state: Mutex<State>

    init(identity: Identity, state: State) {
        self.identity = identity
        self.state = Mutex(state)
    }

    /// The state as the last event left it.
    func read() -> State {
        state.withLock { $0 }
    }

    /// The session and the time it is read at: now, or a moment to come on a manual clock.
    func now(of session: DeckSession) -> Milliseconds {
        identity.clock.now(after: session.now)
    }

    /// Applies events in their order, all or, if one cannot be part of the session at all, none.
    ///
    /// - Parameters:
    ///   - rereadDeck: the deck that events which read it find; nil: the one the session has.
    ///   - isRehearsal: whether the session stays as it is.
    func apply(
        _ requests: [EventRequest],
        rereadDeck: DeckDocument?,
        isRehearsal: Bool
    ) throws(Problem) -> Applied {
        try state.withLock { state throws(Problem) in
            let times = try identity.clock.times(of: requests, after: state.session.now)
            try state.check(requests)
            guard isRehearsal else { return try state.apply(requests, at: times, rereadDeck, identity.id) }
            var rehearsal = state
            return try rehearsal.apply(requests, at: times, rereadDeck, identity.id)
        }
    }

    /// Applies a merge patch of the settings and the size.
    ///
    /// - Returns: the session after it.
    func patch(_ value: JSONValue) throws(WireError) -> DeckSession {
        try state.withLock { state throws(WireError) in
            let patch = try SessionPatch(value, over: state.session.deck.settings, preset: state.preset)
            if let error = patch.viewport?.misfit(for: state.session.deck.settings.layout) { throw error }
            let time = identity.clock.now(after: state.session.now)
            for event in patch.events {
                // The time is no earlier than the session's, so that nothing can be thrown.
                guard let outcome = try? state.session.apply(event, at: time) else { continue }
                state.notifications.append(outcome.notifications)
            }
            state.log?.append(patch: value.rawText, at: time)
            return state.session
        }
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
        _ rereadDeck: DeckDocument?,
        _ id: String
    ) throws(Problem) -> HostedSession.Applied {
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(requests.count)
        var changes: [VerdictChange] = []
        var mustLast = false
        for (request, time) in zip(requests, times) {
            let outcome = try apply(request, at: time, rereadDeck)
            notifications.append(outcome.notifications)
            for change in outcome.verdictChanges { verdicts.take(change) }
            changes += outcome.verdictChanges
            mustLast = mustLast || (outcome.isApplied && request.changesTheDeck(outcome))
            outcomes.append(outcome)
        }
        let record = SessionRecord(session: id, version: session.version, snapshot: session, verdictChanges: changes)
        return HostedSession.Applied(outcomes: outcomes, session: session, record: mustLast ? record : nil)
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
