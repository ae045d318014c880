// The frame: everything visible at one time.
extension DeckSession {
    /// The frame at a time. A frame in the future assumes that nothing but time happens. A time before `now` counts as
    /// `now`.
    public func frame(at time: Instant) -> Frame {
        readFrame(at: time) { frame, forEachCard in
            var frame = frame
            forEachCard { frame.cards.append($0) }
            return frame
        }
    }

    /// Reads the frame at a time without storing its cards.
    ///
    /// - Parameter body: gets the frame without cards, and a function that passes each card to a closure, in their order.
    public func readFrame<Result>(
        at time: Instant,
        _ body: (_ frame: Frame, _ forEachCard: (_ body: (FrameCard) -> Void) -> Void) -> Result
    ) -> Result {
        let time = max(time, now)
        if let next = nextEffect, next <= time { return advanced(to: time).readFrame(at: time, body) }
        let settles = settlingTime
        let lean = stage.lean(of: pile, in: scene, at: time)
        let frame = Frame(
            version: version,
            at: time,
            currentIndex: shownIndex(at: time),
            cardCount: pile.count,
            visibleCount: settings.layout.visibleCount,
            loop: settings.loop,
            exhausted: isExhausted,
            dragging: stage.isDragged,
            settlesAt: settles > time ? settles : nil,
            canRevert: revertibleCount,
            canRedo: redoableCount,
            drag: frameDrag(lean),
            pending: framePending,
            cards: [],
            lastNotification: lastNotification
        )
        return body(frame) { forEachCard(lean, at: time, $0) }
    }

    /// The index of the card that is seen in front. A moving carousel may show another card than its target.
    func shownIndex(at time: Instant) -> Int {
        guard let (carousel, layout) = stage.carousel, !isExhausted else { return pile.frontIndex }
        let course = Carousel.Course(layout, of: pile, in: scene)
        return Carousel.index(of: carousel.number(at: time, course), in: pile)
    }

    private func frameDrag(_ lean: Lean?) -> FrameDrag? {
        guard let translation = stage.finger?.translation, let reading = lean?.reading else { return nil }
        let threshold =
            if let direction = reading.direction {
                scene.settings.rules.threshold(direction)
            } else {
                scene.settings.rules.swipeThreshold
            }
        return FrameDrag(
            translation: translation,
            direction: reading.direction,
            progress: reading.progress,
            thresholdProgress: OverlayRange().progress(dragProgress: reading.progress, threshold: threshold),
            decision: decision(on: reading, velocity: nil)
        )
    }

    private var framePending: FramePending? {
        guard let pending = stage.pending, let front = pile.frontCard else { return nil }
        return FramePending(
            index: pile.frontIndex,
            id: pile.id(of: front) ?? CardID(),
            direction: pending.direction,
            since: pending.since,
            until: pending.until
        )
    }

    private func forEachCard(_ lean: Lean?, at time: Instant, _ body: (FrameCard) -> Void) {
        let below = stage.leavingCards.countBelow(at: time)
        var z = below
        switch stage.kind {
        case .stack(let stack):
            z += forEachCard(of: stack, above: below, lean, at: time, body)
        case .carousel(let carousel, let layout):
            let cards = cards(of: carousel, layout, at: time)
            for var card in cards {
                card.z += below
                body(appearing(card, at: time))
            }
            z += cards.count
        }
        stage.leavingCards.forEach(at: time, above: z) { body(frameCard($0, z: $1, at: time)) }
    }

    /// - Parameter below: the number of cards below those in their slots.
    /// - Returns: the number of cards.
    private func forEachCard(
        of stack: StackStage,
        above below: Int,
        _ lean: Lean?,
        at time: Instant,
        _ body: (FrameCard) -> Void
    ) -> Int {
        let whole = lean?.cardSize ?? scene.rect(ofSlot: 0).size
        // A reverted card is back once that has been announced. That can be early, because a finger took it.
        let front: FrameCard.Role = timeline.awaitsRewind ? .returning : .front
        var count = 0
        for (slot, placed) in stack.cards.enumerated() {
            guard let index = pile.index(of: placed.card) else { continue }
            let ownDirections = pile.cards.own(at: index) { $0.allowedDirections }
            let card = frameCard(
                index,
                pile.cards.id(at: index),
                stack.pose(inSlot: slot, lean, in: scene, at: time),
                slot > 0 ? .background : front,
                z: below + stack.count - 1 - slot,
                whole: whole,
                interactive: slot == 0 && isFrontInteractive,
                allowed: ownDirections ?? scene.settings.rules.allowedDirections
            )
            body(appearing(card, at: time))
            count += 1
        }
        return count
    }

