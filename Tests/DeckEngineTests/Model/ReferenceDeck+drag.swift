import DeckEngine

// A finger on the front card.
extension ReferenceDeck {
    /// Why a finger cannot take the front card; nil if it can.
    var dragRefusal: String? {
        if !queue.isEmpty {
            var then = self
            then.executeWaiting()
            return then.dragRefusal
        }
        guard let front else { return "no-card" }
        if !isDraggable(front) { return "not-draggable" }
        let isAppearing = pending.contains { $0.effect == .appeared }
        return isAppearing && settings.rules.whileAnimating == .ignore ? "animating" : nil
    }

    mutating func drag(
        _ phase: DragEvent.Phase,
        _ way: ModelStep.Way?,
        _ grabbed: ModelStep.Way?,
        _ speed: ModelStep.Way?
    ) -> ModelAnswer {
        if finger == nil {
            if phase == .cancelled { return .refused("not-dragging") }
            if let dragRefusal { return .refused(dragRefusal) }
            takeFront()
        }
        if let grabbed { finger?.grabbed = grabbed }
        if isPile { return dragPile(phase, way, speed) }
        let isMoved = follow(way, phase)
        var answer = ModelAnswer(index: current)
        guard let held = finger else { return answer }
        switch phase {
        case .began, .changed: answer.direction = reading(held).direction
        case .ended: release(held, speed, &answer)
        case .cancelled:
            answer.ending = .reset(.cancelled)
            letGo()
        }
        if !isMoved, phase == .ended { dragged = nil }
        return answer
    }

    private mutating func takeFront() {
        executeWaiting()
        catchPile()
        let home = wholePlace
        guard let front else { return }
        let card = layout.rect(0)
        let middle = ModelStep.Way(card.width / 2, card.height / 2)
        var held = ReferenceFinger(name: front.name, index: current, grabbed: middle)
        held.startPlace = pile.value(at: now)
        held.homePlace = home
        // A carousel that was left between two cards goes back to the one that was in front, or to the nearest.
        if let scrollHome, scrollHome != home, choices.isOther { held.homePlace = scrollHome }
        held.hear(x: 0, y: 0, at: now)
        scrollHome = nil
        nudgeUntil = 0
        finger = held
        tell(.panBegan(index: current))
    }

    /// - Returns: whether the card has moved.
    private mutating func follow(_ way: ModelStep.Way?, _ phase: DragEvent.Phase) -> Bool {
        guard let way, phase != .cancelled, let former = finger else { return false }
        finger?.hear(x: way.x, y: way.y, at: now)
        placeCard()
        guard let held = finger else { return false }
        let isMoved = held.x != former.x || held.y != former.y
        let reading = reading(held)
        if let direction = reading.direction {
            dragged = Dragged(
                index: current,
                progress: reading.progress,
                direction: direction,
                isRepeated: !isMoved
            )
        }
        watchThreshold()
        return isMoved
    }

    /// Moves the held card to where the rules let it follow the finger.
    private mutating func placeCard() {
        guard let front, let last = finger?.samples.last else { return }
        let (x, y) = permitted(ModelStep.Way(last.x, last.y), front)
        finger?.x = x
        finger?.y = y
    }

    /// Notifies when a held card passes the threshold, in either direction.
    mutating func watchThreshold() {
        if !isPile { placeCard() }
        guard let held = finger, !isPile else { return }
        let past = past(reading(held))
        guard past != held.past else { return }
        finger?.past = past
        if let former = held.past { tell(.thresholdUncrossed(index: current, former)) }
        if let past { tell(.thresholdCrossed(index: current, past)) }
    }

