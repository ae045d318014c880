import DeckEngine

/// Something that can be done to a deck without a pointer.
struct AccessibleAction {
    /// What it is called.
    let label: String
    /// The key that does it, as `aria-keyshortcuts` has it (WAI-ARIA 1.2).
    let key: StaticString
    /// What it does.
    let action: DeckAction

    /// The possible actions, in the order to offer them.
    static func all(of speech: Speech) -> [AccessibleAction] {
        speech.actions.map { action in
            AccessibleAction(label: action.label, key: action.key(inCarousel: speech.isCarousel), action: action)
        }
    }
}

extension DeckAction {
    fileprivate var label: String {
        switch self {
        case .swipe(let direction): "Swipe \(direction.spokenName)"
        case .revert: "Undo"
        case .redo: "Redo"
        case .move(let index, _): "Card \(index + 1)"
        }
    }

    /// The arrows of a carousel scroll it, so that its swipes up and down take Shift. Diagonals are where a numeric keypad
    /// has them.
    fileprivate func key(inCarousel isCarousel: Bool) -> StaticString {
        switch self {
        case .swipe(.left): "ArrowLeft"
        case .swipe(.right): "ArrowRight"
        case .swipe(.up): isCarousel ? "Shift+ArrowUp" : "ArrowUp"
        case .swipe(.down): isCarousel ? "Shift+ArrowDown" : "ArrowDown"
        case .swipe(.topLeft): "Home"
        case .swipe(.topRight): "PageUp"
        case .swipe(.bottomLeft): "End"
        case .swipe(.bottomRight): "PageDown"
        case .revert: "Backspace"
        case .redo: "Shift+Backspace"
        case .move(_, let isForward): isForward ? "ArrowDown" : "ArrowUp"
        }
    }
}
