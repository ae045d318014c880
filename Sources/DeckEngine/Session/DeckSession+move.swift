// Bringing another card to the front without a verdict.
extension DeckSession {
    mutating func move(to index: Int, _ outcome: inout Outcome) {
        guard (0..<pile.count).contains(index) else {
            outcome.refusal = .indexOutOfRange
            return
        }
        outcome.index = index
        interrupt(.gesture, &outcome.notifications)
        guard index != pile.frontIndex else { return announceScrolled() }
        change(.arrivals, &outcome) { session in
            Change(move: session.pile.bringToFront(index, loops: session.settings.loop), arrival: .shown)
        }
    }

    mutating func sendToBack(_ outcome: inout Outcome) {
        if let refusal = pile.refusalOfSendingToBack(loops: settings.loop) {
            outcome.refusal = refusal
            return
        }
        interrupt(.gesture, &outcome.notifications)
        // A drag of a carousel has returned to where it started, which may be another card.
        outcome.index = pile.frontIndex
        let card = pile.frontCard
        change(.arrivals, fades: true, &outcome) { session in
            let move = session.pile.sendToBack(loops: session.settings.loop)
            return Change(move: move, arrival: move.steps != 0 || session.pile.frontCard != card ? .shown : nil)
        }
    }

    mutating func putBack(_ outcome: inout Outcome) {
        if let refusal = afterCarouselDrag.pile.refusalOfPuttingBack(loops: settings.loop) {
            outcome.refusal = refusal
            return
        }
        change(.gesture, fades: true, &outcome) { session in
            Change(move: session.pile.putBack(loops: session.settings.loop), arrival: .shown)
        }
        outcome.index = pile.frontIndex
    }
}
