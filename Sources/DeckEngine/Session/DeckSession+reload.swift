// Starting over, and reading the deck again.
extension DeckSession {
    mutating func reset(_ notifications: inout [Notification]) {
        let mayAppear = mayAppear
        interrupt(&notifications)
        currentIndex = 0
        history.removeAll()
        rebuild(appears: mayAppear && settings.motion.appear, &notifications)
    }

    /// Takes a new reading of the deck. At the first card, and where a deck that had run out has cards again, it is
    /// built anew; else what is visible is refreshed in its place.
    mutating func reload(_ newDeck: Deck, _ notifications: inout [Notification]) {
        let mayAppear = mayAppear
        interrupt(&notifications)
        let wasExhausted = isExhausted
        deck = newDeck
        currentIndex = min(currentIndex, newDeck.cards.count)
        if newDeck.settings.loop, isExhausted { currentIndex = 0 }
        history.removeAll { $0.index >= newDeck.cards.count }
        if currentIndex == 0 || wasExhausted {
            rebuild(appears: mayAppear && settings.motion.appear, &notifications)
        } else {
            restage(from: placed, held: nil)
        }
        if isExhausted, !wasExhausted { notify(.didRunOut, &notifications) }
    }

    /// Whether a deck that is built now could grow into view. Koloda does not let it while something else moves.
    private var mayAppear: Bool {
        !(settings.rules.whileAnimating == .ignore && isBusy)
    }

    /// Ends what is under way: waiting commands take effect, a drag ends, and arrivals are told.
    private mutating func interrupt(_ notifications: inout [Notification]) {
        performWaitingCommands(&notifications)
        endDrag(&notifications)
        tellArrivals(&notifications)
        resetUntil = min(resetUntil, now)
    }
}
