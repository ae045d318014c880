/// A deck: its cards and its settings.
public struct Deck: Sendable, Hashable {
    /// The cards, first to last.
    public var cards: CardList
    /// The layout, the rules, the motion and the appearance.
    public var settings: DeckSettings {
        get { sharedSettings.settings }
        set { sharedSettings = SharedSettings(newValue) }
    }
    private(set) var sharedSettings: SharedSettings

    /// A deck of these cards.
    public init(cards: CardList, settings: DeckSettings = DeckSettings()) {
        self.cards = cards
        sharedSettings = SharedSettings(settings)
    }

    init(cards: CardList, settings: SharedSettings) {
        self.cards = cards
        sharedSettings = settings
    }
}
