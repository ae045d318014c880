import DeckEngine

/// An action on a deck that needs no pointer.
struct AccessibleAction {
    /// Its label.
    let label: String
    /// Its key in the form of `aria-keyshortcuts` (WAI-ARIA 1.2).
    let key: StaticString
    /// The event that it sends.
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

    /// The arrow keys scroll a carousel, so its swipes up and down need Shift. Diagonals have the keys of a numeric keypad.
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
