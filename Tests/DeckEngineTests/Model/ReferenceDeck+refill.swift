import DeckEngine

// More cards are asked for once when few are left.
extension ReferenceDeck {
    private var isShort: Bool {
        !loop && row.count - current <= settings.rules.refillAt
    }

    /// After a change of how many cards are left.
    ///
    /// - Parameter isSwiping: whether cards were swiped, or swipes reverted or redone, after which nobody is asked anew.
    mutating func checkRefill(isSwiping: Bool = false) {
        // What a finger passes in a pile does not count until it has let go.
        if isPile, finger != nil || scrollHome != nil { return }
        let (former, remaining) = (countedLast, loop ? -1 : row.count - current - settings.rules.refillAt)
        countedLast = remaining
        guard isShort else {
            // Whether it is a change when nothing is left that was not left before, or in a loop, is not said.
            let isClear = !loop && remaining != former
            if !isSwiping, !asksForMore, isClear || !choices.isOther { asksForMore = true }
            return
        }
        guard asksForMore else { return }
        asksForMore = false
        lastNotification += 1
        asked.append(Asked(remaining: row.count - current, at: now))
    }
}
