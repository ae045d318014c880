/// One card of a deck.
public struct Card: Sendable, Hashable {
    /// Its name in the deck, chosen by whoever made the deck.
    public var id: String
    /// What it shows, as JSON text that the engine never reads.
    public var data: String?
    /// What a screen reader says of it.
    public var label: String?
    /// Directions of its own, in place of the deck's.
    public var allowedDirections: Directions?
    /// Refused directions of its own, in place of the deck's.
    public var deniedDirections: Directions?
    /// The directions a finger can move it in, in place of the deck's.
    public var dragDirections: Directions?
    /// Whether a finger can take it, in place of the deck's rule.
    public var draggable: Bool?
    /// Whether its swipe can be taken back.
    public var undoable = true

    /// A card of this name that follows all of the deck's rules.
    public init(id: String) {
        self.id = id
    }
}

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

    /// The directions that the card at `index` can be swiped in.
    func allowedDirections(at index: Int) -> Directions {
        cards[index].allowedDirections ?? settings.rules.allowedDirections
    }

    /// The directions that the card at `index` is refused in at release.
    func deniedDirections(at index: Int) -> Directions {
        cards[index].deniedDirections ?? settings.rules.deniedDirections
    }

    /// The directions that a finger can move the card at `index` in; nil: every one.
    func dragDirections(at index: Int) -> Directions? {
        cards[index].dragDirections ?? settings.rules.dragDirections
    }

    /// Whether a finger can take the card at `index`.
    func isDraggable(at index: Int) -> Bool {
        cards[index].draggable ?? settings.rules.draggable
    }
}
