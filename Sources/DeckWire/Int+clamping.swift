extension Int {
    /// A floating-point number as a whole number, rounded towards zero. One beyond the range of `Int` becomes the nearest
    /// bound, and NaN becomes 0, so that no request can cause a trap.
    public init(clamping number: Double) {
        if let exact = Int(exactly: number.rounded(.towardZero)) {
            self = exact
        } else {
            self = number.isNaN ? 0 : number < 0 ? .min : .max
        }
    }
}
