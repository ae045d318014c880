/// A card in a slot of a stack.
struct PlacedCard: Sendable, Hashable {
    var card: CardIdentity
    var motion: CardMotion
}
