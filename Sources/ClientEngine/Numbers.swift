import DeckEngine

// The numbers of choices that have names on the wire. `Client/numbers.js` has the names in the same order.

extension Refusal {
    var number: UInt8 {
        switch self {
        case .noCard: 0
        case .notFrontCard: 1
        case .notDraggable: 2
        case .directionNotAllowed: 3
        case .directionDenied: 4
        case .animating: 5
        case .dragging: 6
        case .pending: 7
        case .nothingPending: 8
        case .notDragging: 9
        case .nothingToRevert: 10
        case .notUndoable: 11
        case .nothingToRedo: 12
        case .nothingToPutBack: 13
        case .indexOutOfRange: 14
        case .tooManyCards: 15
        case .duplicateID: 16
        case .layoutDoesNotScroll: 17
        case .layoutScrolls: 18
        }
    }
}

extension ResetReason {
    var number: UInt8 {
        switch self {
        case .belowThreshold: 0
        case .directionDenied: 1
        case .directionNotAllowed: 2
        case .pulledBack: 3
        case .cancelled: 4
        case .notConfirmed: 5
        case .nothingToRevert: 6
        case .notUndoable: 7
        }
    }
}
