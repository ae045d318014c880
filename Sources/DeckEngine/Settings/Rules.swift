/// What a deck allows and when a drag is a swipe.
public struct Rules: Sendable, Hashable {
    /// The directions a card can be dragged to a verdict in; a tie between two goes to the first. Empty: none.
    public var allowedDirections: Directions = [.left, .right]
    /// Directions in which a card follows the finger and is refused at release.
    public var deniedDirections: Directions = []
    /// The directions a finger can move a card in at all; nil: all. In other directions the card does not move.
    public var dragDirections: Directions?
    /// The axis a finger can move a card along.
    public var dragAxis = DragAxis.free
    /// Whether a finger can take the front card.
    public var draggable = true
    /// The part of the way from the card's centre to its edge at which a release swipes; 1 is half a card.
    public var swipeThreshold = 0.5
    /// Thresholds of single directions, in place of `swipeThreshold`.
    public var swipeThresholds = PerDirection<Double>()
    /// The speed towards the direction at which a release swipes at any distance, points per second; nil: never.
    public var velocityThreshold: Double? = 750
    /// Whether a release beyond the threshold goes back if the finger was moving away as fast as a fling.
    public var pullBackCancels = true
    /// How a command is handled while the deck still moves.
    public var whileAnimating = BusyPolicy.proceed
    /// The number of remaining cards at which a notification requests more.
    public var refillAt = 3
    /// The directions that drags point in, by angle. Empty: the nearest allowed direction, as in Koloda.
    public var sectors: [Sector] = []
    /// Directions in which a swipe waits until it is confirmed or denied.
    public var confirm: Directions = []
    /// How long such a swipe waits before it is denied.
    public var confirmTimeout = Milliseconds(10_000)
    /// Directions in which a release reverts the last swipe.
    public var undoDirections: Directions = []
    /// The events that a player may send.
    public var playerEvents = PlayerEvents.all
    /// The number of cards behind those that are shown whose content a player may read.
    public var lookahead = 3

    /// The rules of preset `standard`.
    public init() {}

    /// The part of the way at which a release in a direction swipes.
    func threshold(_ direction: Direction) -> Double {
        swipeThresholds[direction] ?? swipeThreshold
    }
}

extension Rules: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: Rules
    ) throws(Visitor.Failure) {
        try visitor.directions("allowedDirections", &allowedDirections, base.allowedDirections)
        try visitor.directions("deniedDirections", &deniedDirections, base.deniedDirections)
        try visitor.optionalDirections("dragDirections", &dragDirections, base.dragDirections)
        try visitor.choice("dragAxis", &dragAxis, base.dragAxis)
        try visitor.flag("draggable", &draggable, base.draggable)
        try visitor.number("swipeThreshold", &swipeThreshold, base.swipeThreshold, in: SettingLimits.thresholds)
        try visitor.numbers("swipeThresholds", &swipeThresholds, base.swipeThresholds, in: SettingLimits.thresholds)
        try visitor.optionalNumber(
            "velocityThreshold",
            &velocityThreshold,
            base.velocityThreshold,
            in: SettingLimits.velocities
        )
        try visitor.flag("pullBackCancels", &pullBackCancels, base.pullBackCancels)
        try visitor.choice("whileAnimating", &whileAnimating, base.whileAnimating)
        try visitor.integer("refillAt", &refillAt, base.refillAt, in: 0...EngineLimits.cards)
        try visitor.sectors("sectors", &sectors, base.sectors)
        try visitor.directions("confirm", &confirm, base.confirm)
        try visitor.number(
            "confirmTimeout",
            &confirmTimeout.value,
            base.confirmTimeout.value,
            in: SettingLimits.confirmTimeouts
        )
        try visitor.directions("undoDirections", &undoDirections, base.undoDirections)
        try visitor.playerEvents("playerEvents", &playerEvents, base.playerEvents)
        try visitor.integer("lookahead", &lookahead, base.lookahead, in: SettingLimits.lookahead)
    }
}

/// The axis a finger can move a card along.
public enum DragAxis: UInt8, NamedChoice {
    /// Both.
    case free = 0
    /// Left and right only.
    case horizontal = 1
    /// Up and down only.
    case vertical = 2
    /// The one along which the finger is farther from where it went down.
    case dominant = 3

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .free: "free"
        case .horizontal: "horizontal"
        case .vertical: "vertical"
        case .dominant: "dominant"
        }
    }
}

/// How a command is handled while the deck still moves.
public enum BusyPolicy: UInt8, NamedChoice {
    /// It starts at once, from what is on the screen.
    case proceed = 0
    /// It takes effect when the deck has come to rest.
    case queue = 1
    /// It is refused with the reason `animating`. Koloda drops it.
    case ignore = 2

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .proceed: "proceed"
        case .queue: "queue"
        case .ignore: "ignore"
        }
    }
}
