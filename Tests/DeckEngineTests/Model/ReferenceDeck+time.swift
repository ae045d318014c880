import DeckEngine

/// An effect at a later time.
struct Arrival: Equatable {
    enum Effect: Equatable {
        case swiped(index: Int, name: String, Direction, isRedo: Bool)
        case rewound
        /// A command brought another card to the front.
        case shown
        /// A scrolled carousel comes to rest in front of a card.
        case rested
        /// A carousel comes to rest without a notification.
        case still
        case appeared
    }

    var effect: Effect
    /// Whether the front wrapped around the seam of a loop.
    var wraps = false
    /// When it takes effect; nil: at the time of its notification, because a spring decides.
    var time: Double?
    /// When it started.
    var since: Double

    /// Whether a notification reports it.
    func fits(_ heard: DeckNotification) -> Bool {
        guard heard.at.milliseconds >= since else { return false }
        switch (effect, heard.kind) {
        case (.swiped(let index, _, let direction, false), .didSwipe(let told, let way)),
            (.swiped(let index, _, let direction, true), .didRedo(let told, let way)):
            return index == told && direction == way
        case (.rewound, .didRewind): return true
        case (.shown, .didShow), (.rested, .didShow): return !wraps
        case (.shown, .didLoop), (.rested, .didLoop): return wraps
        default: return false
        }
    }
}

// The effects of time.
extension ReferenceDeck {
    /// Advances the time.
    ///
    /// - Parameter heard: the engine's notifications since the start of the step, for the times that only the engine
    ///   knows.
    mutating func advance(to time: Double, hearing heard: [DeckNotification]) {
        while true {
            let next = told.count < heard.count ? heard[told.count] : nil
            let due = pending.indices.filter { pending[$0].time.map { $0 <= time } ?? false }
                .min { (pending[$0].time ?? 0) < (pending[$1].time ?? 0) }
            let limit = min(time, due.flatMap { pending[$0].time } ?? time)
            if let next, next.at.milliseconds <= limit,
                let place = pending.firstIndex(where: { $0.time == nil && $0.fits(next) })
            {
                now = max(now, next.at.milliseconds)
                take(pending.remove(at: place))
            } else if let due {
                now = max(now, pending[due].time ?? now)
                take(pending.remove(at: due))
            } else if !queue.isEmpty, pending.isEmpty, max(now, resetUntil) <= time {
                now = max(now, resetUntil)
                executeNext()
            } else {
                break
            }
        }
        now = max(now, time)
        flights.removeAll { $0.end <= now }
        watchSent()
    }

    /// Applies effects that take no time.
    mutating func settle(hearing heard: [DeckNotification]) {
        advance(to: now, hearing: heard)
    }

    /// - Parameter isThere: whether the card has arrived in front.
    private mutating func take(_ arrival: Arrival, isThere: Bool = true) {
        switch arrival.effect {
        case .swiped(let index, let name, let direction, let isRedo):
            tell(isRedo ? .didRedo(index: index, direction) : .didSwipe(index: index, direction), named: name)
        case .rewound: tell(.didRewind(index: current))
        case .appeared: tell(.didAppear)
        case .shown, .rested, .still: break
        }
        switch arrival.effect {
        case .swiped, .rewound, .shown, .rested:
            guard isThere else { return }
            if arrival.wraps { tell(.didLoop) }
            tell(.didShow(index: current))
            shownPlace = pile.to
        case .appeared, .still: break
        }
    }

    /// Arrivals that are still due are notified before any other event. The documents leave that open for a carousel
    /// that has not come to rest yet.
    mutating func tellArrivals() {
        while let arrival = nextArrival() {
            if arrival.effect == .rested, choices.isOther { continue }
            take(arrival)
        }
    }

    private mutating func nextArrival() -> Arrival? {
        pending.firstIndex { $0.effect != .appeared }.map { pending.remove(at: $0) }
    }

    /// A finger or a scroll stops a moving carousel where it is seen, so that it does not reach its target.
    mutating func catchPile() {
        guard isPile, pile.end > now else { return tellArrivals() }
        while let arrival = nextArrival() { take(arrival, isThere: false) }
        pile = ReferenceSpring(at: seenPlace)
        bringNearest(pile.to)
    }

    mutating func arrive(_ effect: Arrival.Effect, wraps: Bool = false, at time: Double?) {
        let time = time.map { min($0, Self.endOfTime) }
        pending.append(Arrival(effect: effect, wraps: wraps, time: time, since: now))
    }