    private mutating func release(_ held: ReferenceFinger, _ speed: ModelStep.Way?, _ answer: inout ModelAnswer) {
        let reading = reading(held)
        var decisions: [ReleaseDecision] = []
        // Along a diagonal, and with a fitted speed, a speed at the limit has a rounding error.
        let isExact = speed != nil && reading.direction.map { $0.way.x * $0.way.y == 0 } ?? true
        for velocity in speed.map({ [held.followed($0.x, $0.y)] }) ?? held.velocities(at: now) {
            for part in isExact ? [1] : [1 - 1e-12, 1 + 1e-12] {
                let decision = decision(reading, velocity.map { (part * $0.x, part * $0.y) })
                if !decisions.contains(decision) { decisions.append(decision) }
            }
        }
        answer.direction = reading.direction
        switch decisions[decisions.count > 1 ? choices.pick(decisions.count) : 0] {
        case .resets(let reason):
            answer.ending = .reset(reason)
            letGo()
        case .swipes(let direction):
            answer.ending = .swiped
            answer.acted = held.name
            answer.changes = [give(direction, isByHand: true, acceptedAt: now)]
            finger = nil
            tell(.panFinished(index: held.index), named: held.name)
            checkRefill(isSwiping: true)
        case .waits, .reverts: break
        }
    }

    // MARK: Carousels

    private mutating func dragPile(
        _ phase: DragEvent.Phase,
        _ way: ModelStep.Way?,
        _ speed: ModelStep.Way?
    ) -> ModelAnswer {
        guard let flip = layout.flip, var held = finger else { return ModelAnswer() }
        let nearest = current
        if phase == .cancelled {
            letGo()
            checkRefill()
            return ModelAnswer(ending: .reset(.cancelled), index: choices.isOther ? current : nearest)
        }
        if let way {
            held.hear(x: way.x, y: way.y, at: now)
            (held.x, held.y) = (way.x, way.y)
            finger = held
        }
        let place = held.startPlace + held.y / flip.spacing
        guard phase == .ended else {
            pile = ReferenceSpring(at: withinDeck(place, from: held.startPlace))
            bringNearest(pile.to)
            return ModelAnswer(index: current)
        }
        var targets: [Double] = []
        let speeds = speed.map { [$0.y] } ?? held.velocities(at: now).map { $0?.y ?? 0 }
        for speed in speeds {
            let target = target(from: place, speed: speed)
            if !targets.contains(target) { targets.append(target) }
        }
        finger = nil
        let target = targets[targets.count > 1 ? choices.pick(targets.count) : 0]
        rest(at: target, from: withinDeck(place, from: held.startPlace))
        tell(.panFinished(index: held.index), named: held.name)
        return ModelAnswer(ending: .scrolled, index: current)
    }

    /// Without a loop a deck ends at its first and its last card. A finger may have caught it beyond them.
    private func withinDeck(_ place: Double, from start: Double = 0) -> Double {
        loop ? place : min(max(place, min(start, 0)), max(start, Double(row.count - 1)))
    }

    /// The card at which a carousel comes to rest after a release with this speed, points per second.
    private func target(from place: Double, speed: Double) -> Double {
        withinDeck((place + speed / (layout.flip?.spacing ?? 1) * 0.099 + 0.5).rounded(.down))
    }

    private mutating func rest(at target: Double, from place: Double) {
        pile = ReferenceSpring(at: place)
        bringNearest(target)
        glide(to: target)
        comeToRest()
        checkRefill()
    }

    mutating func scroll(_ phase: DragEvent.Phase, _ offset: Double?, _ speed: Double) -> ModelAnswer {
        guard let flip = layout.flip else { return .refused("layout-does-not-scroll") }
        var then = self
        then.executeWaiting()
        if then.front == nil {
            return .refused(phase == .cancelled && choices.isOther ? "not-dragging" : "no-card")
        }
        if phase == .cancelled, scrollHome == nil || !queue.isEmpty { return .refused("not-dragging") }
        executeWaiting()
        letGo()
        catchPile()
        let home = scrollHome ?? wholePlace
        let place = offset.map { $0 / flip.spacing } ?? pile.to
        let seen = offset == nil ? place : withinDeck(place)
        switch phase {
        case .began, .changed:
            scrollHome = home
            pile = ReferenceSpring(at: seen)
            bringNearest(pile.to)
            return ModelAnswer(index: current)
        case .cancelled:
            scrollHome = nil
            bringNearest(home)
            glide(to: home)
            comeToRest()
            checkRefill()
            return ModelAnswer(ending: .reset(.cancelled), index: current)
        case .ended:
            scrollHome = nil
            rest(at: target(from: place, speed: speed), from: seen)
            return ModelAnswer(ending: .scrolled, index: current)
        }
    }
}
