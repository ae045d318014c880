// Events that change the look of a session and none of its cards.
extension DeckSession {
    mutating func tap(_ index: Int?, _ outcome: inout Outcome, _ kind: (Int) -> DeckNotification.Kind) {
        if let index, !(0..<pile.count).contains(index) {
            outcome.refusal = .indexOutOfRange
            return
        }
        guard !pile.isExhausted else {
            outcome.refusal = .noCard
            return
        }
        // Only the card that is seen in front accepts taps. A tap on another card came too late, or passed through the front one.
        let front = shownIndex(at: now)
        guard index ?? front == front else {
            outcome.refusal = .notFrontCard
            return
        }
        outcome.index = front
        notify(kind(front), &outcome.notifications)
    }

    mutating func flip(_ outcome: inout Outcome) {
        guard !pile.isExhausted else {
            outcome.refusal = .noCard
            return
        }
        guard let face = stage.turnFrontOver(in: scene, at: now) else {
            outcome.refusal = .layoutScrolls
            return
        }
        outcome.index = pile.frontIndex
        notify(.didFlip(index: pile.frontIndex, face), &outcome.notifications)
    }

    mutating func appear(_ outcome: inout Outcome) {
        guard !pile.isExhausted else {
            outcome.refusal = .noCard
            return
        }
        guard settings.rules.whileAnimating != .ignore || !isBusy else {
            outcome.refusal = .animating
            return
        }
        beginAppearing()
    }

    mutating func nudge(_ direction: Direction, _ outcome: inout Outcome) {
        outcome.refusal = nudgeRefusal(direction)
        guard outcome.isApplied else { return }
        outcome.index = pile.frontIndex
        outcome.direction = direction
        stage.beginNudge(direction, in: scene, at: now, after: restingTime)
    }

    private func nudgeRefusal(_ direction: Direction) -> Refusal? {
        guard let front = pile.frontCard else { return .noCard }
        if stage.isCarousel { return .layoutScrolls }
        if stage.isDragged { return .dragging }
        if stage.isPending { return .pending }
        let allowed = pile.allowedDirections(of: front, in: scene)
        if !allowed.contains(direction) { return .directionNotAllowed }
        // A queued command would end the hint before it starts.
        return timeline.hasQueue || settings.rules.whileAnimating == .ignore && isBusy ? .animating : nil
    }

    /// Changes the deck's size. A screen that was never set separately changes with it.
    mutating func resize(_ viewport: Size?, screen: Size?, _ outcome: inout Outcome) {
        stage.settleNudge(in: scene, at: now)
        let former = scene
        scene.viewport = viewport ?? former.viewport
        scene.screen = screen ?? (former.screen == former.viewport ? scene.viewport : former.screen)
        if scene.viewport != former.viewport { stage.resize(in: scene) }
        remeasureFinger(&outcome.notifications)
    }
}
