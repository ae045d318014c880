/// The bounds of a session. Everything that could grow has one.
public enum EngineLimits {
    /// The most swipes that can be reverted, and that can be redone; older ones are final.
    public static let historyDepth = 1000
    /// The most commands that wait; one more is refused as `animating`.
    public static let queuedCommands = 16
    /// The most swipes, reverts and other changes that the waiting commands make; one more is refused as `animating`.
    public static let queuedSteps = 128
    /// The most waiting commands that rearrange the cards, times the number of cards; one more is refused as `animating`.
    /// Each frame shows when all of them will have taken effect, so it applies them to a copy.
    public static let queuedRearrangedCards = 32_768
    /// The most slots that a layout can show.
    public static let visibleCards = 32
    /// The most leaving cards; when there is one more, the one that left first is dropped.
    public static let leavingCards = 32
    /// The most cards of a deck that can be rearranged; a change of a larger one is refused as `too-many-cards`.
    public static let rearrangeableCards = 100_000
    /// Counted ids are below this number; a larger number is an ordinary id.
    public static let countedIDs = 1_000_000_000
    /// The largest number in the pose of a card that was dragged. A snapshot refuses numbers that are much larger.
    public static let poseMagnitude = 1e9
    /// The most cards of a deck.
    public static let cards = 10_000_000
}

/// The limits of the members of events, for the HTTP API and for clients.
public enum EventLimits {
    /// A moment on a session's clock, milliseconds.
    public static let moments = 0.0...Instant.last.milliseconds
    /// A component of a translation, a location or a velocity, points or points per second.
    public static let coordinates = -1_000_000.0...1_000_000
    /// The index of a card.
    public static let indices = 0...EngineLimits.cards
    /// The number of taps of one event.
    public static let tapCounts = 1...3
    /// The number of swipes that one event reverts or redoes.
    public static let undoCounts = 1...EngineLimits.historyDepth
    /// A seed for shuffling, a whole number that JSON can represent.
    public static let seeds: ClosedRange<Double> = 0...9_007_199_254_740_991
}
