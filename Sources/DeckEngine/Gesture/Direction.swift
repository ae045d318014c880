/// A way a card can be swiped.
public enum Direction: UInt8, NamedChoice {
    // The numbers are those of snapshots and never change.
    case left = 0, right = 1, up = 2, down = 3, topLeft = 4, topRight = 5, bottomLeft = 6, bottomRight = 7

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .left: "left"
        case .right: "right"
        case .up: "up"
        case .down: "down"
        case .topLeft: "topLeft"
        case .topRight: "topRight"
        case .bottomLeft: "bottomLeft"
        case .bottomRight: "bottomRight"
        }
    }

    /// The direction's point on the border of the square from (-1, -1) to (1, 1): (±1, 0), (0, ±1) or (±1, ±1).
    var point: Vector {
        switch self {
        case .left: Vector(x: -1, y: 0)
        case .right: Vector(x: 1, y: 0)
        case .up: Vector(x: 0, y: -1)
        case .down: Vector(x: 0, y: 1)
        case .topLeft: Vector(x: -1, y: -1)
        case .topRight: Vector(x: 1, y: -1)
        case .bottomLeft: Vector(x: -1, y: 1)
        case .bottomRight: Vector(x: 1, y: 1)
        }
    }

    /// The direction as a vector of length 1.
    var unitVector: Vector {
        let point = point
        return point.x != 0 && point.y != 0 ? 0.5.squareRoot() * point : point
    }

    /// How far a card turns on its way out when it is swiped by call: half its bearing less an eighth of a turn
    /// (Koloda 5.0.1), so 45° to the side for `left` and `right`, none for `up`.
    var swipeRotation: Radians {
        let degrees: Double =
            switch self {
            case .left: -45
            case .right: 45
            case .up: 0
            case .down: -90
            case .topLeft: -22.5
            case .topRight: 22.5
            case .bottomLeft: -67.5
            case .bottomRight: -112.5
            }
        return Radians(degrees * .pi / 180)
    }

    /// The translation a card has when it is out of sight. Left and right also sink by half a deck (Koloda 5.0.1).
    ///
    /// - Parameters:
    ///   - viewport: the size of the deck.
    ///   - screen: the size of the area that the card must leave. Its longer side is added to the deck's.
    func exitTranslation(viewport: Size, screen: Size) -> Vector {
        let point = point
        let reach = screen.longerSide
        let x = point.x * (viewport.width + reach)
        return switch self {
        case .left, .right: Vector(x: x, y: viewport.height / 2)
        default: Vector(x: x, y: point.y * (viewport.height + reach))
        }
    }
}
