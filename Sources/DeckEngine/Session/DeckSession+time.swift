// What happens by itself as time moves on.
extension DeckSession {
    /// Moves the clock to `time`; a time before `now` changes nothing.
    ///
    /// - Returns: what happened on the way, each at its own time and in order.
    public mutating func advance(to time: Milliseconds) -> [Notification] {
        var notifications: [Notification] = []
        advance(to: time, &notifications)
        return notifications
    }

    mutating func advance(to time: Milliseconds, _ notifications: inout [Notification]) {
        while let next = nextEffect, next <= time {
            move(to: next)
            takeEffects(&notifications)
        }
        move(to: time)
    }

    /// Moves the clock, at each stop on the way too: what a command that waited finds must not depend on the stops.
    private mutating func move(to time: Milliseconds) {
        now = max(now, time)
        leaving.removeAll { $0.end <= now }
    }

    /// The next time at which something happens by itself.
    var nextEffect: Milliseconds? {
        if let first = scheduled.first { return first.time }
        return queue.isEmpty ? nil : restingTime
    }

    private mutating func takeEffects(_ notifications: inout [Notification]) {
        while let first = scheduled.first, first.time <= now {
            scheduled.removeFirst()
            take(first.effect, &notifications)
        }
        if !isMoving, !queue.isEmpty { performNextCommand(&notifications) }
    }

    private mutating func take(_ effect: Scheduled.Effect, _ notifications: inout [Notification]) {
        switch effect {
        case .arrived(let swiped, let direction, let looped):
            notify(.didSwipe(index: swiped, direction), &notifications)
            if looped { notify(.didLoop, &notifications) }
            notify(.didShow(index: currentIndex), &notifications)
        case .rewound:
            notify(.didRewind(index: currentIndex), &notifications)
            notify(.didShow(index: currentIndex), &notifications)
        case .appeared:
            appear = nil
            notify(.didAppear, &notifications)
        }
    }

    mutating func schedule(_ effect: Scheduled.Effect, at time: Milliseconds) {
        let place = scheduled.firstIndex { $0.time > time } ?? scheduled.endIndex
        scheduled.insert(Scheduled(time: time, effect: effect), at: place)
    }

    /// Tells at once of the arrivals that are still to come, so that none is told after what comes next
    /// (Koloda does so when the next card is grabbed early).
    mutating func tellArrivals(_ notifications: inout [Notification]) {
        while let place = scheduled.firstIndex(where: { $0.effect != .appeared }) {
            take(scheduled.remove(at: place).effect, &notifications)
        }
    }

    /// When the cards in their places, or the whole deck, will have come to rest if nothing else happens.
    private var restingTime: Milliseconds {
        max(resetUntil, scheduled.last?.time ?? .zero)
    }

    /// Whether cards still move to their places.
    private var isMoving: Bool {
        restingTime > now
    }

    /// Whether Koloda would say that it is animating: the cards in their places move, or one that was swiped by call
    /// has not left yet.
    var isBusy: Bool {
        isMoving || leaving.contains { $0.isSwipedByCall && $0.end > now }
    }

    /// Whether the front card is still turning upright or springing back.
    var isFrontSettling: Bool {
        placed.first.map { $0.motion.transformEnd > now } ?? false
    }
}

// Commands: what can wait for the deck to come to rest.
extension DeckSession {
    /// Does a command now, later or not at all, as the deck's policy for a busy deck says.
    mutating func run(_ command: Command, _ outcome: inout Outcome) {
        switch settings.rules.whileAnimating {
        case .proceed:
            perform(command, &outcome)
        case .ignore:
            if let refusal = busyRefusal(of: command) {
                outcome.refusal = refusal
            } else {
                perform(command, &outcome)
            }
        case .queue:
            if isMoving || drag != nil || !queue.isEmpty {
                enqueue(command, &outcome)
            } else {
                perform(command, &outcome)
            }
        }
    }

    /// Koloda's lock: a swipe also waits for the finger and for the reset spring, a revert does not.
    private func busyRefusal(of command: Command) -> Refusal? {
        guard case .swipe = command.action else { return isBusy ? .animating : nil }
        if drag != nil { return .dragging }
        return isBusy || isFrontSettling ? .animating : nil
    }

    mutating func perform(_ command: Command, _ outcome: inout Outcome) {
        switch command.action {
        case .swipe(let direction, let force): swipeByCall(direction, force: force, command, &outcome)
        case .revert(let style): revert(style, &outcome)
        }
    }

    /// Lets a command wait. What it will do is known, because only time passes until it does it: anything else that
    /// changes the deck makes the waiting commands take effect first.
    private mutating func enqueue(_ command: Command, _ outcome: inout Outcome) {
        guard queue.count < EngineLimits.queuedCommands else {
            outcome.refusal = .animating
            return
        }
        var rehearsal = self
        var unheard: [Notification] = []
        rehearsal.endDrag(&unheard)
        rehearsal.advanceThroughQueue(&unheard)
        var rehearsed = Outcome(version: version)
        rehearsal.perform(command, &rehearsed)
        outcome.refusal = rehearsed.refusal
        guard outcome.isApplied else { return }
        endDrag(&outcome.notifications)
        queue.append(command)
        outcome.ending = .queued
        outcome.direction = rehearsed.direction
        outcome.index = rehearsed.index
        outcome.verdictChange = rehearsed.verdictChange
    }

    /// Moves on to when every waiting command has taken effect and the cards are at rest.
    private mutating func advanceThroughQueue(_ notifications: inout [Notification]) {
        while let next = nextEffect { advance(to: next, &notifications) }
        advance(to: restingTime, &notifications)
    }

    /// When everything that moves now, or will by a command that waits, has come to rest.
    var settlingTime: Milliseconds {
        if !queue.isEmpty {
            var future = self
            var unheard: [Notification] = []
            while !future.queue.isEmpty, let next = future.nextEffect { future.advance(to: next, &unheard) }
            // The last command takes effect then, even if nothing moves after it.
            return max(future.now, future.settlingTime)
        }
        var latest = scheduled.last?.time ?? .zero
        for card in placed { latest = max(latest, card.motion.end) }
        for card in leaving { latest = max(latest, card.end) }
        return max(latest, appear?.scale.end ?? .zero)
    }

    private mutating func performNextCommand(_ notifications: inout [Notification]) {
        var outcome = Outcome(version: version)
        perform(queue.removeFirst(), &outcome)
        notifications += outcome.notifications
    }

    /// Makes the waiting commands take effect at once, before something else changes the deck.
    mutating func performWaitingCommands(_ notifications: inout [Notification]) {
        while !queue.isEmpty { performNextCommand(&notifications) }
    }
}
