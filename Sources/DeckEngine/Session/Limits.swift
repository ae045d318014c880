/// The bounds of a session. Everything that could grow has one.
public enum EngineLimits {
    /// Swipes that can be reverted, and swipes that can be redone; older ones are final.
    public static let historyDepth = 1000
    /// Commands that wait for the deck to come to rest; one more is refused as `animating`.
    public static let queuedCommands = 16
    /// Swipes, reverts and other changes that the waiting commands make; one more is refused as `animating`.
    public static let queuedSteps = 128
    /// Waiting commands that rearrange the cards, times the cards; one more is refused as `animating`. Each frame shows
    /// when all of them will have taken effect.
    public static let queuedRearrangedCards = 32_768
    /// Slots that a layout can show.
    public static let visibleCards = 32
    /// Leaving cards; when there is one more, the one that left first is dropped.
    public static let leavingCards = 32
    /// Cards of a deck that can be inserted into, removed from or shuffled; larger ones are refused as `too-many-cards`.
    public static let rearrangeableCards = 100_000
    /// Counted ids are below this number; a larger number is an ordinary id.
    public static let countedIDs = 1_000_000_000
    /// The largest number in the pose of a card that was dragged. A snapshot refuses numbers that are much larger.
    public static let poseMagnitude = 1e9
    /// Cards of a deck after an append.
    public static let cards = 10_000_000
}
