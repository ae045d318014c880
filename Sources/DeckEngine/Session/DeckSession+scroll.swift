// Layouts that are scrolled through instead of giving verdicts by hand.
extension DeckSession {
    /// How far a fling goes on, in seconds of its speed: a scroll view's fast deceleration loses 1 % of the speed a
    /// millisecond, which adds up to 0.99/(1 − 0.99) ms.
    private static let glideSeconds = 0.099

    /// Scrolls to a place that the event names.
    mutating func apply(_ event: ScrollEvent, _ outcome: inout Outcome) {
        guard let flip = settings.layout.scrolling else {
            outcome.refusal = .layoutDoesNotScroll
            return
        }
        // What a waiting command would bring to the front is taken into account, as it takes effect first.
        guard hasCardAfterWaiting else {
            outcome.refusal = .noCard
            return
        }
        performWaitingCommands(&outcome.notifications)
        endDrag(&outcome.notifications)
        tellArrivals(&outcome.notifications)
        let place = event.offset.map { $0 / flip.spacing } ?? position.value(at: now)
        finish(event.phase, at: place, speed: (event.velocity ?? 0) / flip.spacing, &outcome)
    }

    /// Scrolls with a finger: down is forward, as far as the finger goes.
    mutating func scroll(by event: DragEvent, _ outcome: inout Outcome) {
        guard let flip = settings.layout.scrolling, var held = drag, let front = placed.first else { return }
        if let translation = event.translation, event.phase != .cancelled {
            held.translation = translation
            held.samples.append(translation, at: now)
            drag = held
        }
        let velocity = event.velocity ?? held.samples.velocity(at: now) ?? .zero
        switch event.phase {
        case .began, .changed, .ended:
            let place = held.startPosition + held.translation.y / flip.spacing
            finish(event.phase, at: place, speed: velocity.y / flip.spacing, &outcome)
        case .cancelled:
            outcome.ending = .reset(.cancelled)
            endDrag(&outcome.notifications)
            return
        }
        guard event.phase == .ended else { return }
        drag = nil
        notify(.panFinished(index: front.index), &outcome.notifications)
    }

    /// Puts the deck at a place, or lets it come to rest on a whole card from there.
    ///
    /// - Parameter speed: cards per second; it carries the deck on when it is let go of.
    private mutating func finish(
        _ phase: DragEvent.Phase,
        at place: Double,
        speed: Double,
        _ outcome: inout Outcome
    ) {
        guard let flip = settings.layout.scrolling else { return }
        switch phase {
        case .began, .changed:
            position = Track(still: withinDeck(place))
            bringNearest(flip.snap(position.to))
        case .cancelled:
            outcome.ending = .reset(.cancelled)
            let target = withinDeck(flip.snap(position.value(at: now)))
            bringNearest(target)
            glide(to: target)
        case .ended:
            position = Track(still: withinDeck(place))
            let former = placed.first?.index
            let target = withinDeck(flip.snap(place + speed * Self.glideSeconds))
            bringNearest(target)
            glide(to: target)
            outcome.ending = .scrolled
            if placed.first?.index != former || position.end > now { schedule(.shown, at: frontArrival) }
        }
        outcome.index = placed.first?.index
    }

    /// Without a loop a deck ends at its first and its last card.
    private func withinDeck(_ place: Double) -> Double {
        settings.loop ? place : min(max(place, 0), Double(deck.cards.count - 1))
    }

    /// Makes the card at a whole place the front one.
    private mutating func bringNearest(_ place: Double) {
        let count = Double(deck.cards.count)
        let index = settings.loop ? Int(place - (place / count).rounded(.down) * count) : Int(place)
        guard index != currentIndex else { return }
        currentIndex = min(max(index, 0), deck.cards.count - 1)
        // In a loop the back of the deck moves on with the front.
        if settings.loop { sentBack = 0 }
        restage(from: [], held: nil)
    }

