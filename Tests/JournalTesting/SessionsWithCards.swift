package import DeckJournal
import RandomTesting

/// Sessions of which many have equal cards. They are created, changed and ended at random.
package struct SessionsWithCards {
    private static let decks = (0..<4).map { [UInt8](repeating: UInt8($0), count: 1 + $0 * 200_000) }

    private struct Session {
        var cards: StoredCards
        var head: Revision
        var version: Int
    }

    private var sessions: [String: Session] = [:]
    private var random: SeededNumbers
    private var step = 0

    package init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
    }

    /// The cards that each session must have.
    package var cards: [String: StoredCards] { sessions.mapValues(\.cards) }

    /// How many sessions have each base.
    package var sessionCounts: [[UInt8]: Int] {
        Dictionary(grouping: sessions.values, by: \.cards.base).mapValues(\.count)
    }

    package mutating func play(_ steps: Int, on journal: some Journal) async throws {
        for _ in 0..<steps {
            step += 1
            if sessions.isEmpty || random.chance(0.4) {
                try await create(on: journal)
            } else {
                let id = random.pick(sessions.keys.sorted())
                if random.chance(0.4) {
                    _ = try await journal.ended(id)
                    sessions[id] = nil
                } else {
                    try await change(id, on: journal)
                }
            }
        }
    }

    private mutating func create(on journal: some Journal) async throws {
        let deck = random.pick(Self.decks)
        let head = try await journal.created(.sample("\(step)", cards: deck))
        sessions["\(step)"] = Session(cards: StoredCards(base: deck), head: head, version: 1)
    }

    private mutating func change(_ id: String, on journal: some Journal) async throws {
        guard var session = sessions[id] else { return }
        session.version += 1
        var entry = Entry.sample(id, session.version)
        if random.chance(0.5) {
            let deck = random.pick(Self.decks)
            entry.cards = .replaced(deck)
            session.cards = StoredCards(base: deck)
        } else {
            let edit = [UInt8(step % 256)]
            entry.cards = .edited(edit)
            session.cards.edits.append(edit)
        }
        session.head = try await journal.appended(entry, to: id, after: session.head)
        sessions[id] = session
    }
}
