/// One property in motion, as data: what a client needs to play the motion by itself between two frames.
public struct MotionStep: Sendable, Hashable {
    /// What moves.
    public enum Property: UInt8, NamedChoice {
        /// The displacement in the card's matrix, points.
        case translation = 0
        /// The turn in the card's matrix, radians.
        case rotation = 1
        /// The size in the card's matrix, or of the whole deck about its middle.
        case scale = 2
        /// The card's rectangle.
        case frame = 3
        /// The card's opacity, or a factor for that of all cards.
        case opacity = 4
        /// The opacity of the card's overlay.
        case overlayAlpha = 5
        /// How far a card is turned over: 0 shows its front, 1 its back.
        case turn = 6
        /// How far a carousel is scrolled forward, points.
        case scroll = 7

        /// The name on the wire.
        public var name: StaticString {
            switch self {
            case .translation: "translation"
            case .rotation: "rotation"
            case .scale: "scale"
            case .frame: "frame"
            case .opacity: "opacity"
            case .overlayAlpha: "overlayAlpha"
            case .turn: "turn"
            case .scroll: "scroll"
            }
        }
    }

    /// A property's value.
    public enum Value: Sendable, Hashable {
        case number(Double)
        case vector(Vector)
        case rect(Rect)
    }

    /// The card's index; nil: the whole deck.
    public var card: Int?
    /// The `z` of that card, because in a loop a card may leave and be in a slot at the same time.
    public var z: Int?
    /// What moves.
    public var property: Property
    /// The value up to `start`.
    public var from: Value
    /// The value at the end or, if the curve ends at 0, the farthest value.
    public var to: Value
    /// When the motion starts, on the session's clock.
    public var start: Instant
    /// How long it takes.
    public var duration: Milliseconds
    /// The timing curve.
    public var curve: Curve
    /// The line segments in place of `curve`; nil: `curve` is the whole truth.
    var ownPoints: [CurvePoint]?

    /// The curve as line segments, if no timing function of CSS describes it; else empty. Those of a spring are computed.
    public var points: [CurvePoint] {
        ownPoints ?? curve.points(over: duration)
    }
}

/// A point of a curve.
public struct CurvePoint: Sendable, Hashable {
    /// The part of the duration, 0…1.
    public var time: Double
    /// The part of the way; beyond 1 where it overshoots.
    public var progress: Double

    /// The largest distance between the line segments and the curve, in units of the way.
    public static let tolerance = 0.003

    /// The part of the tolerance that is used at the sampled times; between them the curve deviates a little more.
    private static let measured = 0.9 * tolerance

    /// Approximates a curve with as few line segments as possible within the tolerance, each as long as possible.
    ///
    /// - Parameter duration: the duration of a spring's curve, which is sampled often enough for the fastest spring.
    static func following(over duration: Milliseconds = .zero, _ progress: (Double) -> Double) -> [CurvePoint] {
        let grid = max(600, Int(min(max(duration.value, 0), Spring.longestDuration.value) / 2))
        let values = (0...grid).map { progress(Double($0) / Double(grid)) }
        var points = [CurvePoint(time: 0, progress: values[0])]
        var knot = 0
        while knot < grid {
            knot = farthest(from: knot, in: values)
            points.append(CurvePoint(time: Double(knot) / Double(grid), progress: values[knot]))
        }
        return points
    }

    /// The last position up to which one segment stays within the tolerance.
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

extension Curve {
    /// The points that describe a curve for which CSS has no function.
    func points(over duration: Milliseconds) -> [CurvePoint] {
        guard case .spring(let spring) = self else { return [] }
        return CurvePoint.following(over: duration) { part in
            // The last point is the target, although the spring still has a small remainder there.
            part >= 1 ? 1 : 1 - spring.remaining(at: Milliseconds(part * duration.value))
        }
    }
}
