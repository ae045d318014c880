// Reverting and redoing verdicts.
extension DeckSession {
    mutating func revert(_ style: RevertStyle, count: Int, acceptedAt: Instant, _ outcome: inout Outcome) {
        if let refusal = pile.refusal(reverting: count) {
            outcome.refusal = refusal
            return
        }
        for step in 1...count { revertLast(style, isLast: step == count, acceptedAt: acceptedAt, &outcome) }
    }

    mutating func revertLast(
        _ style: RevertStyle,
        isLast: Bool = true,
        acceptedAt: Instant,
        _ outcome: inout Outcome
    ) {
        guard let last = pile.lastSwipe else { return }
        change(.gesture, isLast: isLast, &outcome) { session in
            let move = session.pile.revert(loops: session.settings.loop)?.move ?? .none
            return Change(move: move, arrival: .reverted(at: session.bringBack(last, style)))
        }
        let verdict = Verdict(
            sequence: last.verdict,
            at: acceptedAt,
            index: pile.frontIndex,
            cardID: pile.id(of: last.card) ?? CardID(),
            direction: last.direction
        )
        outcome.report(.reverted(verdict))
        counters.remember(.reverted(verdict), of: last.card)
    }

    /// Brings a reverted card back.
    ///
    /// - Returns: when it arrives; nil in a carousel, where cards do not move by themselves.
    private mutating func bringBack(_ swipe: PastSwipe, _ style: RevertStyle) -> Instant? {
        let flying = stage.catchLeaving(swipe.card, at: now)
        guard !stage.isCarousel else { return nil }
        let motion = returningMotion(of: swipe, style, from: flying)
        stage.bringBack(swipe.card, motion, in: scene)
        return max(now, motion.end)
    }

    /// A reverted card that still flies turns round where it is; any other comes in with the given style.
    private func returningMotion(of swipe: PastSwipe, _ style: RevertStyle, from flying: Pose?) -> CardMotion {
        let slot = scene.rect(ofSlot: 0)
        var pose = flying ?? Pose(rect: slot, opacity: scene.settings.appearance.transparent)
        if flying == nil, let direction = style.direction(of: swipe) {
            pose.translation = direction.exitTranslation(viewport: viewport, screen: screen)
            pose.rotation = direction.swipeRotation
        }
        if scene.settings.motion.reduced { pose = Pose(rect: slot, opacity: pose.opacity, turn: pose.turn) }
        let duration = style == .fade ? scene.settings.motion.revertFadeDuration : scene.settings.motion.revertDuration
        func back<Value: Interpolated>(_ from: Value, to target: Value) -> Track<Value> {
            Track(from: from, to: target, start: now, duration: duration, curve: .ease)
        }
        var motion = CardMotion(restingIn: slot, opacity: 1)
        motion.hold(pose)
        motion.rect = back(pose.rect, to: slot)
        motion.translation = back(pose.translation, to: .zero)
        motion.rotation = back(pose.rotation.value, to: 0)
        motion.scale = back(pose.scale, to: 1)
        motion.opacity = back(pose.opacity, to: scene.settings.appearance.opaque)
        motion.overlayProgress = back(pose.overlay?.progress ?? 0, to: 0)
        motion.turn = Track(still: pose.turn.rounded())
        return motion
    }

    mutating func redo(count: Int, acceptedAt: Instant, _ outcome: inout Outcome) {
        if let refusal = pile.refusal(redoing: count) {
            outcome.refusal = refusal
            return
        }
        interrupt(.gesture, &outcome.notifications)
        for step in 1...count {
            guard let swipe = pile.takeRedo(), let index = pile.index(of: swipe.card) else { return }
            announceArrivals(&outcome.notifications)
            // The card is brought to the front without being shown there.
            let move = pile.bringToFront(index, loops: settings.loop)
            self.swipe(swipe.direction, .redo, after: move, isLast: step == count, acceptedAt: acceptedAt, &outcome)
        }
    }
}

extension RevertStyle {
    fileprivate func direction(of swipe: PastSwipe) -> Direction? {
        switch self {
        case .fade: nil
        case .from(let direction): direction
        case .origin: swipe.direction
        }
    }
}
