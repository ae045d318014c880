/// What a card is known by inside a session, wherever it is in the deck.
///
/// It survives every change of the order and every reload that still has a card of the same id, and it is never given to
/// another card. Indices are derived from it.
struct CardIdentity: Sendable, Hashable {
    /// The number of cards that had come before it.
    let number: UInt32

    init(_ number: UInt32) {
        self.number = number
    }
}
