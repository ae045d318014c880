/// The cards of a session: their contents, their order and their identities.
///
/// Every id is unique, and a counted id is never reused.
struct CardTable: Sendable, Hashable {
    private(set) var list: CardList
    private var order: CardOrder
    /// The next counted id. Ids below it may have been used before.
    private var nextNumber: Int

    init(_ list: CardList) {
        self.list = list
        order = CardOrder(count: list.count)
        nextNumber = if case .numbered(let count) = list { count } else { 0 }
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
            insert((first..<first + added).map { Card(id: String($0)) }, at: index)
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
    private var numberAfterAll: Int {
        guard case .listed(let cards) = list else { return nextNumber }
        return cards.reduce(nextNumber) { max($0, ($1.countedNumber ?? -1) + 1) }
    }

    mutating func remove(_ range: Range<Int>) {
        nextNumber = numberAfterAll
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

    /// Replaces the content of the cards of `range` by that of the cards with the same ids in `other`.
    mutating func refresh(_ range: Range<Int>, from other: CardList) {
        guard case .listed(let fresh) = other else { return }
        var byID: [String: Card] = [:]
        for card in fresh { byID[card.id] = card }
        edit { cards in
            for index in range { cards[index] = byID[cards[index].id] ?? cards[index] }
        }
    }

    /// Changes the array in place if no copy shares its storage.
    private mutating func edit(_ body: (inout [Card]) -> Void) {
        var cards = list.cards
        list = .numbered(0)
        body(&cards)
        list = .listed(cards)
    }

    // MARK: Reload

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
        var formerIndices: [String: Int] = [:]
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

extension Card {
    /// The id as a number, if it could be a counted id.
    fileprivate var countedNumber: Int? {
        guard let number = Int(id), (0..<EngineLimits.countedIDs).contains(number), String(number) == id else {
            return nil
        }
        return number
    }
}

extension CardTable {
    /// The cards as bytes: the format, the contents, the order and the next counted id.
    func snapshot() -> [UInt8] {
        var writer = SnapshotWriter()
        writer.byte(SnapshotFormat.latest.rawValue)
        writer.write(list)
        writer.write(order)
        writer.write(nextNumber)
        return writer.bytes
    }

    /// - Throws: an error that says why the bytes cannot be read.
    init(snapshot bytes: [UInt8]) throws(SnapshotError) {
        guard let number = bytes.first else { throw .damaged }
        // The first format starts with the kind of the list, 0 or 1, and contains only the cards.
        guard number > 1 else {
            var reader = SnapshotReader(bytes[...], format: .first)
            self.init(try reader.read(CardList.self))
            guard reader.isAtEnd else { throw .damaged }
            return
        }
        guard let format = SnapshotFormat(rawValue: number) else { throw .unknownFormat(Int(number)) }
        var reader = SnapshotReader(bytes.dropFirst(), format: format)
        self.init(try reader.read(CardList.self))
        order = try reader.read()
        nextNumber = try reader.read()
        guard reader.isAtEnd, order.count == list.count, (0...EngineLimits.countedIDs).contains(nextNumber) else {
            throw .damaged
        }
    }
}
