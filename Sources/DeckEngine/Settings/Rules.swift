/// What a deck allows and when a drag is a swipe.
public struct Rules: Sendable, Hashable {
    /// The directions a card can be dragged to a verdict in; a tie between two goes to the first. Empty: none.
    public var allowedDirections: Directions = [.left, .right]
    /// Directions a card follows the finger in but is refused at release.
    public var deniedDirections: Directions = []
    /// Whether a finger can take the front card.
    public var draggable = true
    /// The part of the way from the card's centre to its edge at which a release swipes; 1 is half a card.
    public var swipeThreshold = 0.5
    /// The speed towards the direction at which a release swipes however short the way, points per second; nil: never.
    public var velocityThreshold: Double? = 750
    /// What becomes of a command that comes while the deck still moves.
    public var whileAnimating = BusyPolicy.proceed
    /// A notification asks for more cards when no more than this many are left.
    public var refillAt = 3

    /// The rules of preset `standard`.
    public init() {}
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
