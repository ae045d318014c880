import DeckEngine

/// The limits of requests, which `docs/api.md` lists.
public enum WireLimits {
    /// The longest body that contains a deck, bytes.
    public static let deckBytes = 8 << 20
    /// The longest other body, bytes.
    public static let bodyBytes = 256 << 10
    /// The most cards in a deck's list.
    public static let inlineCards = 10_000
    /// The most cards of a deck that has only their number.
    public static let numberedCards = EngineLimits.cards
    /// The index of a card, the first card to show, or the number of cards. It is compared with the deck later.
    public static let indices = 0...numberedCards
    /// The longest `data` of a card, bytes, as it was sent: with its whitespace, which is not stored.
    public static let cardDataBytes = 16 << 10
    /// The longest `label` of a card, bytes.
    public static let labelBytes = 1 << 10
    /// The longest id that a client chooses, bytes.
    public static let idBytes = 64
    /// The length of an id that a client chooses, bytes.
    static let idLengths = 1...idBytes
    /// The most events of a batch.
    public static let eventsPerBatch = 256
    /// The number of events that a batch can have.
    static let batchSizes = 1...eventsPerBatch
    /// The number of directions of a list. None may be there twice.
    static let directionCounts = 0...Direction.allCases.count
    /// The number of events of a list of those that a player may send. None may be there twice.
    static let playerEventCounts = 0...PlayerEvent.allCases.count
    /// The length of a user's name, Unicode scalars.
    public static let userLengths = 1...128
    /// The longest `metadata` of a session, bytes, as it was sent.
    public static let metadataBytes = 4 << 10
    /// A side of a viewport or a screen, points.
    public static let lengths = SettingLimits.lengths
}
