/// A deck: its cards and everything about how they are handled.
public struct Deck: Sendable, Hashable {
    /// The cards, first to last.
    public var cards: CardList
    /// How they are laid out, moved and decided on.
    public var settings: DeckSettings

    /// A deck of these cards.
    public init(cards: CardList, settings: DeckSettings = DeckSettings()) {
        self.cards = cards
        self.settings = settings
    }
}
