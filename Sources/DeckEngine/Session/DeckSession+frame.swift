// What is to be seen.
extension DeckSession {
    /// The frame at a time; for one that is to come, as if nothing but time happens. A time before `now` counts as `now`.
    public func frame(at time: Instant) -> Frame {
        var frame = Frame()
        write(frameAt: time, into: &frame)
        return frame
    }

    /// Overwrites a frame whose storage is used again with the frame at a time.
    public func write(frameAt time: Instant, into frame: inout Frame) {
        let time = max(time, now)
        if let next = nextEffect, next <= time {
            var future = self
            var unheard: [DeckNotification] = []
            future.advance(to: time, &unheard)
            future.write(frameAt: time, into: &frame)
            return
        }
        let settles = settlingTime
        frame.version = version
        frame.at = time
        frame.currentIndex = scrolledIndex(at: time) ?? currentIndex
        frame.cardCount = deck.cards.count
        frame.visibleCount = settings.layout.visibleCount
        frame.loop = settings.loop
        frame.exhausted = isExhausted
        frame.dragging = drag != nil
        frame.settlesAt = settles > time ? settles : nil
        frame.canRevert = revertibleCount
        frame.canRedo = redoableCount
        frame.drag = frameDrag
        frame.lastNotification = lastNotification
        frame.cards.removeAll(keepingCapacity: true)
        write(cardsAt: time, into: &frame.cards)
    }

    private var frameDrag: FrameDrag? {
        guard let drag, settings.layout.scrolling == nil else { return nil }
        let reading = reading(of: drag)
        let threshold = reading.direction.map(settings.rules.threshold) ?? settings.rules.swipeThreshold
        return FrameDrag(
            translation: drag.translation,
            direction: reading.direction,
            progress: reading.progress,
            thresholdProgress: OverlayRange().progress(dragProgress: reading.progress, threshold: threshold),
            decision: decision(on: reading, velocity: nil)
        )
    }

    private func write(cardsAt time: Instant, into cards: inout [FrameCard]) {
        if settings.layout.scrolling != nil {
            for card in scrolledCards(at: time) {
                var drawn = card
                appear?.apply(to: &drawn, viewport: viewport, at: time)
                cards.append(drawn)
            }
        } else {
            write(placedCardsAt: time, into: &cards)
        }
        for card in leaving.reversed() where card.end > time {
            var drawn = frameCard(card.index, id: card.id, card.motion.pose(at: time), .leaving)
            drawn.z = cards.count
            drawn.allowedDirections = card.allowedDirections
            card.appear?.apply(to: &drawn, viewport: viewport, at: time)
            cards.append(drawn)
        }
    }

    /// How near a placed card is; those that leave are nearer.
    func z(ofPlace place: Int) -> Int {
        placed.count - 1 - place
    }

    private func write(placedCardsAt time: Instant, into cards: inout [FrameCard]) {
        // A reverted card is back when that has been told, be it early because a finger took it.
        let front: FrameCard.Role = scheduled.contains { $0.effect == .rewound } ? .returning : .front
        let held = held(at: time)
        for (place, card) in placed.enumerated() {
            let pose = pose(ofPlace: place, in: placed, held: held, at: time)
            var drawn = frameCard(card.index, id: deck.cards[card.index].id, pose, place > 0 ? .background : front)
            drawn.z = z(ofPlace: place)
            drawn.interactive = place == 0 && isFrontInteractive
            drawn.allowedDirections = deck.allowedDirections(at: card.index)
            appear?.apply(to: &drawn, viewport: viewport, at: time)
            cards.append(drawn)
        }
    }

    private func frameCard(_ index: Int, id: String, _ pose: Pose, _ role: FrameCard.Role) -> FrameCard {
        let whole = slot(at: 0).size
        return FrameCard(
            index: index,
            id: id,
            role: role,
            z: 0,
            frame: pose.rect,
            matrix: pose.matrix,
            flip: nil,
            anchor: pose.anchor,
            contentScale: Vector(
                x: whole.width > 0 ? pose.rect.width / whole.width : 1,
                y: whole.height > 0 ? pose.rect.height / whole.height : 1
            ),
            opacity: pose.opacity,
            interactive: false,
            overlay: pose.overlay.map { overlay in
                FrameOverlay(
                    direction: overlay.direction,
                    progress: overlay.progress,
                    alpha: settings.overlay.range(overlay.direction).curve.alpha(at: overlay.progress)
                )
            },
            allowedDirections: []
        )
    }

    /// The finger on the front card, or the hint that looks like one.
    func held(at time: Instant) -> Drag? {
        drag ?? nudge?.drag(at: time, cardSize: slot(at: 0).size)
    }

    /// How the card at a place looks: its own motion, and on top of that what the drag does to it.
    ///
    /// What still runs goes on under the drag, so that nothing jumps when a moving card is grabbed.
    func pose(ofPlace place: Int, in cards: [PlacedCard], held: Drag?, at time: Instant) -> Pose {
        var pose = cards[place].motion.pose(at: time)
        guard let held, settings.layout.scrolling == nil else { return pose }
        if place == 0 {
            hold(&pose, by: held)
        } else if settings.motion.moveBackground {
            follow(&pose, place: place, progress: reading(of: held).progress)
        }
        return pose
    }

    private func hold(_ pose: inout Pose, by held: Drag) {
        let transform = transform(of: held)
        pose = pose.anchored(at: UnitPoint(location: held.location, in: slot(at: 0).size))
        pose.translation = pose.translation + transform.translation
        pose.rotation = Radians(pose.rotation.value + transform.rotation.value)
        pose.scale *= transform.scale
        let dragged = overlay(of: held)
        // An overlay that still fades out goes on until the drag's own is stronger: a card that is grabbed again must
        // not blink.
        if let fading = pose.overlay, fading.progress > dragged?.progress ?? 0 { return }
        pose.overlay = dragged
    }

    private func overlay(of held: Drag) -> OverlayState? {
        let reading = reading(of: held)
        return reading.direction.map { direction in
            let progress = settings.overlay.range(direction).progress(
                dragProgress: reading.progress,
                threshold: settings.rules.threshold(direction)
            )
            return OverlayState(direction: direction, progress: progress)
        }
    }

    /// A card behind moves towards the place before its own by the dragged part, and the next one becomes opaque.
    private func follow(_ pose: inout Pose, place: Int, progress: Double) {
        // From where it is, not from its place: one that still moves there would otherwise be taken too far.
        pose.rect = .between(pose.rect, slot(at: place - 1), progress)
        if place == 1, settings.appearance.fadeNext {
            pose.opacity = .between(pose.opacity, settings.appearance.opaque, progress)
        }
    }
}

extension AppearAnimation {
    /// Draws a card in a deck that is scaled about its middle and partly transparent as a whole.
    func apply(to card: inout FrameCard, viewport: Size, at time: Instant) {
        let scale = scale.value(at: time)
        let offset = card.frame.point(at: card.anchor) - viewport.center
        card.matrix.a *= scale
        card.matrix.b *= scale
        card.matrix.c *= scale
        card.matrix.d *= scale
        card.matrix.tx = scale * card.matrix.tx + (scale - 1) * offset.x
        card.matrix.ty = scale * card.matrix.ty + (scale - 1) * offset.y
        card.opacity *= opacity.value(at: time)
    }
}
