/// The limit on a session's cost: per second, and at once after a pause.
///
/// The unit is the work of an event that changes no list. ``Prices`` say what costs more.
public struct CostLimit: Sendable, Equatable {
    /// Units of cost per second; 0: any number.
    public let perSecond: Int
    /// Units of cost at once.
    public let burst: Int

    /// A limit in units per second, and in units at once.
    public init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// After how many whole seconds, at least one, an empty bucket is full.
    public var secondsToFill: Int {
        let (seconds, rest) = burst.quotientAndRemainder(dividingBy: max(1, perSecond))
        return max(1, rest > 0 ? seconds + 1 : seconds)
    }
}
