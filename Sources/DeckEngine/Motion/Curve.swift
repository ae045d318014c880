/// How a value's progress follows time: one of CSS's timing functions, or a spring.
public enum Curve: Sendable, Hashable {
    case linear, ease, easeIn, easeOut, easeInOut
    case spring(Spring)

    /// The curves that a setting can name. A spring is set by its bounciness and speed instead.
    public static let named: [Curve] = [.linear, .ease, .easeIn, .easeOut, .easeInOut]

    /// Whether a setting can name the curve.
    var isNamed: Bool {
        if case .spring = self { false } else { true }
    }

    /// The progress at a time, both in units of the whole animation; outside 0…1 the ends hold. A spring has no such
    /// units and counts as linear.
    func progress(at time: Double) -> Double {
        if time <= 0 { return 0 }
        if time >= 1 { return 1 }
        return cubicBezier?.progress(at: time) ?? time
    }

    /// The progress of an animation that takes `duration`, after `elapsed`.
    func progress(after elapsed: Milliseconds, of duration: Milliseconds) -> Double {
        if case .spring(let spring) = self { return 1 - spring.remaining(at: elapsed) }
        return progress(at: elapsed.value / duration.value)
    }

    /// The control points of the curve in CSS `cubic-bezier()`; nil for a straight line and a spring.
    public var cubicBezier: CubicBezier? {
        switch self {
        case .ease: .ease
        case .easeIn: .easeIn
        case .easeOut: .easeOut
        case .easeInOut: .easeInOut
        case .linear, .spring: nil
        }
    }
}
