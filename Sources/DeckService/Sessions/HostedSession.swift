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
        var records: Bool
    }

    struct State: Sendable {
        var session: DeckSession
        /// The preset that the deck started from.
        var preset: Preset
        var notifications = NotificationLog()
        var verdicts = VerdictList()
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
    ///   - rereadDeck: the deck that a `reload` finds; nil: the one it has.
    ///   - isRehearsal: whether the session stays as it is.
    func apply(
        _ requests: [EventRequest],
        rereadDeck: DeckDocument?,
        isRehearsal: Bool
    ) throws(Problem) -> Applied {
        try state.withLock { state throws(Problem) in
            let times = try identity.clock.times(of: requests, after: state.session.now)
            guard isRehearsal else { return try state.apply(requests, at: times, rereadDeck, identity.id) }
            var rehearsal = state
            return try rehearsal.apply(requests, at: times, rereadDeck, identity.id)
        }
    }
}

extension HostedSession.State {
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
            if let change = outcome.verdictChange {
                verdicts.take(change)
                changes.append(change)
            }
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
        let event: Event
        switch request.action {
        case .event(let plain): event = plain
        case .reload:
            event = .reload(rereadDeck?.deck ?? session.deck)
            if let rereadDeck { preset = rereadDeck.preset }
        }
        do throws(SessionError) {
            return try session.apply(event, at: time)
        } catch {
            // The times were checked before; this is here so that a mistake there is an answer and no trap.
            throw Problem(.timeRunsBackwards, "\(request.pointer)/at lies before the event before it.")
        }
    }
}

extension EventRequest {
    /// Whether an applied event must last: all but drags that decide nothing, taps and ticks.
    fileprivate func changesTheDeck(_ outcome: Outcome) -> Bool {
        switch action {
        case .event(.drag): outcome.ending == .swiped
        case .event(.tap), .event(.tick): false
        case .event(.swipe), .event(.revert), .event(.reset), .event(.reload), .reload: true
        }
    }
}
