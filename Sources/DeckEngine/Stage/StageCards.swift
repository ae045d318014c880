/// A card in a slot of a stack.
struct PlacedCard: Sendable, Hashable {
    var card: CardIdentity
    var motion: CardMotion
}

/// A card that has no slot any more, on its way out of sight.
struct LeavingCard: Sendable, Hashable {
    var card: CardIdentity
    /// Its index when it left, for when the deck does not have it any more.
    var lastIndex: Int
    /// Its id and directions when it left, for the same case.
    var id: String
    var allowedDirections: Directions
    var motion: CardMotion
    /// The deck's growing into view, if the card left in the midst of it.
    var appear: AppearAnimation?
    /// Koloda stays busy until a card that was swiped by call is gone, but not for one that was swiped by hand.
    var isSwipedByCall: Bool
    /// When it is out of sight. A rectangle that still swings on a spring then does not keep it.
    var end: Instant
}
