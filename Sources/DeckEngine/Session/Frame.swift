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
    /// The number of slots that the layout shows.
    public var visibleCount: Int
    /// Whether the first card follows the last.
    public var loop: Bool
    /// Whether every card has been swiped.
    public var exhausted: Bool
    /// Whether a finger holds the front card.
    public var dragging: Bool
    /// When everything has come to rest; nil if it has.
    public var settlesAt: Instant?
    /// How many swipes can be reverted.
    public var canRevert: Int
    /// How many reverted swipes can be redone.
    public var canRedo: Int
    /// What the drag means while a finger holds the front card.
    public var drag: FrameDrag?
    /// The swipe that waits to be confirmed.
    public var pending: FramePending?
    /// The cards in their slots, front first, then those still leaving, the one that left last first.
    public var cards: [FrameCard]
    /// The number of the last notification.
    public var lastNotification: Int

    /// Whether anything moves by itself.
    public var animating: Bool { settlesAt != nil }
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

/// A swipe that waits to be confirmed or denied.
public struct FramePending: Sendable, Hashable {
    /// The card's index.
    public var index: Int
    /// The card's id.
    public var id: String
    /// The direction it was swiped in.
    public var direction: Direction
    /// When it was swiped.
    public var since: Instant
    /// When it is denied without a decision.
    public var until: Instant
}

/// A turn of a card in space.
public struct Flip: Sendable, Hashable {
    /// What a card turns about.
    public enum Axis: Sendable, Hashable {
        /// The horizontal line through its anchor, as in the carousel.
        case horizontal
        /// The vertical line through its anchor, as when it is turned over.
        case vertical
    }

    /// What it turns about.
    public var axis: Axis
    /// The angle, as in CSS `rotateX()` and `rotateY()`.
    public var angle: Radians
    /// The distance from which it is seen, points.
    public var perspective: Double

    /// The angle's sine and cosine.
    public var sineAndCosine: (sine: Double, cosine: Double) {
        angle.sineCosinePair
    }

    /// A card that is turned over so far, 0 for its front and 1 for its back; nil where it lies flat. The back comes
    /// round from the other side, so that what is drawn on it is never mirrored.
    static func turning(_ turn: Double) -> Flip? {
        guard turn != 0, turn != 1 else { return nil }
        let angle = Radians(.pi * (turn < 0.5 ? turn : turn - 1))
        return Flip(axis: .vertical, angle: angle, perspective: turnPerspective)
    }

    private static let turnPerspective = 1000.0
}

/// A side of a card.
public enum CardFace: UInt8, NamedChoice {
    case front = 0, back = 1

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .front: "front"
        case .back: "back"
        }
    }
}

/// One card of a frame.
public struct FrameCard: Sendable, Hashable {
    /// What a card is doing.
    public enum Role: UInt8, NamedChoice {
        /// It is the card to decide on.
        case front
        /// It waits behind.
        case background
        /// It has its verdict and flies out.
        case leaving
        /// It is the front card, on its way back after a revert.
        case returning

        /// The name on the wire.
        public var name: StaticString {
            switch self {
            case .front: "front"
            case .background: "background"
            case .leaving: "leaving"
            case .returning: "returning"
            }
        }
    }

    /// Its index in the deck; its last one, if it is leaving and not in the deck any more.
    public var index: Int
    /// Its id.
    public var id: String
    /// What it is doing.
    public var role: Role
    /// Its position in the stacking order; higher is nearer.
    public var z: Int
    /// Its rectangle in the viewport before `matrix`.
    public var frame: Rect
    /// What it is moved, turned and scaled by about `anchor`.
    public var matrix: Matrix
    /// The side that it shows.
    public var face: CardFace
    /// How it is turned in space, before `matrix`; nil if it lies flat.
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
    /// What the deck holds of it; nil for a leaving card that the deck does not have any more.
    public var content: Card?
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
