// Verdicts: given by hand or by call, and taken back.
extension DeckSession {
    mutating func swipeByCall(_ direction: Direction, force: Bool, _ command: Command, _ outcome: inout Outcome) {
        guard let front = placed.first else {
            outcome.refusal = .noCard
            return
        }
        if !deck.allowedDirections(at: front.index).contains(direction) {
            outcome.refusal = .directionNotAllowed
            return
        }
        if !force, deck.deniedDirections(at: front.index).contains(direction) {
            outcome.refusal = .directionDenied
            return
        }
        tellArrivals(&outcome.notifications)
        sendOut(direction, byCall: true, command, &outcome)
        if drag != nil {
            // The call took the card out of the finger's hold.
            drag = nil
            notify(.panFinished(index: front.index), &outcome.notifications)
        }
    }

    /// Gives the front card a verdict: it leaves from where it is, and the next one moves up.
    mutating func sendOut(_ direction: Direction, byCall: Bool, _ command: Command, _ outcome: inout Outcome) {
        let seen = placed
        guard let front = seen.first else { return }
        let remainingBefore = deck.cards.count - currentIndex
        leaving.append(
            LeavingCard(
                index: front.index,
                id: deck.cards[front.index].id,
                allowedDirections: deck.allowedDirections(at: front.index),
                motion: leavingMotion(direction, byCall: byCall, seen: seen),
                appear: appear,
                isSwipedByCall: byCall
            )
        )
        if leaving.count > EngineLimits.leavingCards { leaving.removeFirst() }
        let looped = stepForward()
        restage(from: seen, held: drag, frontHasLeft: true)
        record(direction, of: front.index, command, &outcome)
        if placed.isEmpty {
            notify(.didSwipe(index: front.index, direction), &outcome.notifications)
            notify(.didRunOut, &outcome.notifications)
        } else {
            schedule(.arrived(swiped: front.index, direction, looped: looped), at: frontArrival)
        }
        askForMore(remainingBefore: remainingBefore, &outcome.notifications)
    }

    /// - Returns: whether the first card came after the last.
    private mutating func stepForward() -> Bool {
        currentIndex += 1
        guard settings.loop, currentIndex >= deck.cards.count else { return false }
        currentIndex = 0
        return true
    }

    private func leavingMotion(_ direction: Direction, byCall: Bool, seen: [PlacedCard]) -> CardMotion {
        let pose = pose(ofPlace: 0, in: seen, held: drag, at: now)
        let duration = settings.motion.dragSpeed
        var motion = CardMotion(holding: pose)
        motion.rect = seen[0].motion.rect
        motion.opacity = seen[0].motion.opacity
        motion.translation = Track(
            from: pose.translation,
            to: direction.exitTranslation(viewport: viewport, screen: screen),
            start: now,
            duration: duration,
            easing: .ease
        )
        motion.overlayDirection = direction
        guard byCall else {
            motion.overlayProgress = Track(still: 1)
            return motion
        }
        motion.rotation = Track(
            from: pose.rotation.value,
            to: direction.swipeRotation.value,
            start: now,
            duration: duration,
            easing: .ease
        )
        let shown = pose.overlay?.direction == direction ? pose.overlay?.progress ?? 0 : 0
        motion.overlayProgress = Track(from: shown, to: 1, start: now, duration: duration, easing: .ease)
        return motion
    }

    private mutating func record(
        _ direction: Direction,
        of index: Int,
        _ command: Command,
        _ outcome: inout Outcome
    ) {
        lastVerdict += 1
        let verdict = Verdict(
            sequence: lastVerdict,
            at: command.acceptedAt,
            index: index,
            cardID: deck.cards[index].id,
            direction: direction
        )
        history.append(verdict)
        outcome.ending = .swiped
        outcome.direction = direction
        outcome.index = index
        outcome.verdictChange = .given(verdict)
    }

    /// Asks once when the number of cards left falls to the limit.
    private mutating func askForMore(remainingBefore: Int, _ notifications: inout [Notification]) {
        let limit = settings.rules.refillAt
        guard !settings.loop, remainingBefore > limit, remainingBefore - 1 <= limit else { return }
        notify(.needsCards(remaining: remainingBefore - 1), &notifications)
    }

    mutating func revert(_ style: RevertStyle, _ outcome: inout Outcome) {
        guard let verdict = history.last else {
            outcome.refusal = .nothingToRevert
            return
        }
        guard deck.cards[verdict.index].undoable else {
            outcome.refusal = .notUndoable
            return
        }
        endDrag(&outcome.notifications)
        tellArrivals(&outcome.notifications)
        history.removeLast()
        currentIndex = verdict.index
        let motion = revertingMotion(verdict, style)
        let seen = placed
        restage(from: seen, held: nil)
        let isBackAt = max(now, motion.end)
        placed[0] = PlacedCard(index: verdict.index, motion: motion)
        schedule(.rewound, at: isBackAt)
        outcome.direction = verdict.direction
        outcome.index = verdict.index
        outcome.verdictChange = .reverted(verdict)
    }

    /// A reverted card turns round where it still flies, and else comes in by the given style.
    private mutating func revertingMotion(_ verdict: Verdict, _ style: RevertStyle) -> CardMotion {
        let appearance = settings.appearance
        let duration = style == .fade ? settings.motion.revertFadeDuration : settings.motion.revertDuration
        var pose = Pose(rect: slot(at: 0), opacity: appearance.transparent)
        if let direction = style.direction(of: verdict) {
            pose.translation = direction.exitTranslation(viewport: viewport, screen: screen)
            pose.rotation = direction.swipeRotation
        }
        if let flying = leaving.lastIndex(where: { $0.index == verdict.index }) {
            pose = leaving.remove(at: flying).motion.pose(at: now)
        }
        var motion = CardMotion(holding: pose)
        func back<Value: Interpolated>(_ from: Value, to target: Value) -> Track<Value> {
            Track(from: from, to: target, start: now, duration: duration, easing: .ease)
        }
        motion.rect = back(pose.rect, to: slot(at: 0))
        motion.translation = back(pose.translation, to: .zero)
        motion.rotation = back(pose.rotation.value, to: 0)
        motion.scale = back(pose.scale, to: 1)
        motion.opacity = back(pose.opacity, to: appearance.opaque)
        motion.overlayProgress = back(pose.overlay?.progress ?? 0, to: 0)
        return motion
    }
}

extension RevertStyle {
    fileprivate func direction(of verdict: Verdict) -> Direction? {
        switch self {
        case .fade: nil
        case .from(let direction): direction
        case .origin: verdict.direction
        }
    }
}
