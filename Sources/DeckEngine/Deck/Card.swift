/// One card of a deck.
public struct Card: Sendable, Hashable {
    /// The id, which is unique in the deck. The client chooses it.
    public var id: CardID
    #if !hasFeature(Embedded)
    /// The content, as JSON text that the engine never reads.
    public var data: String?
    /// The text that a screen reader speaks for the card.
    public var label: String?
    #endif
    /// The directions the card can be swiped in; nil: the deck's.
    public var allowedDirections: Directions?
    /// The directions that are refused at release; nil: the deck's.
    public var deniedDirections: Directions?
    /// The directions a finger can move the card in; nil: the deck's.
    public var dragDirections: Directions?
    /// Whether a finger can take the card; nil: the deck's rule.
    public var draggable: Bool?
    /// Whether the card's swipe can be reverted.
    public var undoable = true

    /// A card with this id that follows all of the deck's rules.
    public init(id: CardID) {
        self.id = id
    }
}
