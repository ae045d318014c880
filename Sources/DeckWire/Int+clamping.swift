extension Int {
    /// The whole number of a floating-point number, rounded towards zero. One beyond the range of `Int` becomes the nearest
    /// bound, and NaN becomes 0, so that no number that a request leads to can trap.
    public init(clamping number: Double) {
        if let exact = Int(exactly: number.rounded(.towardZero)) {
            self = exact
        } else {
            self = number.isNaN ? 0 : number < 0 ? .min : .max
        }
    }
}
