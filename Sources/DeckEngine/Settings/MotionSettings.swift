/// How cards move, turn and shrink, and how long that takes.
public struct MotionSettings: Sendable, Hashable {
    /// What a dragged card does with the finger's way.
    public var tracking = Tracking.finger
    /// The largest part of its width by which a drag turns and shrinks a card.
    public var rotationMax = 1.0
    /// How far a card turns when it was dragged by its whole width.
    public var rotationAngle = Radians(.pi / 10)
    /// The size a card shrinks to when it was dragged by its whole width.
    public var scaleMin = 0.8
    /// How long a swiped card takes to leave, and how long the appear animation waits.
    public var dragSpeed = Milliseconds(800)
    /// How long the cards behind take to their next place.
    public var backgroundDuration = Milliseconds(200)
    /// Whether a new deck grows into view on reload and reset.
    public var appear = true
    /// How long that takes after its wait.
    public var appearDuration = Milliseconds(800)
    /// How long a reverted card takes to fly back from a direction.
    public var revertDuration = Milliseconds(300)
    /// How long a reverted card takes to fade in where no direction is given.
    public var revertFadeDuration = Milliseconds(1000)
    /// The spring a released card returns on.
    public var resetSpring = SpringSettings(bounciness: 10, speed: 20)
    /// How long a released card takes to turn upright, and the cards behind to go back.
    public var resetDuration = Milliseconds(200)
    /// The spring the cards behind move to their next place on; nil: `backgroundDuration`, with CSS `ease`.
    public var backgroundSpring: SpringSettings?
    /// Whether the cards behind follow the drag.
    public var moveBackground = true
    /// Whether a card that was flung leaves as fast as the finger was, if that is faster than `dragSpeed`.
    public var exitFollowsFling = true
    /// The spring that a scrolled layout comes to rest on.
    public var snapSpring = SpringSettings(bounciness: 4, speed: 12)
    /// Whether nothing moves that the finger does not move: cards fade instead of flying, turning and growing.
    public var reduced = false

    /// The motion of preset `standard`.
    public init() {}
}

/// What a dragged card does with the finger's way.
public enum Tracking: UInt8, Sendable, Hashable, CaseIterable {
    /// The touched point stays under the finger, and half the card's own size is the whole way.
    case finger
    /// As Koloda 5.0.1: the finger's way is turned and scaled with the card, and half the box around the drawn card is
    /// the whole way.
    case koloda
}
