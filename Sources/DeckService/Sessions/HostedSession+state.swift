import DeckEngine
import DeckWire

extension HostedSession {
    /// What there is of a session.
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
}

extension HostedSession.State {
    /// Checks what depends on the session and an event together.
    func check(_ requests: [EventRequest]) throws(Problem) {
        for request in requests {
            guard case .event(.resize(let viewport, _)) = request.action,
                let error = viewport?.misfit(for: session.settings.layout)
            else { continue }
            let issue = error.issue
            throw Problem(WireError(error.kind, at: request.pointer + issue.pointer, issue.detail))
        }
    }

    /// Applies events at times that were checked.
    mutating func apply(
        _ requests: [EventRequest],
        at times: [Instant],
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
        at time: Instant,
        _ rereadDeck: DeckDocument?
    ) throws(Problem) -> Outcome {
        let event = request.engineEvent(in: session, rereading: rereadDeck)
        let outcome: Outcome
        do throws(SessionError) {
            outcome = try session.apply(event, onlyOn: request.id, at: time)
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
    /// Whether an applied event must last: all but drags that decide nothing, scrolling, taps, presses, hints and ticks.
    fileprivate func changesTheDeck(_ outcome: Outcome) -> Bool {
        switch action {
        case .event(.drag): [.swiped, .pending, .reverted].contains(outcome.ending)
        case .event(.scroll), .event(.tap), .event(.press), .event(.nudge), .event(.appear), .event(.tick): false
        case .event, .reload, .refresh: true
        }
    }
}
