// What is to be seen.
extension DeckSession {
    /// The frame at a time; for one that is to come, as if nothing but time happens. A time before `now` counts as `now`.
    public func frame(at time: Milliseconds) -> Frame {
        let time = max(time, now)
        if let next = nextEffect, next <= time {
            var future = self
            var unheard: [Notification] = []
            future.advance(to: time, &unheard)
            return future.frame(at: time)
        }
        let settles = settlingTime
        return Frame(
            version: version,
            at: time,
            currentIndex: currentIndex,
            cardCount: deck.cards.count,
            visibleCount: settings.layout.visibleCount,
            loop: settings.loop,
            exhausted: isExhausted,
            dragging: drag != nil,
            settlesAt: settles > time ? settles : nil,
            canRevert: revertibleCount,
            cards: frameCards(at: time),
            lastNotification: lastNotification
        )
    }

    private func frameCards(at time: Milliseconds) -> [FrameCard] {
        var cards: [FrameCard] = []
        cards.reserveCapacity(placed.count + leaving.count)
        for (place, card) in placed.enumerated() {
            let role: FrameCard.Role = place > 0 ? .background : card.returnsUntil > time ? .returning : .front
            let pose = pose(ofPlace: place, in: placed, held: drag, at: time)
            var drawn = frameCard(card.index, pose, role, z: placed.count - 1 - place)
            drawn.interactive = place == 0 && isFrontInteractive
            appear?.apply(to: &drawn, viewport: viewport, at: time)
            cards.append(drawn)
        }
        for (order, card) in leaving.reversed().enumerated() where card.motion.end > time {
            cards.append(frameCard(card.index, card.motion.pose(at: time), .leaving, z: placed.count + order))
        }
        return cards
    }

    private func frameCard(_ index: Int, _ pose: Pose, _ role: FrameCard.Role, z: Int) -> FrameCard {
        let card = deck.cards[index]
        let whole = slot(at: 0).size
        return FrameCard(
            index: index,
            id: card.id,
            role: role,
            z: z,
            frame: pose.rect,
            matrix: pose.matrix,
            anchor: pose.anchor,
            contentScale: Vector(
                x: whole.width > 0 ? pose.rect.width / whole.width : 1,
                y: whole.height > 0 ? pose.rect.height / whole.height : 1
            ),
            opacity: pose.opacity,
            interactive: false,
            overlay: pose.overlay,
            allowedDirections: card.allowedDirections ?? settings.rules.allowedDirections
        )
    }

    /// How the card at a place looks: its own motion, and on top of that what the drag does to it.
    ///
    /// What still runs goes on under the drag, so that nothing jumps when a moving card is grabbed.
    func pose(ofPlace place: Int, in cards: [PlacedCard], held: Drag?, at time: Milliseconds) -> Pose {
        var pose = cards[place].motion.pose(at: time)
        guard let held else { return pose }
        if place == 0 {
            hold(&pose, by: held)
        } else if settings.motion.moveBackground {
            follow(&pose, place: place, percentage: reading(of: held).percentage)
        }
        return pose
    }

    private func hold(_ pose: inout Pose, by held: Drag) {
        let transform = transform(of: held)
        pose = pose.anchored(at: UnitPoint(location: held.location, in: slot(at: 0).size))
        pose.translation = pose.translation + transform.translation
        pose.rotation = Radians(pose.rotation.value + transform.rotation.value)
        pose.scale *= transform.scale
        let reading = reading(of: held)
        pose.overlay = reading.direction.map { direction in
            let progress = settings.overlay.progress(
                percentage: reading.percentage,
                threshold: settings.rules.swipeThreshold
            )
            return OverlayState(direction: direction, progress: progress)
        }
    }

    /// A card behind moves towards the place before its own by the dragged part, and the next one becomes opaque.
    private func follow(_ pose: inout Pose, place: Int, percentage: Double) {
        let (own, next) = (slot(at: place), slot(at: place - 1))
        pose.rect.x += percentage * (next.x - own.x)
        pose.rect.y += percentage * (next.y - own.y)
        pose.rect.width += percentage * (next.width - own.width)
        pose.rect.height += percentage * (next.height - own.height)
        if place == 1, settings.appearance.fadeNext {
            pose.opacity = .between(pose.opacity, settings.appearance.opaque, percentage)
        }
    }
}

extension AppearAnimation {
    /// Draws a card in a deck that is scaled about its middle and partly transparent as a whole.
    func apply(to card: inout FrameCard, viewport: Size, at time: Milliseconds) {
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
