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
