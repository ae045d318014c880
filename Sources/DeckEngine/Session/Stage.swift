/// A card in one of the places of the layout.
struct PlacedCard: Sendable, Hashable {
    var index: Int
    var motion: CardMotion
}

/// A card with a verdict, on its way out.
struct LeavingCard: Sendable, Hashable {
    var index: Int
    /// What the deck said of the card when it left: one that is read again meanwhile may not have it any more.
    var id: String
    var allowedDirections: Directions
    var motion: CardMotion
    /// The deck's growing into view, if the card left in the midst of it.
    var appear: AppearAnimation?
    /// Koloda stays busy until a card that was swiped by call is gone, but not for one that was swiped by hand.
    var isSwipedByCall: Bool

    /// When it is out of sight. That its rectangle may still swing on a spring then does not keep it.
    var end: Milliseconds { motion.translation.end }
}

/// A finger on the front card.
struct Drag: Sendable, Hashable {
    var translation = Vector.zero
    var location: Vector
    /// The direction a release would swipe in, as far as the distance goes; nil below the threshold.
    var pastThreshold: Direction?
}

/// The whole deck growing into view.
struct AppearAnimation: Sendable, Hashable {
    var scale: Track<Double>
    var opacity: Track<Double>

    init(start: Milliseconds, motion: MotionSettings) {
        let begin = start + motion.dragSpeed
        scale = Track(from: 0.1, to: 1, start: begin, duration: motion.appearDuration, easing: .ease)
        opacity = Track(from: 0, to: 1, start: begin, duration: motion.appearDuration, easing: .ease)
    }
}

/// Something that takes effect at a time of its own.
struct Scheduled: Sendable, Hashable {
    enum Effect: Sendable, Hashable {
        /// The card after a swiped one has moved into place.
        case arrived(swiped: Int, Direction, looped: Bool)
        /// A reverted card is back.
        case rewound
        /// The appear animation is over.
        case appeared
    }

    var time: Milliseconds
    var effect: Effect
}

/// A command that can wait for the deck to come to rest.
struct Command: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        case swipe(Direction, force: Bool)
        case revert(RevertStyle)
    }

    var action: Action
    /// When it was accepted, which is the time of its verdict.
    var acceptedAt: Milliseconds
}
