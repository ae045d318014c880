/// A card in a slot of a stack.
struct PlacedCard: Sendable, Hashable {
    var card: CardIdentity
    var motion: CardMotion
}

/// A card without a slot, on its way out of sight.
struct LeavingCard: Sendable, Hashable {
    var card: CardIdentity
    /// Its index when it left, in case it is no longer in the deck.
    var lastIndex: Int
    /// Its id and directions when it left, in the same case.
    var id: String
    var allowedDirections: Directions
    var motion: CardMotion
    /// The appear animation, if the card left during it.
    var appear: AppearAnimation?
    /// Koloda stays busy until a card that was swiped by call is gone, but not for one that was swiped by hand.
    var isSwipedByCall: Bool
    /// When it is out of sight. A rectangle that still swings on a spring does not extend this.
    var end: Instant
}
