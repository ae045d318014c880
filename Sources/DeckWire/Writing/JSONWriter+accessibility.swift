import DeckEngine

// What a screen reader says of a deck, and what can be done without a pointer.
extension JSONWriter {
    /// Writes the member `accessibility`.
    mutating func accessibility(of session: DeckSession) {
        object("accessibility") { writer in
            writer.member("label", session.frontLabel)
            writer.member("position", session.position)
            writer.array("actions") { writer in
                for action in session.actions { writer.write(action) }
            }
            writer.member("announcement", session.announcement)
        }
    }

    private mutating func write(_ action: DeckAction) {
        object { writer in
            writer.member("label", action.label)
            if let key = action.key { writer.member("key", key) }
            writer.object("event") { $0.event(of: action) }
        }
    }

    /// The event that does an action, but for its time.
    private mutating func event(of action: DeckAction) {
        switch action {
        case .swipe(let direction):
            member("type", "swipe" as StaticString)
            member("direction", direction.wireName)
        case .revert:
            member("type", "revert" as StaticString)
            member("direction", "origin" as StaticString)
        case .redo: member("type", "redo" as StaticString)
        case .move(let index):
            member("type", "move" as StaticString)
            member("to", index)
        }
    }
}

extension DeckSession {
    /// What the front card is called.
    fileprivate var frontLabel: String {
        isExhausted ? "No more cards" : name(of: deck.cards[currentIndex])
    }

    /// Which card of how many is in front.
    fileprivate var position: String {
        isExhausted ? "0 of \(deck.cards.count)" : "\(currentIndex + 1) of \(deck.cards.count)"
    }

    /// What a live region says of the last verdict, and of the card that is in front after it.
    fileprivate var announcement: String {
        let front = isExhausted ? frontLabel : "\(frontLabel), \(position)"
        switch lastVerdictChange {
        case nil: return front
        case .given(let verdict): return "\(name(of: verdict)): \(verdict.direction.spoken). \(front)"
        case .reverted(let verdict): return "\(name(of: verdict)) is back. \(front)"
        }
    }

    private func name(of card: Card) -> String {
        card.label ?? card.id
    }

    private func name(of verdict: Verdict) -> String {
        guard verdict.index < deck.cards.count else { return verdict.cardID }
        let card = deck.cards[verdict.index]
        return card.id == verdict.cardID ? name(of: card) : verdict.cardID
    }
}

extension DeckAction {
    fileprivate var label: String {
        switch self {
        case .swipe(let direction): "Swipe \(direction.spoken)"
        case .revert: "Undo"
        case .redo: "Redo"
        case .move(let index): "Card \(index + 1)"
        }
    }

    /// The keys that do it, as `aria-keyshortcuts` has them.
    fileprivate var key: StaticString? {
        switch self {
        case .swipe(.left): "ArrowLeft"
        case .swipe(.right): "ArrowRight"
        case .swipe(.up): "ArrowUp"
        case .swipe(.down): "ArrowDown"
        case .swipe: nil
        case .revert: "Backspace"
        case .redo: "Shift+Backspace"
        case .move: nil
        }
    }
}

extension Direction {
    fileprivate var spoken: StaticString {
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
