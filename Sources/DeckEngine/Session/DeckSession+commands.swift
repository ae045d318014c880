// Commands: what can wait for the deck to come to rest.
extension DeckSession {
    /// Does a command now, later or not at all, as the deck's policy for a busy deck says.
    mutating func run(_ command: Command, _ outcome: inout Outcome) {
        let waiting = WaitingCommand(command: command, acceptedAt: now)
        switch settings.rules.whileAnimating {
        case .proceed:
            perform(waiting, &outcome)
        case .ignore:
            if let refusal = busyRefusal(of: command) {
                outcome.refusal = refusal
            } else {
                perform(waiting, &outcome)
            }
        case .queue:
            if isMoving || drag != nil || !queue.isEmpty {
                enqueue(waiting, &outcome)
            } else {
                perform(waiting, &outcome)
            }
        }
    }

    /// Koloda's lock: a swipe also waits for the finger and for the reset spring, other commands do not.
    private func busyRefusal(of command: Command) -> Refusal? {
        guard case .swipe = command else { return isBusy ? .animating : nil }
        if drag != nil { return .dragging }
        return isBusy || isFrontSettling ? .animating : nil
    }

    private mutating func perform(_ waiting: WaitingCommand, _ outcome: inout Outcome) {
        switch waiting.command {
        case .swipe(let direction, let force):
            swipeByCall(direction, force: force, acceptedAt: waiting.acceptedAt, &outcome)
        case .revert(let style, let count): revert(style, count: count, &outcome)
        case .redo(let count): redo(count: count, acceptedAt: waiting.acceptedAt, &outcome)
        case .move(let index): jump(to: index, &outcome)
        case .sendToBack: sendToBack(&outcome)
        case .putBack: putBack(&outcome)
        }
    }

    /// Lets a command wait. What it will do is known, because only time passes until it does it: anything else that
    /// changes the deck makes the waiting commands take effect first.
    private mutating func enqueue(_ waiting: WaitingCommand, _ outcome: inout Outcome) {
        guard queue.count < EngineLimits.queuedCommands else {
            outcome.refusal = .animating
            return
        }
        var rehearsal = self
        var unheard: [DeckNotification] = []
        rehearsal.endDrag(&unheard)
        rehearsal.advanceThroughQueue(&unheard)
        var rehearsed = Outcome(version: version)
        rehearsal.perform(waiting, &rehearsed)
        outcome.refusal = rehearsed.refusal
        guard outcome.isApplied else { return }
        endDrag(&outcome.notifications)
        queue.append(waiting)
        outcome.ending = .queued
        outcome.direction = rehearsed.direction
        outcome.index = rehearsed.index
        outcome.verdictChanges = rehearsed.verdictChanges
    }

    /// Moves on to when every waiting command has taken effect and the cards are at rest.
    private mutating func advanceThroughQueue(_ notifications: inout [DeckNotification]) {
        while let next = nextEffect { advance(to: next, &notifications) }
        advance(to: restingTime, &notifications)
    }

    mutating func performNextCommand(_ notifications: inout [DeckNotification]) {
        var outcome = Outcome(version: version)
        perform(queue.removeFirst(), &outcome)
        notifications += outcome.notifications
    }

    /// Makes the waiting commands take effect at once, before something else changes the deck.
    mutating func performWaitingCommands(_ notifications: inout [DeckNotification]) {
        while !queue.isEmpty { performNextCommand(&notifications) }
    }

    /// The session as it is when the waiting commands have taken effect.
    var afterWaitingCommands: DeckSession {
        var future = self
        var unheard: [DeckNotification] = []
        future.performWaitingCommands(&unheard)
        return future
    }

    /// Whether there is a card in front when the waiting commands have taken effect.
    var hasCardAfterWaiting: Bool {
        queue.isEmpty ? !placed.isEmpty : !afterWaitingCommands.placed.isEmpty
    }

    /// Ends what is under way: waiting commands take effect, a drag ends, and arrivals are told.
    mutating func interrupt(_ notifications: inout [DeckNotification]) {
        performWaitingCommands(&notifications)
        endDrag(&notifications)
        tellArrivals(&notifications)
        resetUntil = min(resetUntil, now)
    }
}
