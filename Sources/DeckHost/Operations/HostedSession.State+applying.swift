internal import DeckEngine
internal import DeckJournal
internal import DeckWire

/// The result of applying an operation, with the parts that the journal needs.
struct AppliedOperation {
    var outcome: OperationOutcome
    /// Whether the change must be committed before the response is sent.
    var mustBeDurable: Bool
    /// What the operation adds to the feed, in order: verdicts, pending swipes and notices.
    var feedRecords: [FeedRecord]
}

extension HostedSession.State {
    /// Applies the change of an operation. The result depends only on the state, the clock and the limit. An error leaves the
    /// state unchanged.
    ///
    /// - Parameter cardBytesLimit: how many bytes the session's cards may have.
    mutating func apply(
        _ action: Operation.Action,
        by clock: SessionClock,
        _ cardBytesLimit: Int = .max
    ) throws(HostError) -> AppliedOperation {
        switch action {
        case .events(let requests, let document):
            // An insert can be refused after events before it.
            let inserts = requests.indices.contains { requests[$0].insertedCards.count > 0 }
            let former = inserts && requests.count > 1 ? self : nil
            do throws(HostError) {
                return try apply(requests, rereading: document, by: clock, cardBytesLimit)
            } catch {
                if let former { self = former }
                throw error
            }
        case .patch(let body): return try apply(patch: body, by: clock)
        }
    }

    private mutating func apply(
        _ requests: [EventRequest],
        rereading document: DeckDocument?,
        by clock: SessionClock,
        _ cardBytesLimit: Int
    ) throws(HostError) -> AppliedOperation {
        let now = try clock.check(timesOf: requests, after: session.now)
        try check(requests, rereading: document)
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(requests.count)
        var feedRecords: [FeedRecord] = []
        var mustBeDurable = false
        for index in requests.indices {
            try checkBytes(of: requests[index], cardBytesLimit)
            let outcome = try apply(requests[index], at: requests[index].at ?? now, document)
            notifications.append(outcome.notifications)
            feedRecords.append(recordsOf: outcome.notifications, outcome.verdictChanges)
            mustBeDurable = mustBeDurable || (outcome.isApplied && requests[index].mustBeDurable(after: outcome))
            outcomes.append(outcome)
        }
        return AppliedOperation(
            outcome: OperationOutcome(outcomes: outcomes, shared: shared),
            // While an event is applied, queued commands can take effect: a swipe that becomes pending adds a row to the feed, and
            // others change the cards. Both must be durable.
            mustBeDurable: mustBeDurable || !feedRecords.isEmpty || shared.read(\.hasUnsavedCards),
            feedRecords: feedRecords
        )
    }

    /// Checks that the cards of the session and those that an event inserts have no more bytes together than the limit.
    private func checkBytes(of request: EventRequest, _ limit: Int) throws(HostError) {
        let added = request.insertedCards.contentByteCount
        guard added > 0, session.cards.contentByteCount + added > limit else { return }
        throw .tooManyCardBytes(limit: limit)
    }

    /// Checks that the viewport fits the layout after each event that changes one of them.
    private func check(_ requests: [EventRequest], rereading document: DeckDocument?) throws(HostError) {
        var newViewport: Size?
        var newLayout: Layout?
        for index in requests.indices {
            switch requests[index].action {
            case .event(.resize(let viewport?, _)):
                newViewport = viewport
                guard let error = viewport.misfit(for: newLayout ?? session.settings.layout) else { continue }
                let issue = error.issue
                throw .invalid(WireError(error.kind, at: requests[index].pointer + issue.pointer, issue.detail))
            case .reload:
                guard let layout = document?.deck.settings.layout else { continue }
                newLayout = layout
                guard (newViewport ?? session.viewport).misfit(for: layout) != nil else { continue }
                let detail = "reads a deck whose layout does not fit the session's viewport"
                throw .invalid(WireError(.outOfRange, at: requests[index].pointer + "/type", detail))
            default: continue
            }
        }
    }

    private mutating func apply(
        _ request: EventRequest,
        at time: Instant,
        _ rereadDeck: DeckDocument?
    ) throws(HostError) -> Outcome {
        recordCheckpointIfDue()
        let event = request.engineEvent(rereading: rereadDeck?.deck ?? session.deck)
        let outcome: Outcome
        do throws(SessionError) {
            outcome = try session.apply(event, onlyOn: request.id, at: time)
        } catch {
            // This does not happen, because the times were checked before. If it did, only this request would fail.
            throw .timeRunsBackwards(pointer: "\(request.pointer)/at", former: session.now)
        }
        if request.action == .reload, let rereadDeck { preset = rereadDeck.preset }
        log?.append(request, at: time, deck: request.readsTheDeck ? rereadDeck : nil)
        return outcome
    }

    private mutating func apply(patch body: [UInt8], by clock: SessionClock) throws(HostError) -> AppliedOperation {
        let (patch, text) = try read(patch: body)
        let time = clock.now(after: session.now)
        recordCheckpointIfDue()
        var outcomes: [Outcome] = []
        for event in patch.events {
            // The time is no earlier than the session's, so that nothing can be thrown.
            guard let outcome = try? session.apply(event, at: time) else { continue }
            notifications.append(outcome.notifications)
            outcomes.append(outcome)
        }
        log?.append(patch: text, at: time)
        let outcome = OperationOutcome(outcomes: outcomes, shared: shared)
        var feedRecords: [FeedRecord] = []
        for outcome in outcomes { feedRecords.append(recordsOf: outcome.notifications, outcome.verdictChanges) }
        return AppliedOperation(outcome: outcome, mustBeDurable: true, feedRecords: feedRecords)
    }

    func read(patch body: [UInt8]) throws(HostError) -> (patch: SessionPatch, text: String) {
        do throws(WireError) {
            return try JSONParser.read(body) { value throws(WireError) in
                let patch = try SessionPatch(value, over: session.settings, preset: preset)
                if let error = patch.viewport?.misfit(for: session.settings.layout) { throw error }
                return (patch, value.compactText)
            }
        } catch {
            throw .invalid(error)
        }
    }
}

extension EventRequest {
    /// The cards that the event inserts.
    @inline(__always)
    var insertedCards: CardList {
        if case .event(.insert(let cards, _)) = action { cards } else { .numbered(0) }
    }

    /// Whether the change of an applied event must be committed before the response is sent. This is false for scrolling,
    /// taps, presses, hints and ticks, and for a drag that does not end with a swipe, a pending swipe or a revert.
    @inline(__always)
    fileprivate func mustBeDurable(after outcome: Outcome) -> Bool {
        switch action {
        case .event(.drag): [.swiped, .pending, .reverted].contains(outcome.ending)
        case .event(.scroll), .event(.tap), .event(.press), .event(.nudge), .event(.tick): false
        case .event, .reload, .refresh: true
        }
    }
}
