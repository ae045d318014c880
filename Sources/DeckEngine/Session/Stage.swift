/// A card in one of the places of the layout.
struct PlacedCard: Sendable, Hashable {
    var index: Int
    var motion: CardMotion
}

/// A card that is in no place any more, on its way out of sight.
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
    var end: Instant
}

/// A finger on the front card.
struct Drag: Sendable, Hashable {
    /// The finger's way, as far as the card follows it.
    var translation = Vector.zero
    var location: Vector
    /// The direction a release would swipe in, as far as the distance goes; nil below the threshold.
    var pastThreshold: Direction?
    var samples = DragSamples()
    /// Where a layout that scrolls was when the finger went down.
    var startPosition = 0.0
    /// The whole place that it goes back to if the finger decides nothing.
    var startPlace = 0.0
}

/// The whole deck growing into view.
struct AppearAnimation: Sendable, Hashable {
    var scale: Track<Double>
    var opacity: Track<Double>

    init(start: Instant, motion: MotionSettings) {
        let begin = start + motion.dragSpeed
        let size = motion.reduced ? 1 : 0.1
        scale = Track(from: size, to: 1, start: begin, duration: motion.appearDuration, easing: .ease)
        opacity = Track(from: 0, to: 1, start: begin, duration: motion.appearDuration, easing: .ease)
    }

    var end: Instant {
        max(scale.end, opacity.end)
    }
}

/// A hint: the front card leans towards a direction and comes back, as if a finger did it.
struct Nudge: Sendable, Hashable {
    /// The part of the way to the edge that it goes.
    static let reach = 0.2
    static let duration = Milliseconds(600)

    var direction: Direction
    var start: Instant

    var end: Instant {
        start + Self.duration
    }

    /// The drag that it looks like; nil when it is over.
    func drag(at time: Instant, cardSize: Size) -> Drag? {
        guard time > start, time < end else { return nil }
        let sine = sineAndCosine(Radians(.pi * (time - start).value / Self.duration.value)).sine
        let part = Self.reach * sine * sine / 2
        let point = direction.point
        return Drag(
            translation: Vector(x: point.x * cardSize.width * part, y: point.y * cardSize.height * part),
            location: cardSize.center
        )
    }
}

/// Something that takes effect at a time of its own.
struct Scheduled: Sendable, Hashable {
    enum Effect: Sendable, Hashable {
        /// The card after a swiped one has moved into place.
        case arrived(swiped: Int, Direction, isRedo: Bool, looped: Bool)
        /// A reverted card is back.
        case rewound
        /// Another card has come to the front without a verdict.
        case shown
        /// The appear animation is over.
        case appeared
    }

    var time: Instant
    var effect: Effect
}

/// A command that waits for the deck to come to rest.
struct WaitingCommand: Sendable, Hashable {
    var command: Command
    /// When it was accepted, which is the time of its verdicts.
    var acceptedAt: Instant
}
