/// A hint: the front card leans in a direction and comes back, as if a finger did it.
struct Nudge: Sendable, Hashable {
    /// The part of the way to the card's edge that it goes.
    static let reach = 0.2
    static let duration = Milliseconds(600)

    var direction: Direction
    var start: Instant

    var end: Instant {
        start.later(by: Self.duration)
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
        let cardSize = scene.rect(ofSlot: 0).size
        let point = direction.point
        let way = Vector(x: point.x * cardSize.width * progress / 2, y: point.y * cardSize.height * progress / 2)
        var motion = scene.settings.motion
        // A hint has no finger whose way could be turned with the card.
        motion.tracking = .finger
        // Above 1 a card has its size as soon as it is touched, and a hint does not touch it.
        motion.scaleMin = min(motion.scaleMin, 1)
        let location = cardSize.center
        return Lean(
            cardSize: cardSize,
            location: location,
            transform: DragTransform(translation: way, location: location, cardSize: cardSize, motion: motion),
            reading: DragReading(direction: direction, progress: progress)
        )
    }
}
