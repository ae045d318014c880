/// A timing curve through (0, 0) and (1, 1) with two control points, as in CSS `cubic-bezier()`.
public struct CubicBezier: Sendable, Hashable {
    /// The first control point's time.
    public var x1: Double
    /// The first control point's progress.
    public var y1: Double
    /// The second control point's time.
    public var x2: Double
    /// The second control point's progress.
    public var y2: Double

    /// The curve with control points (`x1`, `y1`) and (`x2`, `y2`); both times are within 0…1.
    public init(x1: Double, y1: Double, x2: Double, y2: Double) {
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }

    /// CSS `ease`, which is Core Animation's and Pop's default.
    public static let ease = CubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)
    /// CSS `ease-in`.
    public static let easeIn = CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
    /// CSS `ease-out`.
    public static let easeOut = CubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
    /// CSS `ease-in-out`.
    public static let easeInOut = CubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

    /// The progress at `time`, both in units of the whole animation; outside 0…1 the ends hold.
    /// The parameter is found to within 1e-9 of the time.
    public func progress(at time: Double) -> Double {
        if time <= 0 { return 0 }
        if time >= 1 { return 1 }
        return Self.coordinate(y1, y2, at: parameter(at: time))
    }

    private func parameter(at time: Double) -> Double {
        var low = 0.0
        var high = 1.0
        var parameter = time
        // Newton's steps are kept inside a bracket that only shrinks, so that a flat tangent cannot throw them out.
        for _ in 0..<64 {
            let error = Self.coordinate(x1, x2, at: parameter) - time
            if abs(error) < 1e-9 { break }
            if error > 0 { high = parameter } else { low = parameter }
            let slope = Self.slope(x1, x2, at: parameter)
            let step = slope > 1e-6 ? parameter - error / slope : low
            parameter = step > low && step < high ? step : (low + high) / 2
        }
        return parameter
    }

    private static func coordinate(_ first: Double, _ second: Double, at parameter: Double) -> Double {
        let rest = 1 - parameter
        return 3 * rest * rest * parameter * first + 3 * rest * parameter * parameter * second
            + parameter * parameter * parameter
    }

    private static func slope(_ first: Double, _ second: Double, at parameter: Double) -> Double {
        let rest = 1 - parameter
        return 3 * rest * rest * first + 6 * rest * parameter * (second - first)
            + 3 * parameter * parameter * (1 - second)
    }
}
