/// Everything that is to be seen of a session at one moment.
public struct Frame: Sendable, Hashable {
    /// The session's version.
    public var version: Int
    /// The moment, on the session's clock.
    public var at: Instant
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
    public var settlesAt: Instant?
    /// How many swipes can be taken back.
    public var canRevert: Int
    /// How many swipes that were taken back can be done again.
    public var canRedo: Int
    /// What the drag means while a finger holds the front card.
    public var drag: FrameDrag?
    /// The cards in their places, front first, then those still leaving, the one that left last first.
    public var cards: [FrameCard]
    /// The number of the last notification.
    public var lastNotification: Int

    /// Whether anything moves by itself.
    public var animating: Bool { settlesAt != nil }

    /// A frame to be overwritten.
    public init() {
        version = 0
        at = .zero
        currentIndex = 0
        cardCount = 0
        visibleCount = 0
        loop = false
        exhausted = false
        dragging = false
        canRevert = 0
        canRedo = 0
        cards = []
        lastNotification = 0
    }
}

/// What a drag means at one moment.
public struct FrameDrag: Sendable, Hashable {
    /// The finger's way, as far as the card follows it.
    public var translation: Vector
    /// The allowed direction that is nearest.
    public var direction: Direction?
    /// The part of the way from the card's centre to its edge, 0…1.
    public var progress: Double
    /// The part of the way to the threshold, 0…1.
    public var thresholdProgress: Double
    /// What letting go would do now, if the finger rested.
    public var decision: ReleaseDecision
}

/// How far a card has tipped over its bottom edge.
public struct Flip: Sendable, Hashable {
    /// The angle about the x axis.
    public var angle: Radians
    /// The distance from which it is seen, points.
    public var perspective: Double

    /// The angle's sine and cosine.
    public var sineAndCosine: (sine: Double, cosine: Double) {
        DeckEngine.sineAndCosine(angle)
    }
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

    /// Its index in the deck. Of a card that is on its way out and not in the deck any more, its last one.
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
    /// How far it has tipped over, before `matrix`; nil in layouts where cards lie flat.
    public var flip: Flip?
    /// The fixed point of turn and scale.
    public var anchor: UnitPoint
    /// The size of `frame` over the front card's place: how much larger or smaller its content is drawn.
    public var contentScale: Vector
    /// 0 invisible, 1 opaque.
    public var opacity: Double
    /// Whether a finger can take it.
    public var interactive: Bool
    /// The verdict that is shown on it.
    public var overlay: FrameOverlay?
    /// The directions it can be swiped in.
    public var allowedDirections: Directions
}

/// What is shown on top of a card: the verdict it is on its way to.
public struct FrameOverlay: Sendable, Hashable {
    /// The verdict.
    public var direction: Direction
    /// How far the overlay has come in, 0…1.
    public var progress: Double
    /// How opaque it is, 0…1: the progress on the overlay's curve.
    public var alpha: Double
}
