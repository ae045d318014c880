import DeckEngine

/// The texts of a deck for a screen reader at a moment, and the actions that need no pointer.
struct Accessibility {
    /// The label of the front card.
    let label: String
    /// The position of the front card, such as "2 of 10".
    let position: String
    /// The possible actions, in the order to offer them.
    let actions: [AccessibleAction]
    /// The text of a live region: the last verdict, and the card that is in front after it.
    let announcement: String

    /// - Parameter frame: the frame of the same time. The card that it shows in front has the label and the position: of a
    ///   carousel that glides, the card that passes. The announcement names the card that it comes to rest on, so that it
    ///   is said once.
    init(_ speech: Speech, _ frame: Frame) {
        let outOfCards = "No more cards"
        label = speech.shownName ?? outOfCards
        position = Self.position(of: speech.shownName == nil ? nil : frame.currentIndex, frame.cardCount)
        actions = AccessibleAction.all(of: speech)
        let rest = Self.position(of: speech.frontIndex, frame.cardCount)
        let front = speech.frontName.map { "\($0), \(rest)" } ?? outOfCards
        switch (speech.lastVerdictChange, speech.lastVerdictName) {
        case (.given(let verdict), let name?):
            announcement = "\(name): \(verdict.direction.spokenName). \(front)"
        case (.reverted, let name?): announcement = "\(name) is back. \(front)"
        default: announcement = front
        }
    }

    /// - Parameter index: nil: there is no card.
    private static func position(of index: Int?, _ count: Int) -> String {
        "\(index.map { $0 + 1 } ?? 0) of \(count)"
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
