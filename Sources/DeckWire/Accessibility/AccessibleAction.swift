import DeckEngine

/// Something that can be done to a deck without a pointer.
struct AccessibleAction {
    /// What it is called.
    let label: String
    /// The key that does it, as `aria-keyshortcuts` has it (WAI-ARIA 1.2).
    let key: StaticString
    /// What it does.
    let action: DeckAction

    /// What a person can do with a session now, in the order it should be offered.
    static func all(of session: DeckSession) -> [AccessibleAction] {
        var keys = Keys(session)
        return session.actions.map { AccessibleAction(label: $0.label, key: keys.key(of: $0), action: $0) }
    }
}

extension AccessibleAction {
    /// Which key does what.
    private struct Keys {
        /// The index of the card after the front one, of a deck that is scrolled through; nil: the deck is a stack, or the
        /// card has its key already. In a loop of two cards the one after is the one before as well.
        private var next: Int?
        private let isCarousel: Bool

        init(_ session: DeckSession) {
            isCarousel = if case .flip = session.deck.settings.layout { true } else { false }
            let count = session.deck.cards.count
            if isCarousel, count > 0 { next = (session.currentIndex + 1) % count }
        }

        /// The arrows of a carousel scroll, so that its swipes up and down take Shift. Diagonals are where a numeric keypad has
        /// them.
        mutating func key(of action: DeckAction) -> StaticString {
            switch action {
            case .swipe(.left): return "ArrowLeft"
            case .swipe(.right): return "ArrowRight"
            case .swipe(.up): return isCarousel ? "Shift+ArrowUp" : "ArrowUp"
            case .swipe(.down): return isCarousel ? "Shift+ArrowDown" : "ArrowDown"
            case .swipe(.topLeft): return "Home"
            case .swipe(.topRight): return "PageUp"
            case .swipe(.bottomLeft): return "End"
            case .swipe(.bottomRight): return "PageDown"
            case .revert: return "Backspace"
            case .redo: return "Shift+Backspace"
            case .move(let index):
                guard index == next else { return "ArrowUp" }
                next = nil
                return "ArrowDown"
            }
        }
    }
}

extension DeckAction {
    fileprivate var label: String {
        switch self {
        case .swipe(let direction): "Swipe \(direction.spokenName)"
        case .revert: "Undo"
        case .redo: "Redo"
        case .move(let index): "Card \(index + 1)"
        }
    }
}
