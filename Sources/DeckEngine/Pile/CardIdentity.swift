/// A card's identity inside a session, independent of its index.
///
/// It survives every change of the order, and every reload with a card of the same id, and it is never reused for
/// another card. Indices are derived from it.
struct CardIdentity: Sendable, Hashable {
    /// How many cards the session had before this one.
    let number: UInt32

    init(_ number: UInt32) {
        self.number = number
    }
}
