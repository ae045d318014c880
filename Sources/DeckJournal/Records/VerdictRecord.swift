/// A row of the feed: a verdict that was given or reverted, or a swipe that waits for a confirmation.
public struct VerdictRecord: Sendable, Hashable {
    /// The kind of a row.
    public enum Kind: Int, Sendable, Hashable {
        /// The verdict counts until it is reverted.
        case given = 0
        /// The verdict of the same number does not stand any more.
        case reverted = 1
        /// The swipe is no verdict yet. It has the number 0.
        case pending = 2
    }

    /// The verdict's number in the session; 0 if there is no verdict.
    public var number: Int
    /// When that happened, on the session's clock.
    public var atMilliseconds: Double
    /// The card's index.
    public var cardIndex: Int
    /// The card's id.
    public var cardID: String
    /// Where the card went.
    public var direction: String
    /// The kind of the row.
    public var kind: Kind

    /// Creates a verdict.
    public init(
        number: Int,
        atMilliseconds: Double,
        cardIndex: Int,
        cardID: String,
        direction: String,
        kind: Kind
    ) {
        self.number = number
        self.atMilliseconds = atMilliseconds
        self.cardIndex = cardIndex
        self.cardID = cardID
        self.direction = direction
        self.kind = kind
    }
}