    /// When the card that has just started to move to the front arrives; nil: when its spring is at rest.
    var frontArrival: Double? {
        if isPile { return max(now, pile.end) }
        return settings.motion.backgroundSpring == nil ? now + settings.motion.backgroundDuration.value : nil
    }

    /// Whether cards move to their slots.
    var isMoving: Bool {
        !pending.isEmpty || resetUntil > now
    }

    /// Whether Koloda would report that it is animating.
    var isBusy: Bool {
        isMoving || flights.contains { $0.end > now }
    }

    mutating func beginAppearing() {
        pending.removeAll { $0.effect == .appeared }
        // A deck that takes no time to appear also does not wait.
        let motion = settings.motion
        let duration = motion.appearDuration.value > 0 ? motion.dragSpeed.value + motion.appearDuration.value : 0
        arrive(.appeared, at: now + duration)
    }

    // MARK: Carousels

    /// The position of the carousel, or its target, as a whole number.
    var wholePlace: Double {
        let whole = (pile.to + 0.5).rounded(.down)
        return loop ? whole : min(max(whole, 0), Double(row.count))
    }

    /// The position at which the carousel is drawn: it does not swing out of sight beyond an end.
    var seenPlace: Double {
        let place = pile.value(at: now)
        if loop { return place }
        let end = Double(row.count - 1)
        let farthest = max(pile.to > end ? pile.to : end + 0.499, pile.from)
        return min(max(place, min(-1, pile.from)), farthest)
    }

    /// The index of the card that is seen in front.
    var seen: Int {
        guard isPile, front != nil else { return current }
        var there = self
        there.bringNearest(pile.value(at: now))
        return there.current
    }

    /// Continues the carousel with the cards as they are now.
    ///
    /// - Parameter former: the position of its front card before.
    mutating func renumberPile(from former: Double) {
        guard isPile else { return placePile() }
        var shift = Double(current) - former
        // In a loop a card has one position in each round.
        if loop, row.count > 0 {
            let count = Double(row.count)
            shift -= (shift / count).rounded() * count
            if 2 * shift == -count { shift = -shift }
        }
        pile = pile.shifted(by: shift)
        shownPlace += shift
        scrollHome? += shift
        let place = seenPlace
        if row.count == 0 || !loop && (place < -1 || place > Double(row.count)) { placePile() }
        finger?.startPlace += shift + pile.value(at: now) - place
        finger?.homePlace += shift
        let isAnnounced = pending.contains { $0.effect != .appeared }
        if front != nil, pile.end > now, finger == nil, !isAnnounced { arrive(.still, at: pile.end) }
    }

    mutating func glide(to place: Double) {
        guard let flip = layout.flip, !settings.motion.reduced else {
            pile = ReferenceSpring(at: place)
            return
        }
        pile = ReferenceSpring(
            from: seenPlace,
            to: place,
            start: now,
            settings.motion.snapSpring,
            threshold: 1 / flip.spacing
        )
    }

    /// A carousel was released and comes to rest. That is notified if another card than the last one shown is in front,
    /// or the same one after a round.
    mutating func comeToRest() {
        guard isPile, let front else { return }
        let wraps = hasWrapped(to: wholePlace)
        if front.name != lastShown || wraps {
            arrive(.rested, wraps: wraps, at: max(now, pile.end))
        } else if pile.end > now, !choices.isOther {
            // The documents leave open whether commands wait for a carousel that goes back to where it was.
            arrive(.still, at: pile.end)
        }
    }

    /// Whether the front has wrapped around the seam since a card was shown last.
    private func hasWrapped(to place: Double) -> Bool {
        guard loop else { return false }
        let count = Double(row.count)
        if (place / count).rounded(.down) != (shownPlace / count).rounded(.down) { return true }
        return hasCrossedSeam && choices.isOther
    }

    /// Makes the card nearest to a position the front one.
    mutating func bringNearest(_ place: Double) {
        let (count, whole) = (row.count, Int((place + 0.5).rounded(.down)))
        current = loop ? ((whole % count) + count) % count : min(max(whole, 0), count - 1)
        if loop, (Double(whole) / Double(count)).rounded(.down) != (shownPlace / Double(count)).rounded(.down) {
            hasCrossedSeam = true
        }
    }
}
