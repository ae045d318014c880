import DeckWire

/// A deck and its revision.
struct KnownDeck: Sendable {
    var document: DeckDocument
    /// Grows with each change, so that a client can see whether it has the latest version.
    var revision: Int

    var entityTag: String { "\"\(revision)\"" }
}
