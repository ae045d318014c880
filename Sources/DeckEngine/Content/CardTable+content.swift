// Changes of a table that need the ids of cards. Only the server makes them.
extension CardTable {
    /// Why cards cannot be inserted at an index; nil: they can.
    func refusal(inserting cards: CardList, at index: Int) -> Refusal? {
        guard (0...count).contains(index) else { return .indexOutOfRange }
        guard count + cards.count <= EngineLimits.cards, order.hasRoom(for: cards.count) else { return .tooManyCards }
        if case .numbered(let added) = cards, numberAfterAll + added > EngineLimits.countedIDs { return .tooManyCards }
        if case (.numbered, .numbered) = (list, cards), index == count, isCountedThrough { return nil }
        guard count + cards.count <= EngineLimits.rearrangeableCards else { return .tooManyCards }
        guard case .listed(let new) = cards else { return nil }
        let ids = Set(new.map { $0.id })
        let isTaken = (0..<count).contains { ids.contains(list[$0].id) }
        return isTaken || ids.count < new.count ? .duplicateID : nil
    }

    /// Why the cards cannot be replaced by those of a reloaded deck; nil: they can. Any of these can be new.
    func refusal(reloading new: CardList) -> Refusal? {
        order.hasRoom(for: new.count) ? nil : .tooManyCards
    }

    /// Whether there is room for cards of any ids at an index.
    func canInsert(_ added: Int, at index: Int) -> Bool {
        (0...count).contains(index) && count + added <= EngineLimits.rearrangeableCards && order.hasRoom(for: added)
    }

    /// Inserts cards that are not refused before the card at `index`, or at the end. Counted ids continue above every
    /// one that was used before.
    mutating func insert(_ cards: CardList, at index: Int) {
        // A counted list stays counted if nothing is inserted.
        guard cards.count > 0 else { return }
        switch (list, cards) {
        case (.numbered(let count), .numbered(let added)) where index == count && isCountedThrough:
            list = .numbered(count + added)
            nextNumber += added
            order.append(added)
        case (_, .numbered(let added)):
            let first = numberAfterAll
            nextNumber = first + added
            insert((first..<first + added).map { Card(id: CardID($0)) }, at: index)
        case (_, .listed(let added)):
            insert(added, at: index)
        }
    }

    private mutating func insert(_ added: [Card], at index: Int) {
        let count = added.count
        edit { $0.insert(contentsOf: added, at: index) }
        order.rearrange(adding: index..<index + count) { $0 >= index ? $0 + count : $0 }
    }

    /// Whether appending counted cards keeps the list counted.
    private var isCountedThrough: Bool {
        if case .numbered(let count) = list { nextNumber == count } else { false }
    }

    /// The first counted id above every counted id that is or was in the deck. A number beyond the counted range is an
    /// ordinary id.
    var numberAfterAll: Int {
        guard case .listed(let cards) = list else { return nextNumber }
        return cards.reduce(nextNumber) { max($0, ($1.id.number ?? -1) + 1) }
    }

    /// Replaces the content of the cards of `range` by that of the cards with the same ids in `other`.
    mutating func refresh(_ range: Range<Int>, from other: CardList) {
        guard case .listed(let fresh) = other else { return }
        var byID: [CardID: Card] = [:]
        for card in fresh { byID[card.id] = card }
        edit { cards in
            for index in range { cards[index] = byID[cards[index].id] ?? cards[index] }
        }
    }

    /// Reloads the deck. A card whose id is in both decks keeps its identity.
    ///
    /// - Parameter passed: how many cards have been passed and must not come again. Of the new deck, those come first,
    ///   then the former front card, then all others; each group has the new order. With 0, the new order is used as it
    ///   is.
    /// - Returns: how many cards of the new deck have been passed.
    mutating func reload(_ new: CardList, passed: Int) -> Int {
        nextNumber = numberAfterAll
        if case .numbered(let newCount) = new { nextNumber = max(nextNumber, newCount) }
        if case (.numbered, .numbered(let newCount)) = (list, new), order.isCounted {
            list = new
            order.replace(byCounted: newCount)
            return min(passed, newCount)
        }
        guard isRearrangeable, new.count <= EngineLimits.rearrangeableCards else {
            list = new
            order.replace(byNew: new.count)
            return min(passed, new.count)
        }
        let ranks = ranks(of: new, passed: passed)
        let isInOrder = zip(ranks, ranks.dropFirst()).allSatisfy { $0.group <= $1.group }
        let sources = isInOrder ? Array(ranks.indices) : Self.sorted(ranks)
        order.replace(by: sources.map { ranks[$0].formerIndex.map(identity) })
        list = isInOrder ? new : .listed(sources.map { new[$0] })
        return ranks.count { $0.group == 0 }
    }

    /// A card of the new deck: the group that it is sorted into, and its former index.
    private struct Rank {
        var group: Int
        var formerIndex: Int?
    }

    private func ranks(of new: CardList, passed: Int) -> [Rank] {
        var formerIndices: [CardID: Int] = [:]
        for index in 0..<count { formerIndices[list[index].id] = index }
        return (0..<new.count).map { index in
            guard let former = formerIndices[new[index].id] else { return Rank(group: 2) }
            return Rank(group: passed == 0 || former > passed ? 2 : former < passed ? 0 : 1, formerIndex: former)
        }
    }

    private static func sorted(_ ranks: [Rank]) -> [Int] {
        (0...2).flatMap { group in ranks.indices.filter { ranks[$0].group == group } }
    }
}