    /// A card that is not leaving, as it looks while the deck grows into view.
    @inline(__always)
    private func appearing(_ card: consuming FrameCard, at time: Instant) -> FrameCard {
        stage.appear?.apply(to: &card, viewport: viewport, at: time)
        return card
    }

    /// - Parameter whole: the size of the front card's slot.
    private func frameCard(
        _ index: Int,
        _ id: CardID,
        _ pose: Pose,
        _ role: FrameCard.Role,
        z: Int,
        whole: Size,
        interactive: Bool = false,
        allowed: Directions,
        isInDeck: Bool = true
    ) -> FrameCard {
        // A card turns over about its middle.
        let pose = pose.turn == 0 || pose.turn == 1 ? pose : pose.anchored(at: .center)
        return FrameCard(
            index: index,
            id: id,
            role: role,
            z: z,
            frame: pose.rect,
            matrix: pose.matrix,
            face: pose.turn < 0.5 ? .front : .back,
            flip: .turning(pose.turn),
            anchor: pose.anchor,
            contentScale: Vector(
                x: whole.width > 0 ? pose.rect.width / whole.width : 1,
                y: whole.height > 0 ? pose.rect.height / whole.height : 1
            ),
            opacity: pose.opacity,
            interactive: interactive,
            overlay: frameOverlay(pose.overlay),
            allowedDirections: allowed,
            isInDeck: isInDeck
        )
    }

    /// A leaving card. One that is no longer in the deck is shown as it was when it left.
    private func frameCard(_ leaving: LeavingCard, z: Int, at time: Instant) -> FrameCard {
        let departure = leaving.departure
        let index = pile.index(of: leaving.card)
        var card = frameCard(
            index ?? leaving.lastIndex,
            index.map { pile.cards.id(at: $0) } ?? departure.id,
            departure.motion.pose(at: time),
            .leaving,
            z: z,
            whole: scene.rect(ofSlot: 0).size,
            allowed: departure.allowedDirections,
            isInDeck: index != nil
        )
        departure.appear?.apply(to: &card, viewport: viewport, at: time)
        return card
    }

    private func frameOverlay(_ overlay: OverlayState?) -> FrameOverlay? {
        guard let overlay else { return nil }
        return FrameOverlay(
            direction: overlay.direction,
            progress: overlay.progress,
            alpha: scene.settings.overlay.range(overlay.direction).curve.progress(at: overlay.progress)
        )
    }

    // MARK: Carousel

    /// The cards of a carousel: the front one first, then those behind, then the one that has tipped over by more than
    /// half, which is leaving. None is shown twice, except a card that follows itself.
    private func cards(of carousel: Carousel, _ layout: FlipLayout, at time: Instant) -> [FrameCard] {
        guard pile.count > 0 else { return [] }
        let loops = settings.loop
        let course = Carousel.Course(layout, of: pile, in: scene)
        let front = isExhausted ? pile.count : carousel.number(at: time, course)
        let offset = carousel.drawnOffset(at: time, course.bounds)
        // The first card that has not tipped over all the way. One that comes back is in front before it is seen.
        let first = min(Int((offset - 1).rounded(.down)) + 1, front)
        let last = min(first + layout.visibleCount, loops ? max(front, first + pile.count - 1) : pile.count - 1)
        guard first <= last else { return [] }
        var cards: [FrameCard] = []
        for number in first...last where loops || number >= 0 {
            let slot = layout.slot(at: Double(number) - offset, in: viewport)
            let role: FrameCard.Role = number == front ? .front : number < front ? .leaving : .background
            guard slot.opacity > 0 || number == front else { continue }
            cards.append(frameCard(Carousel.index(of: number, in: pile), role, in: slot, layout))
        }
        // Each card lies on the next one.
        for order in cards.indices { cards[order].z = cards.count - 1 - order }
        if cards.first?.role == .leaving { cards.append(cards.removeFirst()) }
        return cards
    }

    private func frameCard(_ index: Int, _ role: FrameCard.Role, in slot: Slot, _ layout: FlipLayout) -> FrameCard {
        FrameCard(
            index: index,
            id: pile.cards.id(at: index),
            role: role,
            z: 0,
            frame: slot.rect,
            matrix: .identity,
            face: .front,
            flip: Flip(axis: .horizontal, angle: slot.flip, perspective: layout.perspective),
            anchor: UnitPoint(x: 0.5, y: 1),
            contentScale: Vector(x: slot.rect.width / layout.cardWidth, y: slot.rect.height / layout.cardHeight),
            opacity: slot.opacity * settings.appearance.opaque,
            interactive: role == .front && isFrontInteractive,
            overlay: nil,
            allowedDirections: pile.cards.own(at: index) { $0.allowedDirections } ?? settings.rules.allowedDirections,
            isInDeck: true
        )
    }
}
