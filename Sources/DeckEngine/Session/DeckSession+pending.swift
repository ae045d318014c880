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
        guard let pending = pendingAfterQueue(&outcome) else { return }
        swipe(pending.direction, pending.cause, acceptedAt: now, &outcome)
    }

    mutating func deny(_ outcome: inout Outcome) {
        guard let pending = pendingAfterQueue(&outcome) else { return }
        outcome.index = pile.frontIndex
        outcome.direction = pending.direction
        outcome.ending = .reset(.notConfirmed)
        denyPending(&outcome.notifications)
    }

    /// Applies the queued commands, and returns the swipe that waits then. If none does, the event is refused, and the commands
    /// stay in the queue.
    private mutating func pendingAfterQueue(_ outcome: inout Outcome) -> PendingSwipe? {
        guard afterQueue.stage.isPending else {
            outcome.refusal = .nothingPending
            return nil
        }
        performQueue(&outcome.notifications)
        return stage.pending
    }

    /// Denies the pending swipe, if there is one; its card goes back.
    mutating func denyPending(_ notifications: inout DeckNotifications) {
        guard stage.isPending else { return }
        timeline.cancel(.confirmTimeout)
        stage.denyPending(of: pile, in: scene, at: now)
        notify(.didReset(index: pile.frontIndex), &notifications)
    }
}
