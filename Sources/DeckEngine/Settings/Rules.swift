/// What a deck allows and when a drag is a swipe.
public struct Rules: Sendable, Hashable {
    /// The directions a card can be dragged to a verdict in; a tie between two goes to the first. Empty: none.
    public var allowedDirections: Directions = [.left, .right]
    /// Directions a card follows the finger in but is refused at release.
    public var deniedDirections: Directions = []
    /// The directions a finger can move a card in at all; nil: every one. A card stays where the finger goes elsewhere.
    public var dragDirections: Directions?
    /// The axis a finger can move a card along.
    public var dragAxis = DragAxis.free
    /// Whether a finger can take the front card.
    public var draggable = true
    /// The part of the way from the card's centre to its edge at which a release swipes; 1 is half a card.
    public var swipeThreshold = 0.5
    /// Thresholds of single directions, in place of `swipeThreshold`.
    public var swipeThresholds = PerDirection<Double>()
    /// The speed towards the direction at which a release swipes however short the way, points per second; nil: never.
    public var velocityThreshold: Double? = 750
    /// Whether a release beyond the threshold goes back if the finger was moving away as fast as a fling.
    public var pullBackCancels = true
    /// What becomes of a command that comes while the deck still moves.
    public var whileAnimating = BusyPolicy.proceed
    /// A notification asks for more cards when no more than this many are left.
    public var refillAt = 3

    /// The rules of preset `standard`.
    public init() {}

    /// The part of the way at which a release in a direction swipes.
    func threshold(_ direction: Direction) -> Double {
        swipeThresholds[direction] ?? swipeThreshold
    }
}

/// The axis a finger can move a card along.
public enum DragAxis: UInt8, Sendable, Hashable, CaseIterable {
    /// Both.
    case free
    /// Left and right only.
    case horizontal
    /// Up and down only.
    case vertical
    /// The one along which the finger is farther from where it went down.
    case dominant
}

/// What becomes of a command that comes while the deck still moves.
public enum BusyPolicy: UInt8, Sendable, Hashable, CaseIterable {
    /// It starts at once, from what is on the screen.
    case proceed
    /// It takes effect when the deck has come to rest.
    case queue
    /// It is refused with the reason `animating`, as Koloda drops it.
    case ignore
}
