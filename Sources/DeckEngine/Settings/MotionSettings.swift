/// How cards move, turn and shrink, and for how long.
public struct MotionSettings: Sendable, Hashable {
    /// How a dragged card follows the finger.
    public var tracking = Tracking.finger
    /// The largest part of its width by which a drag turns and shrinks a card.
    public var rotationMax = 1.0
    /// How far a card turns when it was dragged by its whole width.
    public var rotationAngle = Radians(.pi / 10)
    /// The size a card shrinks to when it was dragged by its whole width. Above 1 it is the size of a card while a
    /// finger holds it; the card grows further beyond that distance (Koloda 5.0.1).
    public var scaleMin = 0.8
    /// How long a swiped card takes to leave, and how long the appear animation waits.
    public var dragSpeed = Milliseconds(800)
    /// How long the cards behind take to move to their next place.
    public var backgroundDuration = Milliseconds(200)
    /// Whether a new deck grows into view on reload and reset.
    public var appear = true
    /// The duration of the appear animation after its wait.
    public var appearDuration = Milliseconds(800)
    /// How long a reverted card takes to fly back from a direction.
    public var revertDuration = Milliseconds(300)
    /// How long a reverted card takes to fade in where no direction is given.
    public var revertFadeDuration = Milliseconds(1000)
    /// The spring a released card returns on; nil: `resetDuration`, with `resetEasing`.
    public var resetSpring: SpringSettings? = SpringSettings(bounciness: 10, speed: 20)
    /// How long a released card takes to turn upright, and the cards behind to go back.
    public var resetDuration = Milliseconds(200)
    /// The curve on which a released card turns upright and, without a spring, returns.
    public var resetEasing = Curve.ease
    /// The spring the cards behind move to their next place on; nil: `backgroundDuration`, with CSS `ease`.
    public var backgroundSpring: SpringSettings?
    /// Whether the cards behind follow the drag.
    public var moveBackground = true
    /// Whether a flung card leaves at the finger's speed if that is faster than `dragSpeed`.
    public var exitFollowsFling = true
    /// Whether a card that was swiped by hand leaves along the finger's path instead of to its direction's exit.
    public var exitFollowsFinger = false
    /// How long a card takes to turn over.
    public var flipDuration = Milliseconds(400)
    /// The spring that a scrolled layout comes to rest on.
    public var snapSpring = SpringSettings(bounciness: 4, speed: 12)
    /// Whether only a finger moves cards: they fade instead of flying, turning and growing.
    public var reduced = false

    /// The motion of preset `standard`.
    public init() {}
}

extension MotionSettings: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: MotionSettings
    ) throws(Visitor.Failure) {
        try visitor.choice("tracking", &tracking, base.tracking)
        try visitor.number("rotationMax", &rotationMax, base.rotationMax, in: 0...100)
        try visitor.angle("rotationAngle", &rotationAngle, base.rotationAngle, in: -100...100)
        try visitor.number("scaleMin", &scaleMin, base.scaleMin, in: 0...4)
        try visitor.duration("dragSpeed", &dragSpeed, base.dragSpeed)
        try visitor.duration("backgroundDuration", &backgroundDuration, base.backgroundDuration)
        try visitor.flag("appear", &appear, base.appear)
        try visitor.duration("appearDuration", &appearDuration, base.appearDuration)
        try visitor.duration("revertDuration", &revertDuration, base.revertDuration)
        try visitor.duration("revertFadeDuration", &revertFadeDuration, base.revertFadeDuration)
        try visitor.optionalSpring(
            "resetSpring",
            &resetSpring,
            base.resetSpring,
            startingFrom: SpringSettings(bounciness: 10, speed: 20)
        )
        try visitor.duration("resetDuration", &resetDuration, base.resetDuration)
        try visitor.curve("resetEasing", &resetEasing, base.resetEasing)
        // A deck without a spring starts from the numbers of Koloda's second sample.
        try visitor.optionalSpring(
            "backgroundSpring",
            &backgroundSpring,
            base.backgroundSpring,
            startingFrom: SpringSettings(bounciness: 9, speed: 16)
        )
        try visitor.flag("moveBackground", &moveBackground, base.moveBackground)
        try visitor.flag("exitFollowsFling", &exitFollowsFling, base.exitFollowsFling)
        try visitor.flag("exitFollowsFinger", &exitFollowsFinger, base.exitFollowsFinger)
        try visitor.duration("flipDuration", &flipDuration, base.flipDuration)
        try visitor.spring("snapSpring", &snapSpring, base.snapSpring)
        try visitor.flag("reduced", &reduced, base.reduced)
    }
}

/// How a dragged card follows the finger.
public enum Tracking: UInt8, NamedChoice {
    /// The touched point stays under the finger, and half the card's own size is the whole way.
    case finger = 0
    /// As in Koloda 5.0.1: the finger's translation is turned and scaled with the card, and half the box around the
    /// drawn card is the whole way.
    case koloda = 1

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .finger: "finger"
        case .koloda: "koloda"
        }
    }
}
