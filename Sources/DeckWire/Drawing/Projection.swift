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

    /// The nearest distance from the eye that is drawn.
    private static let nearest = 0.01

    /// The distance between the eye and a point with this distance from the anchor, in units of the distance between the eye
    /// and the anchor. It is negative behind the eye.
    private func distance(at x: Double, _ y: Double) -> Double {
        let towardEye =
            switch axis {
            case .horizontal: sine * y
            case .vertical: -sine * x
            }
        return 1 - towardEye * depth
    }

    /// The corners of a rectangle. Its part that is nearer than the eye is cut off.
    func outline(of rect: Rect) -> [Vector] {
        let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { x, y in
            Vector(x: rect.x + x * rect.width, y: rect.y + y * rect.height)
        }
        var outline: [Vector] = []
        for (number, corner) in corners.enumerated() {
            let next = corners[(number + 1) % corners.count]
            let w = distance(at: corner.x - anchor.x, corner.y - anchor.y) - Self.nearest
            let nextW = distance(at: next.x - anchor.x, next.y - anchor.y) - Self.nearest
            if w >= 0 { outline.append(point(corner.x, corner.y)) }
            if (w >= 0) != (nextW >= 0) {
                let part = w / (w - nextW)
                outline.append(point(corner.x + part * (next.x - corner.x), corner.y + part * (next.y - corner.y)))
            }
        }
        return outline
    }

    /// The place of a point of the card's rectangle. One that is nearer than the eye counts as just before it.
    private func point(_ x: Double, _ y: Double) -> Vector {
        let (x, y) = (x - anchor.x, y - anchor.y)
        let w = max(distance(at: x, y), Self.nearest)
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
        let w = max(distance(at: dx, dy), Self.nearest)
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
