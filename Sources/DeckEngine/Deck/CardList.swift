/// The cards of a deck, in order. Copies share their storage.
public enum CardList: Sendable, Hashable {
    /// So many cards, named "0", "1" and so on, without content.
    case numbered(Int)
    /// These cards.
    case listed([Card])

    /// How many cards there are.
    public var count: Int {
        switch self {
        case .numbered(let count): count
        case .listed(let cards): cards.count
        }
    }

    /// The card at `index`, which is within 0..<`count`.
    public subscript(index: Int) -> Card {
        switch self {
        case .numbered: Card(id: String(index))
        case .listed(let cards): cards[index]
        }
    }

    /// Whether the cards are so few that they can be put in another order.
    var isRearrangeable: Bool {
        count <= EngineLimits.rearrangeableCards
    }

    /// Every card, written out.
    private var cards: [Card] {
        switch self {
        case .numbered(let count): (0..<count).map { Card(id: String($0)) }
        case .listed(let cards): cards
        }
    }

    /// Puts `other` before the card at `index`, or at the end. Numbered cards go on counting.
    mutating func insert(_ other: CardList, at index: Int) {
        switch (self, other) {
        case (.numbered(let count), .numbered(let more)) where index == count:
            self = .numbered(count + more)
        case (_, .numbered(let more)):
            let names = newNames(more)
            change { $0.insert(contentsOf: names.map(Card.init), at: index) }
        case (_, .listed(let more)):
            change { $0.insert(contentsOf: more, at: index) }
        }
    }

    /// So many names that go on from the highest number there is, so that none is given twice. A number that no counting
    /// gets to is a name like any other.
    private func newNames(_ count: Int) -> [String] {
        let taken = Set(cards.map(\.id))
        let highest = taken.lazy.compactMap { Int($0) }.filter { $0 < EngineLimits.cards }.max() ?? -1
        var names: [String] = []
        var number = highest
        while names.count < count {
            number += 1
            if !taken.contains(String(number)) { names.append(String(number)) }
        }
        return names
    }

    mutating func remove(_ range: Range<Int>) {
        change { $0.removeSubrange(range) }
    }

    /// Moves a card to where it has the index `target` afterwards.
    mutating func move(from index: Int, to target: Int) {
        change { $0.insert($0.remove(at: index), at: target) }
    }

    /// Puts the cards from `start` on in an order that depends on the seed alone.
    ///
    /// - Returns: for each of these places, the index of the card that was put there.
    mutating func shuffle(from start: Int, seed: UInt64) -> [Int] {
        var order = Array(start..<count)
        var generator = SplitMix64(seed: seed)
        for place in order.indices.dropLast() {
            order.swapAt(place, place + generator.next(below: order.count - place))
        }
        let former = cards
        change { cards in
            for (place, index) in order.enumerated() { cards[start + place] = former[index] }
        }
        return order
    }

    /// Replaces cards of `range` by those of the same names in `other`; one that is not there stays.
    mutating func refresh(_ range: Range<Int>, from other: CardList) {
        guard case .listed(let fresh) = other else { return }
        var byName: [String: Card] = [:]
        for card in fresh { byName[card.id] = card }
        change { cards in
            for index in range { cards[index] = byName[cards[index].id] ?? cards[index] }
        }
    }

    /// Changes the list in its own storage where nobody else has it.
    private mutating func change(_ body: (inout [Card]) -> Void) {
        var cards = cards
        self = .numbered(0)
        body(&cards)
        self = .listed(cards)
    }
}

/// Sebastiano Vigna's SplitMix64: the same numbers from the same seed on every machine.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of 0..<`bound`, the high half of a product, so near to even that no deck can tell.
    mutating func next(below bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
