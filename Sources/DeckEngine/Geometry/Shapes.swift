/// A displacement, a position or a velocity in the plane: points, or points per second where the name says velocity.
/// The x axis points right, the y axis down.
public struct Vector: Sendable, Hashable {
    /// To the right.
    public var x: Double
    /// Downwards.
    public var y: Double

    /// The vector (`x`, `y`).
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin, and no displacement.
    public static let zero = Vector(x: 0, y: 0)

    static func + (left: Vector, right: Vector) -> Vector {
        Vector(x: left.x + right.x, y: left.y + right.y)
    }

    static func - (left: Vector, right: Vector) -> Vector {
        Vector(x: left.x - right.x, y: left.y - right.y)
    }

    static func * (factor: Double, vector: Vector) -> Vector {
        Vector(x: factor * vector.x, y: factor * vector.y)
    }

    func dot(_ other: Vector) -> Double {
        x * other.x + y * other.y
    }

    /// The z component of the cross product: positive if `other` lies clockwise of `self` within half a turn.
    func cross(_ other: Vector) -> Double {
        x * other.y - y * other.x
    }

    func rotated(by angle: Radians) -> Vector {
        let (sine, cosine) = sineAndCosine(angle)
        return Vector(x: cosine * x - sine * y, y: sine * x + cosine * y)
    }
}

/// A width and a height in points.
public struct Size: Sendable, Hashable {
    /// The extent along x.
    public var width: Double
    /// The extent along y.
    public var height: Double

    /// A size of `width` by `height` points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    var longerSide: Double {
        max(width, height)
    }

    var center: Vector {
        Vector(x: width / 2, y: height / 2)
    }
}

/// An upright rectangle in points: its corner with the least x and y, and its size.
public struct Rect: Sendable, Hashable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// The extent along x.
    public var width: Double
    /// The extent along y.
    public var height: Double

    /// The rectangle from (`x`, `y`) to (`x` + `width`, `y` + `height`).
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// An empty rectangle at the origin.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// The rectangle's extent.
    public var size: Size {
        Size(width: width, height: height)
    }

    func point(at anchor: UnitPoint) -> Vector {
        Vector(x: x + anchor.x * width, y: y + anchor.y * height)
    }
}

/// A place on a card in units of the card's size: (0, 0) is its top left corner, (1, 1) its bottom right one.
public struct UnitPoint: Sendable, Hashable {
    /// 0 at the left edge, 1 at the right.
    public var x: Double
    /// 0 at the top edge, 1 at the bottom.
    public var y: Double

    /// The point (`x`, `y`).
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The middle of the card.
    public static let center = UnitPoint(x: 0.5, y: 0.5)

    /// The place of `location`, given in points, on a card of the given size; a side that is too short for a place counts as
    /// its middle.
    init(location: Vector, in size: Size) {
        self.init(
            x: size.width < Self.shortestSide ? 0.5 : location.x / size.width,
            y: size.height < Self.shortestSide ? 0.5 : location.y / size.height
        )
    }

    /// In points.
    private static let shortestSide = 1e-6
}

/// An affine map in the order of CSS `matrix(a, b, c, d, tx, ty)`: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
public struct Matrix: Sendable, Hashable {
    /// x' per x.
    public var a: Double
    /// y' per x.
    public var b: Double
    /// x' per y.
    public var c: Double
    /// y' per y.
    public var d: Double
    /// Displacement to the right, in points.
    public var tx: Double
    /// Displacement downwards, in points.
    public var ty: Double

    /// The map with these six numbers.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The map that changes nothing.
    public static let identity = Matrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Scale, then turn, then move: CSS `translate() rotate() scale()`.
    init(translation: Vector, rotation: Radians, scale: Double) {
        let (sine, cosine) = sineAndCosine(rotation)
        self.init(
            a: scale * cosine,
            b: scale * sine,
            c: -scale * sine,
            d: scale * cosine,
            tx: translation.x,
            ty: translation.y
        )
    }

    /// The size of the upright box around a rectangle of `size` after this map.
    func boundingSize(of size: Size) -> Size {
        Size(
            width: abs(a) * size.width + abs(c) * size.height,
            height: abs(b) * size.width + abs(d) * size.height
        )
    }
}
