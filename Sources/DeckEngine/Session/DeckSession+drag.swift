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
        if settings.layout.scrolling != nil {
            scroll(by: event, &outcome)
            return
        }
        if let translation = event.translation { follow(translation, event.phase, &outcome) }
        switch event.phase {
        case .began, .changed: outcome.direction = drag.flatMap { reading(of: $0).direction }
        case .ended: release(velocity: event.velocity, &outcome)
        case .cancelled:
            outcome.ending = .reset(.cancelled)
            endDrag(&outcome.notifications)
        }
    }

    /// Why a finger cannot take the front card now.
    private var dragRefusal: Refusal? {
        // What a waiting command would bring to the front is taken into account, as it takes effect first.
        guard queue.isEmpty else { return afterWaitingCommands.dragRefusal }
        guard let front = placed.first else { return .noCard }
        if !deck.isDraggable(at: front.index) { return .notDraggable }
        return appear != nil && settings.rules.whileAnimating == .ignore ? .animating : nil
    }

    /// Whether a finger can take the front card now.
    var isFrontInteractive: Bool {
        dragRefusal == nil
    }

    private mutating func beginDrag(_ notifications: inout [DeckNotification]) {
        performWaitingCommands(&notifications)
        tellArrivals(&notifications)
        settleNudge()
        var held = Drag(location: slot(at: 0).size.center)
        held.startPosition = position.value(at: now)
        held.startPlace = wholePlace
        held.samples.append(.zero, at: now)
        drag = held
        if let front = placed.first { notify(.panBegan(index: front.index), &notifications) }
    }

    /// Takes the finger's way as the card's, as far as the rules let it follow.
    private mutating func follow(
        _ translation: Vector,
        _ phase: DragEvent.Phase,
        _ outcome: inout Outcome
    ) {
        // A cancelled finger does not say where it was.
        guard phase != .cancelled, let index = placed.first?.index else { return }
        let permitted = settings.rules.permitted(translation, in: deck.dragDirections(at: index))
        drag?.samples.append(permitted, at: now)
        // A release at the place of the last move is no move of its own.
        guard phase != .ended || permitted != drag?.translation else { return }
        move(to: permitted, index, &outcome)
    }

    private mutating func move(to translation: Vector, _ index: Int, _ outcome: inout Outcome) {
        guard var moved = drag else { return }
        moved.translation = translation
        let reading = reading(of: moved)
        let former = moved.pastThreshold
        moved.pastThreshold = settings.rules.isFar(reading) ? reading.direction : nil
        drag = moved
        guard let direction = reading.direction else { return }
        tell(.dragged(index: index, percentage: 100 * reading.progress, direction), &outcome.notifications)
        // From far on one side to far on the other, both are told.
        guard former != moved.pastThreshold else { return }
        if let former { notify(.thresholdUncrossed(index: index, former), &outcome.notifications) }
        if let direction = moved.pastThreshold {
            notify(.thresholdCrossed(index: index, direction), &outcome.notifications)
        }
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

    /// What letting go would do.
    func decision(on reading: DragReading, velocity: Vector?) -> ReleaseDecision {
        let denied = placed.first.map { deck.deniedDirections(at: $0.index) } ?? []
        return ReleaseDecision(reading, velocity: velocity, rules: settings.rules, denied: denied)
    }

    private mutating func release(velocity: Vector?, _ outcome: inout Outcome) {
        guard let held = drag, let front = placed.first else { return }
        let reading = reading(of: held)
        let velocity = velocity ?? held.samples.velocity(at: now)
        outcome.direction = reading.direction
        switch decision(on: reading, velocity: velocity) {
        case .resets(let reason):
            outcome.ending = .reset(reason)
            returnFront(from: held)
            notify(.didReset(index: front.index), &outcome.notifications)
        case .swipes(let direction):
            sendOut(direction, .byHand(velocity: velocity), acceptedAt: now, &outcome)
        }
        drag = nil
        notify(.panFinished(index: front.index), &outcome.notifications)
    }

    /// Ends a drag that something else interrupts: the card goes back, as after a release below the threshold.
    mutating func endDrag(_ notifications: inout [DeckNotification]) {
        settleNudge()
        guard let held = drag, let front = placed.first else { return }
        if settings.layout.scrolling != nil {
            scrollBack(from: held)
        } else {
            returnFront(from: held)
        }
        notify(.didReset(index: front.index), &notifications)
        drag = nil
        notify(.panFinished(index: front.index), &notifications)
    }

    /// Lets a card that leans towards a hint go back, as if a finger had let go of it.
    mutating func settleNudge() {
        let leaning = nudge?.drag(at: now, cardSize: slot(at: 0).size)
        nudge = nil
        guard let leaning else { return }
        let lock = resetUntil
        returnFront(from: leaning)
        resetUntil = lock
    }

    /// Sends the held card back to its place on a spring, and the cards behind back to theirs.
    private mutating func returnFront(from held: Drag) {
        guard let front = placed.first else { return }
        let seen = placed
        let duration = settings.motion.reduced ? .zero : settings.motion.resetDuration
        placed[0].motion = returning(
            from: pose(ofPlace: 0, in: seen, held: held, at: now),
            keeping: front.motion
        )
        for place in placed.indices.dropFirst() {
            let pose = pose(ofPlace: place, in: seen, held: held, at: now)
            func back<Value: Interpolated>(_ from: Value, to target: Value) -> Track<Value> {
                Track(from: from, to: target, start: now, duration: duration, easing: .linear)
            }
            placed[place].motion.rect = back(pose.rect, to: slot(at: place))
            placed[place].motion.opacity = back(pose.opacity, to: settings.appearance.restOpacity(at: place))
        }
        // Koloda counts itself busy meanwhile only where there are cards behind to go back.
        if placed.count > 1 { resetUntil = now + settings.motion.resetDuration }
    }

    /// The motion from a pose to upright and unscaled; the way of the card's rectangle goes on as it was.
    private func returning(from pose: Pose, keeping former: CardMotion) -> CardMotion {
        let settings = settings.motion
        var motion = CardMotion(holding: pose)
        motion.rect = former.rect
        motion.opacity = former.opacity
        func turned(_ from: Double, to target: Double) -> Track<Double> {
            Track(from: from, to: target, start: now, duration: settings.resetDuration, easing: .ease)
        }
        motion.overlayProgress = turned(pose.overlay?.progress ?? 0, to: 0)
        if settings.reduced {
            motion.translation = Track(still: .zero)
            motion.rotation = Track(still: 0)
            motion.scale = Track(still: 1)
            return motion
        }
        motion.translation = Track(from: pose.translation, to: .zero, start: now, spring: Spring(settings.resetSpring))
        motion.rotation = turned(pose.rotation.value, to: 0)
        motion.scale = turned(pose.scale, to: 1)
        return motion
    }
}
