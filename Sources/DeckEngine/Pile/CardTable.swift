/// The cards of a session: their contents, their order and their identities.
///
/// Every id is unique, and a counted id is never reused.
struct CardTable: Sendable, Hashable {
    var list: CardList
    var order: CardOrder
    #if !hasFeature(Embedded)
    /// The next counted id. Ids below it may have been used before.
    var nextNumber: Int
    #endif

    init(_ list: CardList) {
        self.list = list
        order = CardOrder(count: list.count)
        #if !hasFeature(Embedded)
        nextNumber = if case .numbered(let count) = list { count } else { 0 }
        #endif
    }

    var count: Int {
        list.count
    }

    /// Whether the deck is small enough to be rearranged.
    var isRearrangeable: Bool {
        count <= EngineLimits.rearrangeableCards
    }

    func identity(at index: Int) -> CardIdentity {
        order.identity(at: index)
    }

    func index(of card: CardIdentity) -> Int? {
        order.index(of: card)
    }

    // MARK: Changes of the order

    mutating func remove(_ range: Range<Int>) {
        #if !hasFeature(Embedded)
        nextNumber = numberAfterAll
        #endif
        edit { $0.removeSubrange(range) }
        order.rearrange { index in
            range.contains(index) ? nil : index >= range.upperBound ? index - range.count : index
        }
    }

    /// Moves a card so that it has the index `target` afterwards.
    mutating func move(from index: Int, to target: Int) {
        edit { $0.insert($0.remove(at: index), at: target) }
        order.rearrange { former in
            if former == index { return target }
            if index < target { return (index + 1...target).contains(former) ? former - 1 : former }
            return (target..<index).contains(former) ? former + 1 : former
        }
    }

    /// Shuffles the cards from `start` on. The order depends only on the seed (Fisher and Yates, with SplitMix64).
    mutating func shuffle(from start: Int, seed: UInt64) {
        var source = Array(start..<count)
        var generator = SplitMix64(seed: seed)
        for position in source.indices.dropLast() {
            source.swapAt(position, position + generator.next(below: source.count - position))
        }
        let former = list.cards
        edit { cards in
            for (position, index) in source.enumerated() { cards[start + position] = former[index] }
        }
        var newIndex = [Int](repeating: 0, count: source.count)
        for (position, index) in source.enumerated() { newIndex[index - start] = start + position }
        order.rearrange { $0 >= start ? newIndex[$0 - start] : $0 }
    }

    /// Changes the array in place if no copy shares its storage.
    mutating func edit(_ body: (inout [Card]) -> Void) {
        var cards = list.cards
        list = .numbered(0)
        body(&cards)
        list = .listed(cards)
    }
}
