// Scrolling of carousels.
extension DeckSession {
    /// Scrolls to the offset of the event.
    mutating func apply(_ event: ScrollEvent, _ outcome: inout Outcome) {
        guard let (former, layout) = stage.carousel else {
            outcome.refusal = .layoutDoesNotScroll
            return
        }
        // Queued commands take effect first, so the card that they bring to the front counts.
        guard !afterQueue.pile.isExhausted else {
            outcome.refusal = .noCard
            return
        }
        if event.phase == .cancelled, !former.isScrolling || timeline.hasQueue {
            outcome.refusal = .notDragging
            return
        }
        performQueue(&outcome.notifications)
        denyPending(&outcome.notifications)
        endDrag(&outcome.notifications)
        catchCarousel(&outcome.notifications)
        let time = now
        guard event.phase != .cancelled else {
            outcome.ending = .reset(.cancelled)
            followCarousel(&outcome) { $0.cancelScroll($1, at: time) }
            announceScrolled()
            return
        }
        let target = event.offset.map { $0 / layout.spacing }
        followCarousel(&outcome) { carousel, course in
            carousel.beginScroll()
            if let target { carousel.put(at: course.bounds.clamped(target), course) }
        }
        guard event.phase == .ended else { return }
        release(from: target, speed: (event.velocity ?? 0) / layout.spacing, &outcome)
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
            stage.moveFinger(to: translation, at: now)
            stage.setFinger(translation: translation)
        }
        guard let finger = stage.finger else { return }
        let start = finger.startOffset
        let target = start + finger.translation.y / spacing
        followCarousel(&outcome) { $0.put(at: $1.bounds.clamped(target, from: start), $1) }
        guard event.phase == .ended else { return }
        let velocity = event.velocity ?? stage.fingerVelocity(at: now) ?? .zero
        release(from: target, speed: velocity.y / spacing, &outcome)
        stage.releaseHold(of: pile, in: scene, at: now)
        notify(.panFinished(index: pile.index(of: finger.card) ?? pile.frontIndex), &outcome.notifications)
    }

    /// Stops a carousel where it is seen, and brings the card that it shows there to the front. The card that it was on
    /// its way to is not announced.
    mutating func catchCarousel(_ notifications: inout DeckNotifications) {
        let time = now
        let glides = stage.isCarousel && stage.kind.end > time
        announceArrivals(areThere: !glides, &notifications)
        if glides { followCarousel { $0.stop($1, at: time) } }
    }

    /// Releases the carousel.
    ///
    /// - Parameters:
    ///   - target: the offset to which it was scrolled, in cards; nil: where it is.
    ///   - speed: in cards per second.
    private mutating func release(from target: Double?, speed: Double, _ outcome: inout Outcome) {
        let time = now
        followCarousel(&outcome) { $0.release(from: target ?? $0.offset(at: time), speed: speed, $1, at: time) }
        outcome.ending = .scrolled
        announceScrolled()
    }

    private mutating func followCarousel(
        _ outcome: inout Outcome,
        _ body: (inout Carousel, Carousel.Course) -> Void
    ) {
        followCarousel(body)
        outcome.index = pile.frontIndex
    }

    /// Scrolls the carousel, and brings the card that it then shows to the front of the pile.
    private mutating func followCarousel(_ body: (inout Carousel, Carousel.Course) -> Void) {
        let steps = stage.scroll(pile, in: scene, body)
        if steps != 0 { _ = pile.moveFront(by: steps, loops: settings.loop) }
    }

    /// Announces another front card, or the same one after a whole round, once the carousel has come to rest on it.
    mutating func announceScrolled() {
        guard let carousel = stage.carousel?.carousel else { return }
        let loops = settings.loop && carousel.laps(of: pile) != 0
        guard loops || pile.frontCard != counters.lastShown else { return }
        scheduleArrival(.shown(loops: loops))
    }
}
