import DeckWire

/// A deck and its revision.
struct KnownDeck: Sendable {
    var document: DeckDocument
    /// Grows with each change, so that a client can see whether it has the latest version.
    var revision: Int

    var entityTag: String { "\"\(revision)\"" }
}

/// A cache of parsed decks, so that a deck is not parsed for every session.
struct DeckCache: Sendable {
    /// The maximum number of decks.
    static let capacity = 256

    /// A deck, and when the read of it began.
    struct Entry: Sendable {
        var deck: KnownDeck
        var readAt: ContinuousClock.Instant
    }

    private var decks: [String: Entry] = [:]
    /// Grows with each change, so that a deck that was read before a change is not stored after it.
    private(set) var generation = 0

    subscript(_ id: String) -> Entry? {
        decks[id]
    }

    /// Stores a deck, if the generation is still that at which it was read.
    mutating func add(_ deck: KnownDeck, as id: String, readIn generation: Int, at start: ContinuousClock.Instant) {
        guard generation == self.generation else { return }
        // It does not matter which deck is removed: it is parsed again when it is needed.
        if decks.count >= Self.capacity, let other = decks.keys.first { decks[other] = nil }
        decks[id] = Entry(deck: deck, readAt: start)
    }

    /// Removes all decks from memory.
    mutating func removeAll() {
        generation += 1
        decks = [:]
    }

    /// Removes a deck from memory that was changed or removed.
    mutating func remove(_ id: String) {
        generation += 1
        decks[id] = nil
    }
}
