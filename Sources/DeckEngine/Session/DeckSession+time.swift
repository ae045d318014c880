// What happens by itself as time moves on.
extension DeckSession {
    /// Moves the clock to `time`; a time before `now` changes nothing.
    ///
    /// - Returns: what happened on the way, each at its own time and in order.
    public mutating func advance(to time: Instant) -> [DeckNotification] {
        var notifications: [DeckNotification] = []
        advance(to: time, &notifications)
        return notifications
    }

    mutating func advance(to time: Instant, _ notifications: inout [DeckNotification]) {
        while let next = nextEffect, next <= time {
            move(to: next)
            takeEffects(&notifications)
        }
        move(to: time)
    }

    /// Moves the clock, at each stop on the way too: what a command that waited finds must not depend on the stops.
    private mutating func move(to time: Instant) {
        now = max(now, time)
        if !leaving.isEmpty { leaving.removeAll { $0.end <= now } }
        if let nudge, nudge.end <= now { self.nudge = nil }
    }

    /// The next time at which something happens by itself.
    var nextEffect: Instant? {
        if let first = scheduled.first { return first.time }
        return queue.isEmpty ? nil : restingTime
    }

    private mutating func takeEffects(_ notifications: inout [DeckNotification]) {
        while let first = scheduled.first, first.time <= now {
            scheduled.removeFirst()
            take(first.effect, &notifications)
        }
        if !isMoving, !queue.isEmpty { performNextCommand(&notifications) }
    }

    private mutating func take(_ effect: Scheduled.Effect, _ notifications: inout [DeckNotification]) {
        switch effect {
        case .arrived(let swiped, let direction, let isRedo, let looped):
            notify(.verdict(on: swiped, direction, isRedo: isRedo), &notifications)
            if looped { notify(.didLoop, &notifications) }
            notify(.didShow(index: currentIndex), &notifications)
        case .rewound:
            notify(.didRewind(index: currentIndex), &notifications)
            notify(.didShow(index: currentIndex), &notifications)
        case .shown:
            notify(.didShow(index: currentIndex), &notifications)
        case .appeared:
            appear = nil
            notify(.didAppear, &notifications)
        }
    }

    mutating func schedule(_ effect: Scheduled.Effect, at time: Instant) {
        let place = scheduled.firstIndex { $0.time > time } ?? scheduled.endIndex
        scheduled.insert(Scheduled(time: time, effect: effect), at: place)
    }

    /// Tells at once of the arrivals that are still to come, so that none is told after what comes next
    /// (Koloda does so when the next card is grabbed early).
    mutating func tellArrivals(_ notifications: inout [DeckNotification]) {
        while let place = scheduled.firstIndex(where: { $0.effect != .appeared }) {
            take(scheduled.remove(at: place).effect, &notifications)
        }
    }

    /// When the cards in their places, or the whole deck, will have come to rest if nothing else happens.
    var restingTime: Instant {
        max(resetUntil, scheduled.last?.time ?? .zero)
    }

    /// Whether cards still move to their places.
    var isMoving: Bool {
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

    /// Whether anything moves by itself at a time, or is going to by a command that waits.
    public func isMoving(at time: Instant) -> Bool {
        settlingTime > max(time, now)
    }

    /// When everything that moves now, or will by a command that waits, has come to rest.
    var settlingTime: Instant {
        if !queue.isEmpty {
            var future = self
            var unheard: [DeckNotification] = []
            while !future.queue.isEmpty, let next = future.nextEffect { future.advance(to: next, &unheard) }
            // The last command takes effect then, even if nothing moves after it.
            return max(future.now, future.settlingTime)
        }
        var latest = max(scheduled.last?.time ?? .zero, appear?.end ?? .zero)
        latest = max(latest, nudge?.end ?? .zero)
        // Where a layout scrolls, the cards are where it is scrolled to, and nowhere on their own account.
        if settings.layout.scrolling != nil {
            latest = max(latest, position.end)
        } else {
            for card in placed { latest = max(latest, card.motion.end) }
        }
        for card in leaving { latest = max(latest, card.end) }
        return latest
    }
}
