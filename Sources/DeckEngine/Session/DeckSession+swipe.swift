// Verdicts.
extension DeckSession {
    mutating func swipeByCall(
        _ direction: Direction,
        force: Bool,
        _ options: SwipeOptions,
        acceptedAt: Instant,
        _ outcome: inout Outcome
    ) {
        guard let front = pile.frontCard else {
            outcome.refusal = .noCard
            return
        }
        if let refusal = refusal(swiping: front, direction, force: force) {
            outcome.refusal = refusal
            return
        }
        guard !settings.rules.confirm.contains(direction) else {
            endDrag(inPlace: true, &outcome.notifications)
            announceArrivals(&outcome.notifications)
            wait(for: direction, .byCall(options), &outcome)
            return
        }
        swipe(direction, .byCall(options), acceptedAt: acceptedAt, &outcome)
    }

    private func refusal(swiping card: CardIdentity, _ direction: Direction, force: Bool) -> Refusal? {
        if stage.isPending { return .pending }
        if !pile.allowedDirections(of: card, in: scene).contains(direction) { return .directionNotAllowed }
        let isDenied = !force && pile.deniedDirections(of: card, in: scene).contains(direction)
        return isDenied ? .directionDenied : nil
    }

    /// Gives the front card a verdict: it leaves from where it is, and the next one moves up. A finger that holds it is
    /// released without a reset.
    ///
    /// - Parameters:
    ///   - former: the move that brought the card to the front in the same event.
    ///   - isLast: whether no other swipe of the same event follows.
    mutating func swipe(
        _ direction: Direction,
        _ cause: SwipeCause,
        after former: Pile.Move = .none,
        isLast: Bool = true,
        acceptedAt: Instant,
        _ outcome: inout Outcome
    ) {
        guard let card = pile.frontCard else { return }
        let index = pile.frontIndex
        let held = stage.finger?.card
        let swipe = PlacedSwipe(card: card, direction: direction, isRedo: cause.isRedo)
        change(.arrivals, isLast: isLast, &outcome) { session in
            session.leave(direction, cause)
            session.counters.verdict += 1
            let number = session.counters.verdict
            let loops = session.settings.loop
            var move = session.pile.swipe(direction, verdict: number, isRedo: cause.isRedo, loops: loops)
            move.steps += former.steps
            move.laps += former.laps
            return Change(move: move, arrival: .swiped(swipe))
        }
        let verdict = Verdict(
            sequence: counters.verdict,
            at: acceptedAt,
            index: index,
            cardID: pile.id(of: card) ?? CardID(),
            direction: direction
        )
        outcome.report(.given(verdict))
        outcome.ending = .swiped
        counters.remember(.given(verdict), of: card)
        if let held { notify(.panFinished(index: pile.index(of: held) ?? index), &outcome.notifications) }
    }

    /// Takes the front card out of its slot and sends it out of sight.
    private mutating func leave(_ direction: Direction, _ cause: SwipeCause) {
        stage.releaseHold(of: pile, in: scene, at: now)
        timeline.cancel(.confirmTimeout)
        guard let card = pile.frontCard, let former = stage.take(card, in: scene) else { return }
        let index = pile.frontIndex
        let exit = CardExit(direction, cause, in: scene, at: now)
        let motion = exit.motion(of: former)
        stage.addLeaving(
            LeavingCard(
                card: card,
                lastIndex: index,
                departure: Departure(
                    id: pile.cards.id(at: index),
                    allowedDirections: pile.allowedDirections(of: card, in: scene),
                    motion: motion,
                    appear: stage.appear,
                    exit: cause.isByHand ? .above : .aboveByCall,
                    end: scene.settings.motion.reduced ? motion.opacity.end : motion.translation.end
                )
            )
        )
    }
}

extension Outcome {
    /// Reports a verdict that was given or reverted.
    mutating func report(_ change: VerdictChange) {
        direction = change.verdict.direction
        index = change.verdict.index
        verdictChanges.append(change)
    }
}
