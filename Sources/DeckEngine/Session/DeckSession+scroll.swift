// Scrolling of carousels.
extension DeckSession {
    /// Scrolls to the offset of the event.
    mutating func apply(_ event: ScrollEvent, _ outcome: inout Outcome) {
        guard let (carousel, layout) = stage.carousel else {
            outcome.refusal = .layoutDoesNotScroll
            return
        }
        // Queued commands take effect first, so the card that they bring to the front counts.
        guard !afterQueue.pile.isExhausted else {
            outcome.refusal = .noCard
            return
        }
        if event.phase == .cancelled, !carousel.isScrolling || timeline.hasQueue {
            outcome.refusal = .notDragging
            return
        }
        performQueue(&outcome.notifications)
        denyPending(&outcome.notifications)
        endDrag(&outcome.notifications)
        announceArrivals(&outcome.notifications)
        let offset = event.offset.map { $0 / layout.spacing } ?? stage.carousel?.carousel.offset(at: now) ?? 0
        let speed = (event.velocity ?? 0) / layout.spacing
        switch event.phase {
        case .began, .changed: put(at: offset, isScroll: true, &outcome)
        case .ended: release(at: offset, speed: speed, &outcome)
        case .cancelled:
            outcome.ending = .reset(.cancelled)
            let (motion, time) = (settings.motion, now)
            followCarousel(&outcome) { $0.cancelScroll($1, motion, at: time) }
            announceScrolled()
        }
        outcome.index = pile.frontIndex
    }

    /// Scrolls with a finger: down is forward, as far as the finger goes.
    mutating func scroll(by event: DragEvent, _ outcome: inout Outcome) {
        guard let spacing = stage.carousel?.layout.spacing else { return }
        if event.phase == .cancelled {
            outcome.ending = .reset(.cancelled)
            endDrag(&outcome.notifications)
            return
        }
        if let translation = event.translation {
            stage.moveFinger(to: translation, at: now, as: translation)
        }
        guard let finger = stage.finger else { return }
        let offset = finger.startOffset + finger.translation.y / spacing
        guard event.phase == .ended else { return put(at: offset, isScroll: false, &outcome) }
        let velocity = event.velocity ?? stage.fingerVelocity(at: now) ?? .zero
        release(at: offset, speed: velocity.y / spacing, &outcome)
        stage.releaseHold(of: pile, in: scene, at: now)
        notify(.panFinished(index: pile.index(of: finger.card) ?? pile.frontIndex), &outcome.notifications)
    }

    private mutating func put(at offset: Double, isScroll: Bool, _ outcome: inout Outcome) {
        let bounds = Carousel.Bounds(pile, loops: settings.loop)
        followCarousel(&outcome) { $0.put(at: offset, $1, bounds, isScroll: isScroll) }
    }

    /// Releases the carousel, which glides on and comes to rest on a whole card.
    private mutating func release(at offset: Double, speed: Double, _ outcome: inout Outcome) {
        let bounds = Carousel.Bounds(pile, loops: settings.loop)
        let (motion, time) = (settings.motion, now)
        followCarousel(&outcome) { $0.release(at: offset, speed: speed, $1, motion, bounds, at: time) }
        outcome.ending = .scrolled
        announceScrolled()
    }

    /// Scrolls the carousel, and brings the card that it then shows to the front of the pile.
    private mutating func followCarousel(
        _ outcome: inout Outcome,
        _ body: (inout Carousel, FlipLayout) -> Int
    ) {
        let steps = stage.scroll(body)
        if steps != 0 { _ = pile.moveFront(by: steps, loops: settings.loop) }
        outcome.index = pile.frontIndex
    }

    /// Announces another front card, or the same one after a whole round, once the carousel has come to rest on it.
    mutating func announceScrolled() {
        guard let carousel = stage.carousel?.carousel else { return }
        let loops = settings.loop && carousel.laps(of: pile) != 0
        guard loops || pile.frontCard != counters.lastShown else { return }
        scheduleArrival(.shown(loops: loops))
    }
}
