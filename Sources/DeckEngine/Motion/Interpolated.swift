/// A value that can be drawn between two others.
protocol Interpolated: Sendable, Hashable {
    /// The value a part `progress` of the way from `start` to `end`; below 0 and above 1 it is extrapolated. At 1 it is
    /// exactly `end`: a card that arrives with a rounding error would still have to move.
    static func between(_ start: Self, _ end: Self, _ progress: Double) -> Self
    /// The largest of its numbers and its Euclidean length, for the distance from `self` to `end`.
    func distance(to end: Self) -> (largest: Double, length: Double)
    /// The distance below which a spring of this kind of value counts as arrived (Pop's thresholds).
    static var springThreshold: Double { get }
}

extension Double: Interpolated {
    static func between(_ start: Double, _ end: Double, _ progress: Double) -> Double {
        progress == 1 ? end : start + progress * (end - start)
    }

    func distance(to end: Double) -> (largest: Double, length: Double) {
        (abs(end - self), abs(end - self))
    }

    static var springThreshold: Double { 0.01 }
}

extension Vector: Interpolated {
    static func between(_ start: Vector, _ end: Vector, _ progress: Double) -> Vector {
        Vector(x: .between(start.x, end.x, progress), y: .between(start.y, end.y, progress))
    }

    func distance(to end: Vector) -> (largest: Double, length: Double) {
        let way = end - self
        return (max(abs(way.x), abs(way.y)), way.dot(way).squareRoot())
    }

    static var springThreshold: Double { 1 }
}

extension Rect: Interpolated {
    /// A spring that swings far beyond a small target does not turn the rectangle inside out.
    static func between(_ start: Rect, _ end: Rect, _ progress: Double) -> Rect {
        Rect(
            x: .between(start.x, end.x, progress),
            y: .between(start.y, end.y, progress),
            width: max(.between(start.width, end.width, progress), 0),
            height: max(.between(start.height, end.height, progress), 0)
        )
    }

    func distance(to end: Rect) -> (largest: Double, length: Double) {
        let (x, y, width, height) = (end.x - x, end.y - y, end.width - width, end.height - height)
        return (
            max(max(abs(x), abs(y)), max(abs(width), abs(height))),
            (x * x + y * y + width * width + height * height).squareRoot()
        )
    }

    static var springThreshold: Double { 1 }
}
