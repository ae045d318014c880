import DeckEngine

/// Something that can be done to a deck without a pointer.
struct AccessibleAction {
    /// What it is called.
    let label: String
    /// The key that does it, as `aria-keyshortcuts` has it (WAI-ARIA 1.2); nil: none.
    let key: StaticString?
    /// What it does.
    let action: DeckAction

    /// What a person can do with a session now, in the order it should be offered.
    static func all(of session: DeckSession) -> [AccessibleAction] {
        session.actions.map { AccessibleAction(label: $0.label, key: $0.key, action: $0) }
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
