import DeckEngine

/// The cards of a deck in order: a count, or a list.
struct ReferenceRow: Equatable {
    private var number: Int
    private var written: [ModelCard]?

    init(counting number: Int) {
        self.number = number
    }

    init(_ cards: [ModelCard]) {
        number = 0
        written = cards
    }

    /// Whether the cards are counted.
    var isCounted: Bool { written == nil }

    var count: Int { written?.count ?? number }

    subscript(index: Int) -> ModelCard {
        written?[index] ?? ModelCard(name: String(index), trait: .plain)
    }

    var cards: [ModelCard] {
        written ?? (0..<number).map { self[$0] }
    }

    func index(of name: String) -> Int? {
        if let written { return written.firstIndex { $0.name == name } }
        return Int(name).flatMap { (0..<number).contains($0) && String($0) == name ? $0 : nil }
    }

    /// The cards in the engine's form.
    var list: CardList {
        written.map { .listed($0.map(\.card)) } ?? .numbered(number)
    }

    mutating func change(_ body: (inout [ModelCard]) -> Void) {
        var cards = cards
        written = nil
        body(&cards)
        written = cards
    }

    /// Appends counted cards. A queued command may have written the cards out in the meantime.
    ///
    /// - Parameter first: the number of the first new card.
    mutating func countOn(_ more: Int, from first: Int) {
        guard written != nil else {
            number += more
            return
        }
        change { $0 += (first..<first + more).map { ModelCard(name: String($0), trait: .plain) } }
    }
}
