// Starting over, and reading the deck again.
extension DeckSession {
    mutating func reset(_ notifications: inout [DeckNotification]) {
        let mayAppear = mayAppear
        interrupt(&notifications)
        currentIndex = 0
        history.removeAll()
        undone.removeAll()
        sentBack = 0
        rebuild(appears: mayAppear && settings.motion.appear, &notifications)
    }

    /// Takes a new reading of the deck. At the first card, and where a deck that had run out has cards again, it is
    /// built anew; else what is visible is refreshed in its place.
    mutating func reload(_ newDeck: Deck, _ notifications: inout [DeckNotification]) {
        let mayAppear = mayAppear
        interrupt(&notifications)
        let wasExhausted = isExhausted
        deck = newDeck
        cardsRevision += 1
        sentBack = 0
        currentIndex = min(currentIndex, newDeck.cards.count)
        if newDeck.settings.loop, isExhausted { currentIndex = 0 }
        let count = newDeck.cards.count
        history.reindex { $0 < count ? $0 : nil }
        undone.reindex { $0 < count ? $0 : nil }
        if currentIndex == 0 || wasExhausted {
            rebuild(appears: mayAppear && settings.motion.appear, &notifications)
        } else {
            position = Track(still: Double(currentIndex))
            restage(from: placed, held: nil)
        }
        if isExhausted, !wasExhausted { notify(.didRunOut, &notifications) }
    }

    /// Whether a deck that is built now could grow into view. Koloda does not let it while something else moves.
    private var mayAppear: Bool {
        !(settings.rules.whileAnimating == .ignore && isBusy)
    }
}
