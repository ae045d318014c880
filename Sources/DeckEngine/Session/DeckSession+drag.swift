// A finger on the front card.
extension DeckSession {
    mutating func apply(_ event: DragEvent, _ outcome: inout Outcome) {
        if event.phase == .cancelled, drag == nil {
            outcome.refusal = .notDragging
            return
        }
        if drag == nil {
            if let refusal = dragRefusal {
                outcome.refusal = refusal
                return
            }
            beginDrag(&outcome.notifications)
        }
        if let location = event.location { drag?.location = location }
        outcome.index = placed.first?.index
        if let translation = event.translation, isMove(event) { move(to: translation, &outcome) }
        switch event.phase {
        case .began, .changed: outcome.direction = drag.flatMap { reading(of: $0).direction }
        case .ended: release(velocity: event.velocity, &outcome)
        case .cancelled: cancel(&outcome)
        }
    }

    /// A release at the place of the last move is no move of its own, nor does a cancelled finger say where it was.
    private func isMove(_ event: DragEvent) -> Bool {
        switch event.phase {
        case .began, .changed: true
        case .ended: event.translation != drag?.translation
        case .cancelled: false
        }
    }

    /// Why a finger cannot take the front card now.
    private var dragRefusal: Refusal? {
        // What a waiting command would bring to the front is taken into account, as it takes effect first.
        guard queue.isEmpty else {
            var future = self
            var unheard: [Notification] = []
            future.performWaitingCommands(&unheard)
            return future.dragRefusal
        }
        guard let front = placed.first else { return .noCard }
        if !deck.isDraggable(at: front.index) { return .notDraggable }
        return appear != nil && settings.rules.whileAnimating == .ignore ? .animating : nil
    }

    /// Whether a finger can take the front card now.
    var isFrontInteractive: Bool {
        dragRefusal == nil
    }

    private mutating func beginDrag(_ notifications: inout [Notification]) {
        performWaitingCommands(&notifications)
        tellArrivals(&notifications)
        drag = Drag(location: slot(at: 0).size.center)
        if let front = placed.first { notify(.panBegan(index: front.index), &notifications) }
    }

    private mutating func move(to translation: Vector, _ outcome: inout Outcome) {
        guard var moved = drag, let front = placed.first else { return }
        moved.translation = translation
        let reading = reading(of: moved)
        let former = moved.pastThreshold
        moved.pastThreshold = isFar(reading) ? reading.direction : nil
        drag = moved
        guard let direction = reading.direction else { return }
        outcome.notifications.append(
            Notification(
                at: now,
                kind: .dragged(index: front.index, percentage: 100 * reading.percentage, direction)
            )
        )
        // From far on one side to far on the other, both are told.
        guard former != moved.pastThreshold else { return }
        if let former { notify(.thresholdUncrossed(index: front.index, former), &outcome.notifications) }
        if let direction = moved.pastThreshold {
            notify(.thresholdCrossed(index: front.index, direction), &outcome.notifications)
        }
    }

    private func isFar(_ reading: DragReading) -> Bool {
        reading.percentage > 0 && reading.percentage >= settings.rules.swipeThreshold
    }

    /// What a drag means. It depends on the last translation only, not on the way there.
    func reading(of drag: Drag) -> DragReading {
        let cardSize = slot(at: 0).size
        let extent: Size =
            switch settings.motion.tracking {
            case .finger: cardSize
            case .koloda: transform(of: drag).matrix.boundingSize(of: cardSize)
            }
        return DragReading(
            translation: drag.translation,
            cardSize: cardSize,
            extent: extent,
            allowed: placed.first.map { deck.allowedDirections(at: $0.index) } ?? []
        )
    }

    func transform(of drag: Drag) -> DragTransform {
        DragTransform(
            translation: drag.translation,
            location: drag.location,
            cardSize: slot(at: 0).size,
            motion: settings.motion
        )
    }

    private mutating func release(velocity: Vector?, _ outcome: inout Outcome) {
        guard let held = drag, let front = placed.first else { return }
        let reading = reading(of: held)
        outcome.direction = reading.direction
        if let reason = resetReason(for: reading, velocity: velocity, index: front.index) {
            outcome.ending = .reset(reason)
            returnFront(&outcome.notifications)
        } else if let direction = reading.direction {
            let command = Command(action: .swipe(direction, force: false), acceptedAt: now)
            sendOut(direction, byCall: false, command, &outcome)
        }
        drag = nil
        notify(.panFinished(index: front.index), &outcome.notifications)
    }

    /// Why a released card goes back; nil if it is swiped.
    private func resetReason(for reading: DragReading, velocity: Vector?, index: Int) -> ResetReason? {
        guard let direction = reading.direction else { return .directionNotAllowed }
        guard isFar(reading) || isFling(reading, direction, velocity) else { return .belowThreshold }
        return deck.deniedDirections(at: index).contains(direction) ? .directionDenied : nil
    }

    /// A fling counts where the finger has moved, and still moves, towards the direction.
    private func isFling(_ reading: DragReading, _ direction: Direction, _ velocity: Vector?) -> Bool {
        guard let velocity, let threshold = settings.rules.velocityThreshold else { return false }
        return reading.percentage > 0 && velocity.dot(direction.unitVector) >= threshold
    }

    private mutating func cancel(_ outcome: inout Outcome) {
        outcome.ending = .reset(.cancelled)
        endDrag(&outcome.notifications)
    }

    /// Ends a drag that something else interrupts: the card goes back, as after a release below the threshold.
    mutating func endDrag(_ notifications: inout [Notification]) {
        guard drag != nil, let front = placed.first else { return }
        returnFront(&notifications)
        drag = nil
        notify(.panFinished(index: front.index), &notifications)
    }

    /// Sends the held card back to its place on a spring, and the cards behind back to theirs.
    private mutating func returnFront(_ notifications: inout [Notification]) {
        guard let held = drag, let front = placed.first else { return }
        let seen = placed
        let motion = settings.motion
        placed[0].motion = returning(
            from: pose(ofPlace: 0, in: seen, held: held, at: now),
            keeping: front.motion
        )
        for place in placed.indices.dropFirst() {
            let pose = pose(ofPlace: place, in: seen, held: held, at: now)
            placed[place].motion.rect = Track(
                from: pose.rect,
                to: slot(at: place),
                start: now,
                duration: motion.resetDuration,
                easing: .linear
            )
            placed[place].motion.opacity = Track(
                from: pose.opacity,
                to: settings.appearance.restOpacity(at: place),
                start: now,
                duration: motion.resetDuration,
                easing: .linear
            )
        }
        // Koloda counts itself busy meanwhile only where there are cards behind to go back.
        if placed.count > 1 { resetUntil = now + motion.resetDuration }
        notify(.didReset(index: front.index), &notifications)
    }

    /// The motion from a pose to upright and unscaled; the way of the card's rectangle goes on as it was.
    private func returning(from pose: Pose, keeping former: CardMotion) -> CardMotion {
        let settings = settings.motion
        let duration = settings.resetDuration
        var motion = CardMotion(holding: pose)
        motion.rect = former.rect
        motion.opacity = former.opacity
        motion.translation = Track(from: pose.translation, to: .zero, start: now, spring: Spring(settings.resetSpring))
        motion.rotation = Track(from: pose.rotation.value, to: 0, start: now, duration: duration, easing: .ease)
        motion.scale = Track(from: pose.scale, to: 1, start: now, duration: duration, easing: .ease)
        motion.overlayProgress = Track(
            from: pose.overlay?.progress ?? 0,
            to: 0,
            start: now,
            duration: duration,
            easing: .ease
        )
        return motion
    }
}
