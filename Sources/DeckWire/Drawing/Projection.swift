import DeckEngine

/// Maps points of a card to the viewport, by its flip and its matrix.
struct Projection {
    private let anchor: Vector
    private let matrix: Matrix
    /// The point about which the card turns.
    private let axis: Flip.Axis
    private let sine: Double
    private let cosine: Double
    /// 1 divided by the distance from which a flipped card is seen.
    private let depth: Double

    init(_ card: FrameCard) {
        anchor = Vector(
            x: card.frame.x + card.anchor.x * card.frame.width,
            y: card.frame.y + card.anchor.y * card.frame.height
        )
        matrix = card.matrix
        axis = card.flip?.axis ?? .horizontal
        (sine, cosine) = card.flip?.sineAndCosine ?? (0, 1)
        depth = card.flip.map { 1 / $0.perspective } ?? 0
    }

    /// The distance between the eye and a point with this distance from the anchor, in units of the distance between the eye
    /// and the anchor. A point at the eye or behind it counts as just before it, to avoid a division by zero.
    private func distance(at x: Double, _ y: Double) -> Double {
        let towardEye =
            switch axis {
            case .horizontal: sine * y
            case .vertical: -sine * x
            }
        return max(1 - towardEye * depth, 0.001)
    }

    /// The place of a point of the card's rectangle.
    func point(_ x: Double, _ y: Double) -> Vector {
        let (x, y) = (x - anchor.x, y - anchor.y)
        let w = distance(at: x, y)
        let flat =
            switch axis {
            case .horizontal: Vector(x: x / w, y: cosine * y / w)
            case .vertical: Vector(x: cosine * x / w, y: y / w)
            }
        return Vector(
            x: anchor.x + matrix.a * flat.x + matrix.c * flat.y + matrix.tx,
            y: anchor.y + matrix.b * flat.x + matrix.d * flat.y + matrix.ty
        )
    }

    /// The affine map that is nearest around a point: the derivative there. Without a flip it is the map itself.
    func tangent(at x: Double, _ y: Double) -> Matrix {
        let place = point(x, y)
        let (dx, dy) = (x - anchor.x, y - anchor.y)
        let w = distance(at: dx, dy)
        let (perX, perY) =
            switch axis {
            case .horizontal:
                (Vector(x: 1 / w, y: 0), Vector(x: dx * sine * depth / (w * w), y: cosine / (w * w)))
            case .vertical:
                (Vector(x: cosine / (w * w), y: -dy * sine * depth / (w * w)), Vector(x: 0, y: 1 / w))
            }
        let a = matrix.a * perX.x + matrix.c * perX.y
        let b = matrix.b * perX.x + matrix.d * perX.y
        let c = matrix.a * perY.x + matrix.c * perY.y
        let d = matrix.b * perY.x + matrix.d * perY.y
        return Matrix(a: a, b: b, c: c, d: d, tx: place.x - a * x - c * y, ty: place.y - b * x - d * y)
    }
}
