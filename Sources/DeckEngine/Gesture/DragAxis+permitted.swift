extension DragAxis {
    /// The part of a finger's way that a card follows.
    ///
    /// - Parameter directions: the directions the card can be moved in; nil: all.
    func permitted(_ translation: Vector, in directions: Directions?) -> Vector {
        var permitted = translation
        switch self {
        case .free: break
        case .horizontal: permitted.y = 0
        case .vertical: permitted.x = 0
        case .dominant: if abs(permitted.x) >= abs(permitted.y) { permitted.y = 0 } else { permitted.x = 0 }
        }
        guard let directions else { return permitted }
        func reaches(_ isWay: (Vector) -> Bool) -> Bool { directions.contains { isWay($0.point) } }
        if permitted.x < 0, !reaches({ $0.x < 0 }) { permitted.x = 0 }
        if permitted.x > 0, !reaches({ $0.x > 0 }) { permitted.x = 0 }
        if permitted.y < 0, !reaches({ $0.y < 0 }) { permitted.y = 0 }
        if permitted.y > 0, !reaches({ $0.y > 0 }) { permitted.y = 0 }
        return permitted
    }
}
