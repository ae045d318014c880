internal import DeckWire

/// How many events a session takes: so many each second, and after a rest as many more at once.
public struct EventLimit: Sendable, Equatable {
    /// Events per second; 0: any number.
    public let perSecond: Int
    /// Events at once.
    public let burst: Int

    /// A limit of so many events per second, and of so many at once.
    public init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// Whole seconds, at least one, after which so many events more are possible.
    public func seconds(toGain events: Double) -> Int {
        max(1, Int(clamping: (events / Double(max(1, perSecond))).rounded(.up)))
    }
}
