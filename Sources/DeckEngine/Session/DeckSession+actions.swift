/// Something a person can do with a deck at a moment, for clients that are not operated by a pointer.
public enum DeckAction: Sendable, Hashable {
    case swipe(Direction)
    case revert
    case redo
    /// The next or the former card of a layout that is scrolled through.
    case move(to: Int)
}

extension DeckSession {
    /// What a person can do now, in the order it should be offered: the verdicts the front card can get, then undo and
    /// redo. A direction that would be refused is not among them.
    public var actions: [DeckAction] {
        var actions: [DeckAction] = []
        if let front = placed.first {
            if settings.layout.scrolling != nil { actions += neighbours.map { .move(to: $0) } }
            let denied = deck.deniedDirections(at: front.index)
            actions += deck.allowedDirections(at: front.index).filter { !denied.contains($0) }.map { .swipe($0) }
        }
        if let last = history.last, deck.cards[last.index].undoable { actions.append(.revert) }
        if redoableCount > 0 { actions.append(.redo) }
        return actions
    }

    /// The cards after and before the front one.
    private var neighbours: [Int] {
        let count = deck.cards.count
        if settings.loop { return count > 1 ? [(currentIndex + 1) % count, (currentIndex + count - 1) % count] : [] }
        return [currentIndex + 1, currentIndex - 1].filter { (0..<count).contains($0) }
    }
}
