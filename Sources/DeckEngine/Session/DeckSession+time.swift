// The effects of time.
extension DeckSession {
    /// Moves the clock to `time`; a time before `now` changes nothing.
    ///
    /// - Returns: the notifications up to then, each with its own time, in order.
    public mutating func advance(to time: Instant) -> DeckNotifications {
        var notifications = DeckNotifications()
        advance(to: time, &notifications)
        return notifications
    }

    /// The session at a time, if nothing but time happens until then. A response that describes a moment reads all of its
    /// parts from this one value.
    public func advanced(to time: Instant) -> DeckSession {
        var future = self
        _ = future.advance(to: time)
        return future
    }

    mutating func advance(to time: Instant, _ notifications: inout DeckNotifications) {
        while let next = nextEffect, next <= time {
            move(to: next)
            takeEffects(&notifications)
        }
        move(to: time)
    }

    /// Moves the clock and settles the stage. This happens at every effect on the way too, so that the outcome of a
    /// queued command does not depend on how often the clock is moved.
    private mutating func move(to time: Instant) {
        timeline.move(to: time)
        stage.settle(at: now)
    }

    /// Whether time alone changes more than what is seen until a time: an effect is due, such as a command that waits.
    public func hasEffects(until time: Instant) -> Bool {
        if let next = nextEffect { next <= time } else { false }
    }

    /// Whether time alone can change more than what is seen: an effect is scheduled, or a command waits.
    public var awaitsEffects: Bool { timeline.nextEffect != nil || timeline.hasQueue }

    /// The time of the next effect.
    ///
    /// A function that is not inlined gets a copy of the session's memory, and this and `restingTime` are used at every event.
    @inline(__always)
    var nextEffect: Instant? {
        let next = timeline.nextEffect
        guard timeline.hasQueue else { return next }
        return min(next ?? restingTime, restingTime)
    }

    private mutating func takeEffects(_ notifications: inout DeckNotifications) {
        while let effect = timeline.takeDueEffect() { take(effect, &notifications) }
        if !isMoving, let command = timeline.dequeue() { perform(command, &notifications) }
    }

    /// - Parameter isThere: whether the front card has arrived, so that it is announced.
    private mutating func take(_ effect: Effect, isThere: Bool = true, _ notifications: inout DeckNotifications) {
        switch effect {
        case .arrived(let swiped, let direction, let isRedo, let loops):
            let index = pile.index(of: swiped) ?? pile.count
            notify(.verdict(on: index, direction, isRedo: isRedo), &notifications)
            if isThere { announceArrival(loops: loops, &notifications) }
        case .rewound(let loops):
            notify(.didRewind(index: pile.frontIndex), &notifications)
            if isThere { announceArrival(loops: loops, &notifications) }
        case .shown(let loops): if isThere { announceArrival(loops: loops, &notifications) }
        case .appeared:
            stage.finishAppearing()
            notify(.didAppear, &notifications)
        case .confirmTimeout: denyPending(&notifications)
        }
    }

    /// A carousel rests on the front card from then on, so that rounds are counted from there.
    private mutating func announceArrival(loops: Bool, _ notifications: inout DeckNotifications) {
        _ = stage.scroll(pile, in: scene) { carousel, _ in carousel.rest() }
        if loops { notify(.didLoop, &notifications) }
        notifyShown(&notifications)
    }

    /// Announces the arrivals that are still due, so that none is announced after a later event (Koloda does so when
    /// the next card is grabbed early).
    ///
    /// - Parameter areThere: whether the cards arrive. Otherwise only verdicts and reverts are announced.
    mutating func announceArrivals(areThere: Bool = true, _ notifications: inout DeckNotifications) {
        while let effect = timeline.takeArrival() { take(effect, isThere: areThere, &notifications) }
    }

    // MARK: Rest

    /// Until when commands wait: the last arrival, the end of a reset, or the end of a carousel's glide.
    @inline(__always)
    var restingTime: Instant {
        // Commands do not wait for the last card to leave.
        max(isExhausted ? stage.resetUntil : stage.cardsEnd, timeline.lastArrival)
    }

    /// Whether commands wait. Cards that only change their slots, and a reset spring that runs longer, do not count.
    var isMoving: Bool {
        restingTime > now
    }

    /// Whether Koloda would report that it is animating: the deck moves in the sense of ``isMoving``, or a card that was
    /// swiped by call has not left yet.
    var isBusy: Bool {
        isMoving || stage.hasCardSwipedByCall(at: now)
    }

    /// Whether anything moves at a time, or will move because of a queued command.
    public func isMoving(at time: Instant) -> Bool {
        settlingTime > max(time, now)
    }

    /// When everything that moves now, or will move because of a queued command, has come to rest.
    var settlingTime: Instant {
        if timeline.hasQueue {
            var future = self
            var unheard = DeckNotifications()
            while future.timeline.hasQueue, let next = future.nextEffect { future.advance(to: next, &unheard) }
            // The last command takes effect then, even if nothing moves after it.
            return max(future.now, future.settlingTime)
        }
        guard let pending = stage.pending else { return max(timeline.lastEffect, stage.end) }
        // Without a decision the card goes back.
        var denied = self
        var unheard = DeckNotifications()
        denied.advance(to: pending.until, &unheard)
        return max(max(pending.until, denied.stage.end), denied.timeline.lastEffect)
    }
}
