/// One property on its way, as data: what a client needs to play the motion by itself between two frames.
public struct MotionStep: Sendable, Hashable {
    /// What moves.
    public enum Property: String, Sendable, Hashable, CaseIterable {
        /// The displacement in the card's matrix, points.
        case translation
        /// The turn in the card's matrix, radians.
        case rotation
        /// The size in the card's matrix, or of the whole deck about its middle.
        case scale
        /// The card's rectangle.
        case frame
        /// The card's opacity, or a factor for that of all cards.
        case opacity
        /// The opacity of the card's overlay.
        case overlayAlpha
        /// How far a layout that scrolls is scrolled forward, points.
        case scroll
    }

    /// A property's value.
    public enum Value: Sendable, Hashable {
        case number(Double)
        case vector(Vector)
        case rect(Rect)
    }

    /// The card's index; nil: the whole deck.
    public var card: Int?
    /// Which of the frame's cards that is, by its `z`: in a loop a card may leave and be there again.
    public var z: Int?
    /// What moves.
    public var property: Property
    /// The value up to `start`.
    public var from: Value
    /// The value from the end on, or, where the curve ends at 0, the farthest one.
    public var to: Value
    /// When it begins, on the session's clock.
    public var start: Instant
    /// How long it takes.
    public var duration: Milliseconds
    /// How it gets there.
    public var curve: MotionCurve
}

/// How a value gets from its start to its end, as CSS has it.
public enum MotionCurve: Sendable, Hashable {
    case linear
    case cubicBezier(CubicBezier)
    /// Straight lines between points, of times and progress in units of the whole: CSS `linear()`.
    case points([Point])

    /// A point of a curve.
    public struct Point: Sendable, Hashable {
        /// The part of the duration, 0…1.
        public var time: Double
        /// The part of the way; beyond 1 where it overshoots.
        public var progress: Double
    }

    /// How far the straight lines may be from the curve, in units of the way.
    public static let tolerance = 0.003

    /// What of the tolerance is used up at the moments that are looked at; between them a curve bends a little farther.
    private static let measured = 0.9 * tolerance

    /// Follows a curve with as few straight lines as it takes to stay within the tolerance everywhere, each as long as
    /// it can be.
    ///
    /// - Parameter duration: what the curve takes, if it swings; it is looked at often enough for the fastest spring.
    init(following progress: (Double) -> Double, over duration: Milliseconds = .zero) {
        let grid = max(600, Int(min(duration, Spring.longestDuration).value / 2))
        let values = (0...grid).map { progress(Double($0) / Double(grid)) }
        var points = [Point(time: 0, progress: values[0])]
        var knot = 0
        while knot < grid {
            knot = Self.farthest(from: knot, in: values)
            points.append(Point(time: Double(knot) / Double(grid), progress: values[knot]))
        }
        self = .points(points)
    }

    /// The last place up to which one straight line stays within the tolerance.
    private static func farthest(from knot: Int, in values: [Double]) -> Int {
        // The steepest and the flattest line that pass every value so far within the tolerance.
        var (low, high) = (-Double.infinity, Double.infinity)
        var best = knot + 1
        for end in (knot + 1)..<values.count {
            let steps = Double(end - knot)
            let slope = (values[end] - values[knot]) / steps
            if slope >= low, slope <= high { best = end }
            low = max(low, (values[end] - measured - values[knot]) / steps)
            high = min(high, (values[end] + measured - values[knot]) / steps)
            if low > high { break }
        }
        return best
    }
}

extension Easing {
    /// The curve of an animation that takes this long.
    func curve(over duration: Milliseconds) -> MotionCurve {
        switch self {
        case .linear: .linear
        case .ease: .cubicBezier(.ease)
        case .spring(let spring):
            // The last point is what the spring has reached; the animation's end is the target exactly.
            MotionCurve(
                following: { part in part >= 1 ? 1 : 1 - spring.remaining(at: Milliseconds(part * duration.value)) },
                over: duration
            )
        }
    }
}
