/// Everything visible of a session at one time.
public struct Frame: Sendable, Hashable {
    /// The session's version.
    public var version: SerialNumber
    /// The time, on the session's clock.
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
    /// The state of the drag while a finger holds the front card.
    public var drag: FrameDrag?
    /// The swipe that waits to be confirmed.
    public var pending: FramePending?
    /// The cards in their slots, front first, then those still leaving, the one that left last first.
    public var cards: [FrameCard]
    /// The number of the last notification.
    public var lastNotification: SerialNumber

    /// Whether anything moves by itself.
    public var animating: Bool { settlesAt != nil }
}

/// The state of a drag at one time.
public struct FrameDrag: Sendable, Hashable {
    /// The finger's displacement, as far as the card follows it.
    public var translation: Vector
    /// The direction that the drag points in; nil: it points in none that is allowed.
    public var direction: Direction?
    /// The part of the way from the card's centre to its edge, 0…1.
    public var progress: Double
    /// The part of the way to the threshold, 0…1.
    public var thresholdProgress: Double
    /// The effect of a release now, if the finger rested.
    public var decision: ReleaseDecision
}

/// A swipe that waits to be confirmed or denied.
public struct FramePending: Sendable, Hashable {
    /// The card's index.
    public var index: Int
    /// The card's id.
    public var id: CardID
    /// The direction it was swiped in.
    public var direction: Direction
    /// When it was swiped.
    public var since: Instant
    /// When it is denied without a decision.
    public var until: Instant
}

/// A turn of a card in space.
public struct Flip: Sendable, Hashable {
    /// The axis that a card turns about.
    public enum Axis: Sendable, Hashable {
        /// The horizontal line through its anchor, as in the carousel.
        case horizontal
        /// The vertical line through its anchor, as when it is turned over.
        case vertical
    }

    /// The axis.
    public var axis: Axis
    /// The angle, as in CSS `rotateX()` and `rotateY()`.
    public var angle: Radians
    /// The viewing distance, points.
    public var perspective: Double

    /// The angle's sine and cosine.
    public var sineAndCosine: (sine: Double, cosine: Double) {
        angle.sineCosinePair
    }

    /// The turn of a card that is partly turned over, 0 for its front and 1 for its back; nil if it lies flat. The back
    /// comes in from the other side, so that its content is never mirrored.
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
    /// The state of a card.
    public enum Role: UInt8, NamedChoice {
        /// The card to decide on.
        case front
        /// A card that waits behind it.
        case background
        /// A card with a verdict, on its way out.
        case leaving
        /// The front card, on its way back after a revert.
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

    /// Its index in the deck; the last one, if it is leaving and no longer in the deck.
    public var index: Int
    /// Its id.
    public var id: CardID
    /// Its state.
    public var role: Role
    /// Its position in the stacking order; higher is nearer.
    public var z: Int
    /// Its rectangle in the viewport before `matrix`.
    public var frame: Rect
    /// The translation, turn and scale about `anchor`.
    public var matrix: Matrix
    /// The side that it shows.
    public var face: CardFace
    /// How it is turned in space, before `matrix`; nil if it lies flat.
    public var flip: Flip?
    /// The fixed point of turn and scale.
    public var anchor: UnitPoint
    /// The size of `frame` relative to the front card's slot, by which its content is scaled.
    public var contentScale: Vector
    /// 0 invisible, 1 opaque.
    public var opacity: Double
    /// Whether a finger can take it.
    public var interactive: Bool
    /// The verdict that is shown on it.
    public var overlay: FrameOverlay?
    /// The directions it can be swiped in.
    public var allowedDirections: Directions
    /// Whether it is in the deck. A leaving card may not be there any more.
    public var isInDeck: Bool
}

/// The overlay of a card, which shows the verdict it is on its way to.
public struct FrameOverlay: Sendable, Hashable {
    /// The verdict.
    public var direction: Direction
    /// How far the overlay has come in, 0…1.
    public var progress: Double
    /// How opaque it is, 0…1: the progress on the overlay's curve.
    public var alpha: Double
}
