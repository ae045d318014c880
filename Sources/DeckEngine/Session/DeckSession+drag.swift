// A finger on the front card.
extension DeckSession {
    mutating func apply(_ event: DragEvent, _ outcome: inout Outcome) {
        if !stage.isDragged {
            if let refusal = event.phase == .cancelled ? .notDragging : dragRefusal {
                outcome.refusal = refusal
                return
            }
            beginDrag(&outcome.notifications)
        }
        if let location = event.location { stage.setFinger(location: location) }
        outcome.index = pile.frontIndex
        if stage.isCarousel {
            scroll(by: event, &outcome)
            return
        }
        var reading: DragReading?
        if let translation = event.translation, event.phase != .cancelled {
            reading = follow(translation, event.phase, &outcome)
        }
        switch event.phase {
        case .began, .changed: outcome.direction = (reading ?? fingerLean?.reading)?.direction
        case .ended: release(velocity: event.velocity, &outcome)
        case .cancelled:
            outcome.ending = .reset(.cancelled)
            endDrag(&outcome.notifications)
        }
    }

    /// The effect of the finger on the cards.
    @inline(__always)
    var fingerLean: Lean? {
        stage.isDragged ? stage.lean(of: pile, in: scene, at: now) : nil
    }

    /// Why a finger cannot take the front card now. The front card is the one after queued commands, as they take effect
    /// first. A finger that catches a carousel needs its permission as well.
    private var dragRefusal: Refusal? {
        if timeline.hasQueue { return afterQueue.dragRefusal }
        guard let front = pile.frontCard else { return .noCard }
        if stage.isPending { return .pending }
        if !pile.isDraggable(front, in: scene) { return .notDraggable }
        return stage.appear != nil && settings.rules.whileAnimating == .ignore ? .animating : nil
    }

    /// Whether a finger can take the front card now, or holds it.
    var isFrontInteractive: Bool {
        dragRefusal == nil
    }

    private mutating func beginDrag(_ notifications: inout DeckNotifications) {
        performQueue(&notifications)
        catchCarousel(&notifications)
        guard let front = pile.frontCard else { return }
        stage.touch(front, of: pile, in: scene, at: now)
        notify(.panBegan(index: pile.frontIndex), &notifications)
    }

    /// Moves the card with the finger, as far as the rules allow.
    ///
    /// - Returns: the reading of the drag; nil for a release without movement.
    private mutating func follow(
        _ translation: Vector,
        _ phase: DragEvent.Phase,
        _ outcome: inout Outcome
    ) -> DragReading? {
        guard let former = stage.finger?.translation else { return nil }
        stage.moveFinger(to: translation, at: now)
        placeCard()
        // A release at the point of the last move is not a move.
        guard phase != .ended || stage.finger?.translation != former, let reading = fingerLean?.reading else {
            return nil
        }
        if let direction = reading.direction {
            let progress = DeckNotification.Kind.dragged(
                index: pile.frontIndex,
                percentage: 100 * reading.progress,
                direction
            )
            outcome.notifications.append(notification(progress, sequence: nil))
        }
        announceThreshold(reading, &outcome.notifications)
        return reading
    }

    /// Moves the card of a stack to where the rules let it follow the finger.
    private mutating func placeCard() {
        guard let card = stage.finger?.card else { return }
        let directions = pile.dragDirections(of: card, in: scene)
        stage.setFinger(translation: scene.settings.rules.dragAxis.permitted(stage.fingerPosition, in: directions))
    }

    /// Notifies when a release would now swipe, or would no longer. A move from beyond one threshold to beyond the
    /// opposite one sends both.
    private mutating func announceThreshold(_ reading: DragReading, _ notifications: inout DeckNotifications) {
        let former = stage.finger?.pastThreshold
        let direction = scene.settings.rules.isFar(reading) ? reading.direction : nil
        guard former != direction else { return }
        stage.setFinger(pastThreshold: direction)
        if let former { notify(.thresholdUncrossed(index: pile.frontIndex, former), &notifications) }
        if let direction { notify(.thresholdCrossed(index: pile.frontIndex, direction), &notifications) }
    }

    /// Reads the drag again after the rules, the sizes or the card have changed.
    mutating func remeasureFinger(_ notifications: inout DeckNotifications) {
        guard !stage.isCarousel else { return }
        placeCard()
        guard let reading = fingerLean?.reading else { return }
        announceThreshold(reading, &notifications)
    }

    // MARK: Release

    /// The effect of a release.
    func decision(on reading: DragReading, velocity: Vector?) -> ReleaseDecision {
        guard let front = pile.frontCard else { return .resets(.cancelled) }
        let denied = pile.deniedDirections(of: front, in: scene)
        let decision = ReleaseDecision(reading, velocity: velocity, in: scene, denied: denied)
        guard case .reverts = decision else { return decision }
        switch pile.refusal(reverting: 1) {
        case nil: return decision
        case .notUndoable: return .resets(.notUndoable)
        default: return .resets(.nothingToRevert)
        }
    }

    private mutating func release(velocity: Vector?, _ outcome: inout Outcome) {
        guard let reading = fingerLean?.reading else { return }
        let velocity = stage.fingerVelocity(velocity, at: now)
        outcome.direction = reading.direction
        switch decision(on: reading, velocity: velocity) {
        case .resets(let reason):
            outcome.ending = .reset(reason)
            endDrag(&outcome.notifications)
        case .swipes(let direction):
            swipe(direction, .byHand(velocity: velocity), acceptedAt: now, &outcome)
        case .waits(let direction):
            wait(for: direction, .byHand(velocity: velocity), &outcome)
            notify(.panFinished(index: pile.frontIndex), &outcome.notifications)
        case .reverts:
            endDrag(&outcome.notifications)
            revertLast(.origin, acceptedAt: now, &outcome)
            outcome.ending = .reverted
        }
    }

    /// Ends a drag: the card goes back, as after a release below the threshold. A hint ends as well.
    ///
    /// - Parameter inPlace: whether a carousel stays at the card that it shows, and does not return to the one at which the drag
    ///   started.
    mutating func endDrag(inPlace: Bool = false, _ notifications: inout DeckNotifications) {
        stage.settleNudge(in: scene, at: now)
        guard let finger = stage.finger else { return }
        let index = pile.index(of: finger.card) ?? pile.frontIndex
        let steps = stage.letGo(of: pile, inPlace: inPlace, in: scene, at: now)
        if steps != 0 { _ = pile.moveFront(by: steps, loops: settings.loop) }
        if !inPlace || !stage.isCarousel { notify(.didReset(index: index), &notifications) }
        notify(.panFinished(index: index), &notifications)
        announceScrolled()
    }

    /// The session after a carousel has returned to the card at which the drag started.
    var afterCarouselDrag: DeckSession {
        guard stage.isCarousel, stage.isDragged else { return self }
        var future = self
        var unheard = DeckNotifications()
        future.endDrag(&unheard)
        return future
    }
}
