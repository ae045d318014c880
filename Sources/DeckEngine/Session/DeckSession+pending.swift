// Swipes that wait to be confirmed or denied.
extension DeckSession {
    /// Makes a swipe of the front card wait. The card stays where it is.
    mutating func wait(for direction: Direction, _ cause: SwipeCause, _ outcome: inout Outcome) {
        let until = now.later(by: settings.rules.confirmTimeout)
        stage.wait(for: PendingSwipe(direction: direction, cause: cause, since: now, until: until))
        timeline.schedule(.confirmTimeout, at: until)
        outcome.ending = .pending
        outcome.direction = direction
        outcome.index = pile.frontIndex
        notify(.needsConfirmation(index: pile.frontIndex, direction), &outcome.notifications)
    }

    mutating func confirm(_ outcome: inout Outcome) {
        performQueue(&outcome.notifications)
        guard let pending = stage.pending else {
            outcome.refusal = .nothingPending
            return
        }
        swipe(pending.direction, pending.cause, acceptedAt: now, &outcome)
    }

    mutating func deny(_ outcome: inout Outcome) {
        performQueue(&outcome.notifications)
        guard let pending = stage.pending else {
            outcome.refusal = .nothingPending
            return
        }
        outcome.index = pile.frontIndex
        outcome.direction = pending.direction
        outcome.ending = .reset(.notConfirmed)
        denyPending(&outcome.notifications)
    }

    /// Denies the pending swipe, if there is one; its card goes back.
    mutating func denyPending(_ notifications: inout DeckNotifications) {
        guard stage.isPending else { return }
        timeline.cancel(.confirmTimeout)
        stage.denyPending(of: pile, in: scene, at: now)
        notify(.didReset(index: pile.frontIndex), &notifications)
    }
}
