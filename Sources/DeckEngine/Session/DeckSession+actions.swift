/// An action that a user can take at a moment, for clients without a pointer.
public enum DeckAction: Sendable, Hashable {
    case swipe(Direction)
    case revert
    case redo
    /// The next card of a carousel, or the one before.
    case move(to: Int, isForward: Bool)
}

extension DeckSession {
    /// The actions that are possible now, in the order to offer them: the verdicts the front card can get, then undo
    /// and redo. A direction that would be refused is not included.
    public var actions: [DeckAction] {
        var actions: [DeckAction] = []
        if let front = pile.frontCard, !stage.isPending {
            if stage.isCarousel { actions += neighbours }
            let denied = pile.deniedDirections(of: front, in: scene)
            for direction in pile.allowedDirections(of: front, in: scene) where !denied.contains(direction) {
                actions.append(.swipe(direction))
            }
        }
        if pile.refusal(reverting: 1) == nil { actions.append(.revert) }
        if redoableCount > 0 { actions.append(.redo) }
        return actions
    }

    /// The cards after and before the front one.
    private var neighbours: [DeckAction] {
        let (count, front) = (pile.count, pile.frontIndex)
        let turns = settings.loop && count > 1
        var neighbours: [DeckAction] = []
        if turns || front + 1 < count { neighbours.append(.move(to: (front + 1) % count, isForward: true)) }
        if turns || front > 0 { neighbours.append(.move(to: (front + count - 1) % count, isForward: false)) }
        return neighbours
    }
}
