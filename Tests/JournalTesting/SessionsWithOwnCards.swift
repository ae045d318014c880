package import DeckJournal

/// Sessions of equal cards that were stored for each of them, as formats did in which sessions do not share cards.
package struct SessionsWithOwnCards {
    private static let deck = [UInt8](repeating: 1, count: 600_000)
    private static let edited = StoredCards(base: deck, edits: [[7]])
    private static let unedited = StoredCards(base: deck)

    private let heads: [String: Revision]
    /// The cards that each session must have.
    package private(set) var cards: [String: StoredCards]

    /// Creates the sessions. The test gives the journal its former format then.
    package init(in journal: some Journal) async throws {
        var heads: [String: Revision] = [:]
        for id in ["a", "b", "c"] {
            let first = try await journal.created(.sample(id, cards: Self.deck))
            var entry = Entry.sample(id, 2)
            entry.cards = .edited([7])
            heads[id] = try await journal.appended(entry, to: id, after: first)
        }
        self.heads = heads
        cards = heads.mapValues { _ in Self.edited }
    }

    /// Creates a session, whose base the former ones do not share.
    package mutating func addOne(to journal: some Journal) async throws {
        try await journal.created(.sample("d", cards: Self.deck))
        cards["d"] = Self.unedited
    }

    /// Replaces the cards of a session by equal ones, and ends another.
    package mutating func change(in journal: some Journal) async throws {
        guard let head = heads["a"] else { return }
        var entry = Entry.sample("a", 3)
        entry.cards = .replaced(Self.deck)
        try await journal.appended(entry, to: "a", after: head)
        cards["a"] = Self.unedited
        _ = try await journal.ended("b")
        cards["b"] = nil
    }
}
