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
    /// How many times decks were removed because of changes, so that a deck that was read before a change is not stored after it.
    private(set) var removalCount = 0

    subscript(_ id: String) -> Entry? {
        decks[id]
    }

    /// Stores a deck, unless one was removed since its read began.
    mutating func add(_ deck: KnownDeck, as id: String, readAfter removals: Int, at start: ContinuousClock.Instant) {
        guard removals == removalCount else { return }
        // It does not matter which deck is removed: it is parsed again when it is needed.
        if decks.count >= Self.capacity, let other = decks.keys.first { decks[other] = nil }
        decks[id] = Entry(deck: deck, readAt: start)
    }

    /// Removes all decks from memory.
    mutating func removeAll() {
        removalCount += 1
        decks = [:]
    }

    /// Removes a deck from memory that was changed or removed.
    mutating func remove(_ id: String) {
        removalCount += 1
        decks[id] = nil
    }
}
