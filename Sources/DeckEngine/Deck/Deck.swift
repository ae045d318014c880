/// A deck: its cards and its settings.
public struct Deck: Sendable, Hashable {
    /// The cards, first to last.
    public var cards: CardList
    /// The layout, the rules, the motion and the appearance.
    public var settings: DeckSettings

    /// A deck of these cards.
    public init(cards: CardList, settings: DeckSettings = DeckSettings()) {
        self.cards = cards
        self.settings = settings
    }
}
