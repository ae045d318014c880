import DeckEngine

// More cards are asked for once when few are left.
extension ReferenceDeck {
    private var isShort: Bool {
        !loop && row.count - current <= settings.rules.refillAt
    }

    /// After a change of how many cards are left.
    ///
    /// - Parameter isSwiping: whether cards were swiped, or swipes reverted or redone, after which no cards are asked for again.
    mutating func checkRefill(isSwiping: Bool = false) {
        // What a finger passes in a pile does not count until it has let go.
        if isPile, finger != nil || scrollHome != nil { return }
        let supply = loop ? nil : row.count - current - settings.rules.refillAt
        let hasChanged = supply != countedLast
        countedLast = supply
        guard isShort else {
            // In a loop there are more than before if it was none before.
            if !isSwiping, hasChanged { asksForMore = true }
            return
        }
        guard asksForMore else { return }
        asksForMore = false
        lastNotification += 1
        asked.append(Asked(remaining: row.count - current, at: now))
    }
}
