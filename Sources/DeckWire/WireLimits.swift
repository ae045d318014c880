import DeckEngine

/// The limits of requests, which `docs/api.md` lists.
public enum WireLimits {
    /// A deck's body.
    public static let deckBytes = 8 << 20
    /// Any other body.
    public static let bodyBytes = 256 << 10
    /// Cards in a deck's list.
    public static let inlineCards = 10_000
    /// Cards of a deck that has only their number.
    public static let numberedCards = EngineLimits.cards
    /// The index of a card, the first card to show, or the number of cards. It is compared with the deck later.
    public static let indices = 0...numberedCards
    /// A card's `data`, as it was sent: with its whitespace, which is not stored.
    public static let cardDataBytes = 16 << 10
    /// A card's `label`.
    public static let labelBytes = 1 << 10
    /// An id that a client chooses.
    public static let idBytes = 64
    /// The length of an id that a client chooses, bytes.
    static let idLengths = 1...idBytes
    /// Events of a batch.
    public static let eventsPerBatch = 256
    /// The number of events that a batch can have.
    static let batchSizes = 1...eventsPerBatch
    /// Directions of a list. None may be there twice.
    static let directionCounts = 0...Direction.allCases.count
    /// Events of a list of those that a player may send. None may be there twice.
    static let playerEventCounts = 0...PlayerEvent.allCases.count
    /// The length of a user's name, characters.
    public static let userLengths = 1...128
    /// The `metadata` of a session, as it was sent.
    public static let metadataBytes = 4 << 10
    /// A side of a viewport or a screen, points.
    public static let lengths = SettingLimits.lengths
}
