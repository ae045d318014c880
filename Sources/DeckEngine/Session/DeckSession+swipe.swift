/// How a card came to its verdict.
enum SwipeCause {
    /// A finger let go of it, this fast.
    case byHand(velocity: Vector?)
    /// A command.
    case byCall
    /// A command did again what had been taken back.
    case redo

    var isByHand: Bool {
        if case .byHand = self { true } else { false }
    }

    var isRedo: Bool {
        if case .redo = self { true } else { false }
    }
}

// Verdicts.
extension DeckSession {
    mutating func swipeByCall(
        _ direction: Direction,
        force: Bool,
        acceptedAt: Instant,
        _ outcome: inout Outcome
    ) {
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
        sendOut(direction, .byCall, acceptedAt: acceptedAt, &outcome)
        releaseHold(of: front.index, &outcome.notifications)
    }

    /// Ends a drag without a reset: a command took the card out of the finger's hold.
    mutating func releaseHold(of index: Int, _ notifications: inout [DeckNotification]) {
        guard drag != nil else { return }
        drag = nil
        notify(.panFinished(index: index), &notifications)
    }

    /// Gives the front card a verdict: it leaves from where it is, and the next one moves up.
    mutating func sendOut(
        _ direction: Direction,
        _ cause: SwipeCause,
        acceptedAt: Instant,
        _ outcome: inout Outcome
    ) {
        let seen = placed
        guard let front = seen.first else { return }
        let held = drag ?? nudge?.drag(at: now, cardSize: slot(at: 0).size)
        let remainingBefore = deck.cards.count - currentIndex
        if settings.layout.scrolling == nil {
            addLeaving(leaving(front, direction, cause, pose(ofPlace: 0, in: seen, held: held, at: now)))
        }
        let looped = stepForward()
        restage(from: seen, held: held, frontHasLeft: true)
        nudge = nil
        if settings.layout.scrolling != nil { glide(to: wholePlace + 1) }
        record(direction, of: front.index, cause, acceptedAt: acceptedAt, &outcome)
        let isRedo = cause.isRedo
        if placed.isEmpty {
            notify(.verdict(on: front.index, direction, isRedo: isRedo), &outcome.notifications)
            notify(.didRunOut, &outcome.notifications)
        } else {
            let effect = Scheduled.Effect.arrived(swiped: front.index, direction, isRedo: isRedo, looped: looped)
            schedule(effect, at: frontArrival)
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

    private func leaving(
        _ front: PlacedCard,
        _ direction: Direction,
        _ cause: SwipeCause,
        _ pose: Pose
    ) -> LeavingCard {
        let motion =
            settings.motion.reduced
            ? fadingMotion(direction, from: pose)
            : leavingMotion(direction, cause, from: pose, keeping: front.motion)
        return LeavingCard(
            index: front.index,
            id: deck.cards[front.index].id,
            allowedDirections: deck.allowedDirections(at: front.index),
            motion: motion,
            appear: appear,
            isSwipedByCall: !cause.isByHand,
            end: settings.motion.reduced ? motion.opacity.end : motion.translation.end
        )
    }

    private func leavingMotion(
        _ direction: Direction,
        _ cause: SwipeCause,
        from pose: Pose,
        keeping former: CardMotion
    ) -> CardMotion {
        let exit = direction.exitTranslation(viewport: viewport, screen: screen)
        let duration = exitDuration(direction, cause, way: exit - pose.translation)
        var motion = CardMotion(holding: pose)
        motion.rect = former.rect
        motion.opacity = former.opacity
        motion.translation = Track(from: pose.translation, to: exit, start: now, duration: duration, easing: .ease)
        motion.overlayDirection = direction
        if cause.isByHand {
            motion.overlayProgress = Track(still: 1)
            return motion
        }
        func turned(_ from: Double, to target: Double) -> Track<Double> {
            Track(from: from, to: target, start: now, duration: duration, easing: .ease)
        }
        motion.rotation = turned(pose.rotation.value, to: direction.swipeRotation.value)
        motion.overlayProgress = turned(pose.overlay?.direction == direction ? pose.overlay?.progress ?? 0 : 0, to: 1)
        return motion
    }

    /// Without movement a card fades where it was let go of.
    private func fadingMotion(_ direction: Direction, from pose: Pose) -> CardMotion {
        var motion = CardMotion(holding: pose)
        motion.opacity = fade(from: pose.opacity, to: 0)
        motion.overlayDirection = direction
        motion.overlayProgress = Track(still: 1)
        return motion
    }

    /// No faster than this, or the card would seem to vanish.
    private static let shortestExit = Milliseconds(100)

    /// A flung card goes on as fast as the finger was, if that is faster than the deck's own speed.
    private func exitDuration(_ direction: Direction, _ cause: SwipeCause, way: Vector) -> Milliseconds {
        let usual = settings.motion.dragSpeed
        guard settings.motion.exitFollowsFling, case .byHand(let velocity?) = cause,
            let threshold = settings.rules.velocityThreshold
        else { return usual }
        let unit = direction.unitVector
        let speed = velocity.dot(unit)
        guard speed >= threshold, speed > 0 else { return usual }
        return min(usual, max(Self.shortestExit, Milliseconds(1000 * way.dot(unit) / speed)))
    }

    private mutating func record(
        _ direction: Direction,
        of index: Int,
        _ cause: SwipeCause,
        acceptedAt: Instant,
        _ outcome: inout Outcome
    ) {
        lastVerdict += 1
        let verdict = Verdict(
            sequence: lastVerdict,
            at: acceptedAt,
            index: index,
            cardID: deck.cards[index].id,
            direction: direction
        )
        history.append(PastSwipe(index: index, verdict: verdict))
        if !cause.isRedo { undone.removeAll() }
        // In a loop the back of the deck moves on with every card.
        if settings.loop { sentBack = 0 }
        lastVerdictChange = .given(verdict)
        outcome.ending = .swiped
        outcome.direction = direction
        outcome.index = index
        outcome.verdictChanges.append(.given(verdict))
    }

    /// Asks once when the number of cards left falls to the limit.
    private mutating func askForMore(remainingBefore: Int, _ notifications: inout [DeckNotification]) {
        let limit = settings.rules.refillAt
        guard !settings.loop, remainingBefore > limit, remainingBefore - 1 <= limit else { return }
        notify(.needsCards(remaining: remainingBefore - 1), &notifications)
    }
}