    /// The whole place that the deck is at, or on its way to.
    var wholePlace: Double {
        settings.layout.scrolling?.snap(position.to) ?? position.to.rounded()
    }

    /// Lets a deck that was left between two cards come to rest.
    mutating func comeToRest() {
        if settings.layout.scrolls, position.to != wholePlace { glide(to: wholePlace) }
    }

    /// Lets the deck go back to where it was, or was on its way to, when the finger took it.
    mutating func scrollBack(from held: Drag) {
        bringNearest(held.startPlace)
        glide(to: held.startPlace)
    }

    /// Lets the deck come to rest at a place, on its spring.
    mutating func glide(to place: Double) {
        guard let flip = settings.layout.scrolling, !settings.motion.reduced else {
            position = Track(still: place)
            return
        }
        position = Track(
            from: position.value(at: now),
            to: place,
            start: now,
            spring: Spring(settings.motion.snapSpring),
            // A point is what counts as no distance, and the place is in cards.
            threshold: 1 / flip.spacing
        )
    }

    /// The card that is nearest to the front of a layout that scrolls, counted on without end in a loop; the number of
    /// cards once the deck has run out.
    func scrolledNumber(at time: Instant) -> Int? {
        guard let flip = settings.layout.scrolling, deck.cards.count > 0 else { return nil }
        if isExhausted { return deck.cards.count }
        let number = Int(flip.snap(position.value(at: time)))
        return settings.loop ? number : min(max(number, 0), deck.cards.count - 1)
    }

    /// Its index.
    func scrolledIndex(at time: Instant) -> Int? {
        scrolledNumber(at: time).map { settings.loop ? index(ofNumber: $0) : $0 }
    }

    /// The index of a card that is counted on without end in a loop.
    private func index(ofNumber number: Int) -> Int {
        let count = deck.cards.count
        return ((number % count) + count) % count
    }

    /// The cards of a layout that scrolls, the front one first, then those behind, then the one that has tipped over
    /// by more than half, which is on its way out. None is shown twice, but for a card that follows itself.
    func scrolledCards(at time: Instant) -> [FrameCard] {
        guard let flip = settings.layout.scrolling, let front = scrolledNumber(at: time) else { return [] }
        let place = position.value(at: time)
        // The first card that has not tipped over all the way. One that comes back is in front before it is seen.
        let first = min(Int((place - 1).rounded(.down)) + 1, front)
        var last = first + flip.visibleCount
        last = min(last, settings.loop ? max(front, first + deck.cards.count - 1) : deck.cards.count - 1)
        guard first <= last else { return [] }
        var cards: [FrameCard] = []
        for number in (first...last) where settings.loop || number >= 0 {
            let slot = flip.slot(at: Double(number) - place, in: viewport)
            let role: FrameCard.Role = number == front ? .front : number < front ? .leaving : .background
            if slot.opacity > 0 || number == front { cards.append(card(number, role, in: slot)) }
        }
        // Each card lies on the next one.
        for order in cards.indices { cards[order].z = cards.count - 1 - order }
        if cards.first?.role == .leaving { cards.append(cards.removeFirst()) }
        return cards
    }

    private func card(_ number: Int, _ role: FrameCard.Role, in slot: Slot) -> FrameCard {
        let index = index(ofNumber: number)
        let whole = self.slot(at: 0).size
        return FrameCard(
            index: index,
            id: deck.cards[index].id,
            role: role,
            z: 0,
            frame: slot.rect,
            matrix: .identity,
            flip: Flip(angle: slot.flip, perspective: settings.layout.scrolling?.perspective ?? 0),
            anchor: UnitPoint(x: 0.5, y: 1),
            contentScale: Vector(x: slot.rect.width / whole.width, y: slot.rect.height / whole.height),
            opacity: slot.opacity * settings.appearance.opaque,
            interactive: role == .front && isFrontInteractive,
            overlay: nil,
            allowedDirections: deck.allowedDirections(at: index)
        )
    }
}
