/// Everything that is to be seen of a session at one moment.
public struct Frame: Sendable, Hashable {
    /// The session's version.
    public var version: Int
    /// The moment, on the session's clock.
    public var at: Milliseconds
    /// The front card's index; the number of cards once the deck has run out.
    public var currentIndex: Int
    /// The number of cards in the deck.
    public var cardCount: Int
    /// The number of places the layout shows.
    public var visibleCount: Int
    /// Whether the first card follows the last.
    public var loop: Bool
    /// Whether every card has been swiped.
    public var exhausted: Bool
    /// Whether a finger holds the front card.
    public var dragging: Bool
    /// When everything has come to rest; nil if it has.
    public var settlesAt: Milliseconds?
    /// How many swipes can be taken back.
    public var canRevert: Int
    /// The cards in their places, front first, then those still leaving, the one that left last first.
    public var cards: [FrameCard]
    /// The number of the last notification.
    public var lastNotification: Int

    /// Whether anything moves by itself.
    public var animating: Bool { settlesAt != nil }
}

/// One card of a frame.
public struct FrameCard: Sendable, Hashable {
    /// What a card is doing.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// It is the card to decide on.
        case front
        /// It waits behind.
        case background
        /// It has its verdict and flies out.
        case leaving
        /// It is the front card, on its way back after a revert.
        case returning
    }

    /// Its index in the deck.
    public var index: Int
    /// Its name.
    public var id: String
    /// What it is doing.
    public var role: Role
    /// Its place in the stacking order; higher is nearer.
    public var z: Int
    /// Its rectangle in the viewport before `matrix`.
    public var frame: Rect
    /// What it is moved, turned and scaled by about `anchor`.
    public var matrix: Matrix
    /// The fixed point of turn and scale.
    public var anchor: UnitPoint
    /// The size of `frame` over the front card's place: how much larger or smaller its content is drawn.
    public var contentScale: Vector
    /// 0 invisible, 1 opaque.
    public var opacity: Double
    /// Whether a finger can take it.
    public var interactive: Bool
    /// The verdict that is shown on it.
    public var overlay: OverlayState?
    /// The directions it can be swiped in.
    public var allowedDirections: Directions
}
