/// What a row of the feed says: a verdict was given or reverted, a swipe waits for a confirmation, or a notice about the whole
/// session. A ``FeedRow`` adds its place, its session and the time.
public struct FeedRecord: Sendable, Hashable {
    /// The kind of a row.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// The verdict counts until it is reverted.
        case given = 0
        /// The verdict of the same number does not stand any more.
        case reverted = 1
        /// The swipe is no verdict yet. It has the number 0.
        case pending = 2
        /// Few cards are left. This and the kinds below are notices: they have no number and no card.
        case needsCards = 3
        /// The last card was swiped.
        case ranOut = 4
        /// The session was ended or has expired. The journal adds this row.
        case ended = 5

        /// Whether the row is about the whole session and not about a card.
        public var isNotice: Bool { rawValue >= Self.needsCards.rawValue }
    }

    /// The verdict's number in the session; 0 if there is no verdict.
    public var number: Int
    /// When that happened, on the session's clock; 0 for the end of a session.
    public var atMilliseconds: Double
    /// The card's index; 0 in a notice.
    public var cardIndex: Int
    /// The card's id; empty in a notice.
    public var cardID: String
    /// Where the card went; empty in a notice.
    public var direction: String
    /// The kind of the row.
    public var kind: Kind

    /// A notice about the whole session.
    public static func notice(_ kind: Kind, atMilliseconds: Double) -> FeedRecord {
        FeedRecord(
            number: 0,
            atMilliseconds: atMilliseconds,
            cardIndex: 0,
            cardID: "",
            direction: "",
            kind: kind
        )
    }

    /// Creates a record.
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
