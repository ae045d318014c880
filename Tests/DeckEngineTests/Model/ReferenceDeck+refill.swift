import DeckEngine

// More cards are requested once when few are left.
extension ReferenceDeck {
    private var isShort: Bool {
        !loop && row.count - current <= settings.rules.refillAt
    }

    /// Checks the supply after a change of the number of cards left.
    ///
    /// - Parameter isSwiping: whether cards were swiped, or swipes reverted or redone. No new request follows such a
    ///   change.
    mutating func checkRefill(isSwiping: Bool = false) {
        // Cards that a finger passes in a carousel do not count until its release.
        if isPile, finger != nil || scrollHome != nil { return }
        let supply = loop ? nil : row.count - current - settings.rules.refillAt
        // A loop never runs out.
        let hasGrown = (supply ?? .max) > (countedLast ?? .max)
        countedLast = supply
        guard isShort else {
            if !isSwiping, hasGrown { asksForMore = true }
            return
        }
        guard asksForMore else { return }
        asksForMore = false
        lastNotification += 1
        asked.append(Asked(remaining: row.count - current, at: now))
    }
}
