import DeckWire

/// A deck that was put, with the number of its putting.
struct KnownDeck: Sendable {
    var document: DeckDocument
    /// Grows with each change, so that a client can tell whether it knows the latest.
    var revision: Int

    var entityTag: String { "\"\(revision)\"" }
}

/// Decks that were read or put lately, so that each is parsed once and not for every session.
struct DeckCache: Sendable {
    /// How many are kept.
    static let capacity = 256

    private var decks: [String: KnownDeck] = [:]
    /// Grows with each change, so that what was read before one is not taken for what is there after it.
    private(set) var generation = 0

    subscript(_ id: String) -> KnownDeck? {
        decks[id]
    }

    /// Takes a deck that was read while the generation was this.
    mutating func add(_ deck: KnownDeck, as id: String, readIn generation: Int) {
        guard generation == self.generation else { return }
        // Which one goes does not matter: it is parsed again when it is asked for.
        if decks.count >= Self.capacity, let other = decks.keys.first { decks[other] = nil }
        decks[id] = deck
    }

    /// Forgets all decks.
    mutating func removeAll() {
        generation += 1
        decks = [:]
    }

    /// Forgets a deck that has changed or is gone.
    mutating func remove(_ id: String) {
        generation += 1
        decks[id] = nil
    }
}
