internal import DeckWire

/// The limit on a session's cost: per second, and at once after a pause.
///
/// The unit is the work of an event that changes no list, about 25 microseconds. ``Prices`` say what costs more.
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

    /// After how many whole seconds, at least one, there are this many more units.
    public func seconds(toGain units: Double) -> Int {
        max(1, Int(clamping: (units / Double(max(1, perSecond))).rounded(.up)))
    }
}
