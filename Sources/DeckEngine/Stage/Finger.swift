/// A finger on the front card.
struct Finger: Sendable, Hashable {
    /// The card that it took.
    var card: CardIdentity
    /// The finger's displacement, as far as the card follows it.
    var translation = Vector.zero
    /// Where it went down, in the card's own coordinates.
    var location: Vector
    /// The direction that a release would swipe in by its distance alone; nil below the threshold.
    var pastThreshold: Direction?
    /// Where a carousel was when the finger went down, and the number that it goes back to if the finger decides nothing.
    var startOffset = 0.0
    var startNumber = 0
}

/// The effect of a finger, or of a hint, on the cards at one time.
struct Lean: Sendable {
    var location: Vector
    var transform: DragTransform
    var reading: DragReading
}

/// A hint: the front card leans in a direction and comes back, as if a finger did it.
struct Nudge: Sendable, Hashable {
    /// The part of the way to the card's edge that it goes.
    static let reach = 0.2
    static let duration = Milliseconds(600)

    var direction: Direction
    var start: Instant

    var end: Instant {
        start + min(Self.duration, Instant.last - start)
    }

    /// The part of the way to the card's edge at a time; 0 before it begins and after it has ended.
    func progress(at time: Instant) -> Double {
        guard time > start, time < end else { return 0 }
        let sine = sineAndCosine(Radians(.pi * (time - start).value / Self.duration.value)).sine
        return Self.reach * sine * sine
    }

    /// The effect on the cards when the front one has gone a part of the way; nil for none.
    func lean(progress: Double, in scene: Scene) -> Lean? {
        guard progress > 0 else { return nil }
        let cardSize = scene.slot(0).size
        let point = direction.point
        let way = Vector(x: point.x * cardSize.width * progress / 2, y: point.y * cardSize.height * progress / 2)
        var motion = scene.motion
        // A hint has no finger whose way could be turned with the card.
        motion.tracking = .finger
        // Above 1 a card has its size as soon as it is touched, and a hint does not touch it.
        motion.scaleMin = min(motion.scaleMin, 1)
        let location = cardSize.center
        return Lean(
            location: location,
            transform: DragTransform(translation: way, location: location, cardSize: cardSize, motion: motion),
            reading: DragReading(direction: direction, progress: progress)
        )
    }
}

/// A swipe that waits until it is confirmed or denied.
struct PendingSwipe: Sendable, Hashable {
    var direction: Direction
    var cause: SwipeCause
    /// The state of the drag when the card was released; nil after a swipe by call.
    var hold: Finger?
    var since: Instant
    /// When it is denied unless it is decided.
    var until: Instant
}

/// The cause of a swipe.
enum SwipeCause: Sendable, Hashable {
    /// A finger released it with this velocity.
    case byHand(velocity: Vector?)
    /// A command.
    case byCall(SwipeOptions)
    /// A reverted swipe was redone.
    case redo

    var isByHand: Bool {
        if case .byHand = self { true } else { false }
    }

    var isRedo: Bool {
        self == .redo
    }

    var options: SwipeOptions {
        if case .byCall(let options) = self { options } else { SwipeOptions() }
    }
}
