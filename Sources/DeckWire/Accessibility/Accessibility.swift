import DeckEngine

/// What a screen reader says of a deck at a moment, and what can be done then without a pointer.
struct Accessibility {
    /// What the front card is called.
    let label: String
    /// Which card of how many is in front.
    let position: String
    /// What a person can do, in the order it should be offered.
    let actions: [AccessibleAction]
    /// What a live region says of the last verdict, and of the card that is in front after it.
    let announcement: String

    /// - Parameters:
    ///   - session: the session, advanced to the frame's moment.
    ///   - frame: its frame. The card that this shows in front has the label and the position: of a carousel that glides,
    ///     the card that passes. The announcement names the card that it comes to rest on, so that it is said once.
    init(of session: DeckSession, _ frame: Frame) {
        let deck = session.deck
        label = deck.spokenName(at: frame.currentIndex)
        position = deck.spokenPosition(of: frame.currentIndex)
        actions = AccessibleAction.all(of: session)
        let rest = deck.spokenName(at: session.currentIndex)
        let front = session.isExhausted ? rest : "\(rest), \(deck.spokenPosition(of: session.currentIndex))"
        switch session.lastVerdictChange {
        case nil: announcement = front
        case .given(let verdict):
            announcement = "\(session.spokenName(of: verdict)): \(verdict.direction.spokenName). \(front)"
        case .reverted(let verdict): announcement = "\(session.spokenName(of: verdict)) is back. \(front)"
        }
    }
}

extension DeckSession {
    /// What the card of the last verdict is called; one that is gone has no more than its id.
    fileprivate func spokenName(of verdict: Verdict) -> String {
        lastVerdictCard?.label ?? verdict.cardID
    }
}

extension Deck {
    /// What the card of an index is called; beyond the last one there is none.
    fileprivate func spokenName(at index: Int) -> String {
        index < cards.count ? spokenName(of: cards[index]) : "No more cards"
    }

    fileprivate func spokenPosition(of index: Int) -> String {
        "\(index < cards.count ? index + 1 : 0) of \(cards.count)"
    }

    private func spokenName(of card: Card) -> String {
        card.label ?? card.id
    }
}

extension Direction {
    var spokenName: StaticString {
        switch self {
        case .left: "left"
        case .right: "right"
        case .up: "up"
        case .down: "down"
        case .topLeft: "up and left"
        case .topRight: "up and right"
        case .bottomLeft: "down and left"
        case .bottomRight: "down and right"
        }
    }
}
