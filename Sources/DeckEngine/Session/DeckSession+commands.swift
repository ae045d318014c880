// Commands: the events that can wait while the deck moves, in the sense of `isMoving`.
extension DeckSession {
    /// Applies, queues or refuses a command, as `rules.whileAnimating` says.
    mutating func run(_ command: Command, _ outcome: inout Outcome) {
        let queued = QueuedCommand(command: command, acceptedAt: now)
        switch settings.rules.whileAnimating {
        case .proceed:
            perform(queued, &outcome)
        case .ignore:
            if let refusal = busyRefusal(of: command) {
                outcome.refusal = refusal
            } else {
                perform(queued, &outcome)
            }
        case .queue:
            if isMoving || stage.isDragged || timeline.hasQueue {
                enqueue(queued, &outcome)
            } else {
                perform(queued, &outcome)
            }
        }
    }

    /// Koloda's lock: a swipe also waits for the finger and for the reset spring, other commands do not.
    private func busyRefusal(of command: Command) -> Refusal? {
        guard case .swipe = command else { return isBusy ? .animating : nil }
        if stage.isDragged { return .dragging }
        return isBusy || stage.isFrontSettling(at: now) ? .animating : nil
    }

    private mutating func perform(_ queued: QueuedCommand, _ outcome: inout Outcome) {
        let time = queued.acceptedAt
        switch queued.command {
        case .swipe(let direction, let force, let options):
            swipeByCall(direction, force: force, options, acceptedAt: time, &outcome)
        case .revert(let style, let count): revert(style, count: count, acceptedAt: time, &outcome)
        case .redo(let count): redo(count: count, acceptedAt: time, &outcome)
        case .move(let index): move(to: index, &outcome)
        case .sendToBack: sendToBack(&outcome)
        case .putBack: putBack(&outcome)
        }
    }

    mutating func perform(_ queued: QueuedCommand, _ notifications: inout DeckNotifications) {
        var outcome = Outcome()
        perform(queued, &outcome)
        askForCards(rearms: !queued.command.swipes, &outcome.notifications)
        notifications += outcome.notifications
    }

    /// Queues a command. Its outcome is known, because queued commands have the same outcomes whether they take effect one
    /// after the other as time passes, or all at once before another event.
    private mutating func enqueue(_ queued: QueuedCommand, _ outcome: inout Outcome) {
        guard hasRoom(for: queued.command) else {
            outcome.refusal = .animating
            return
        }
        // It is refused while it waits, too, although the swipe that is pending can be denied by then.
        if case .swipe = queued.command, stage.isPending {
            outcome.refusal = .pending
            return
        }
        var copy = self
        var unheard = DeckNotifications()
        copy.endDrag(&unheard)
        copy.performQueue(&unheard)
        var predicted = Outcome()
        copy.perform(queued, &predicted)
        outcome.refusal = predicted.refusal
        guard outcome.isApplied else { return }
        endDrag(&outcome.notifications)
        timeline.enqueue(queued)
        outcome.ending = .queued
        outcome.direction = predicted.direction
        outcome.index = predicted.index
        outcome.verdictChanges = predicted.verdictChanges
    }

    private func hasRoom(for command: Command) -> Bool {
        guard timeline.queueCount < EngineLimits.queuedCommands,
            timeline.queuedStepCount + command.stepCount <= EngineLimits.queuedSteps
        else { return false }
        guard command.rearranges else { return true }
        return (timeline.queuedRearrangementCount + 1) * pile.count <= EngineLimits.queuedRearrangedCards
    }

    /// Applies queued commands at once, before something else changes the deck.
    mutating func performQueue(_ notifications: inout DeckNotifications) {
        while let queued = timeline.dequeue() { perform(queued, &notifications) }
    }

    /// The session after its queued commands have taken effect.
    public var afterQueue: DeckSession {
        guard timeline.hasQueue else { return self }
        var future = self
        var unheard = DeckNotifications()
        future.performQueue(&unheard)
        return future
    }
}
