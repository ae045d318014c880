/// The card at each index, and the index of each card.
///
/// As long as a deck has its first order, an identity is an index plus a constant, and nothing else is stored. The
/// first change of the order creates three lists: a card is then found by a binary search, and a change costs time
/// proportional to the number of cards.
struct CardOrder: Sendable, Hashable {
    fileprivate struct Lists: Sendable, Hashable {
        /// The identity at each index.
        var identities: [UInt32]
        /// The same identities in ascending order.
        var sorted: [UInt32]
        /// The index of each identity of `sorted`.
        var indices: [UInt32]
    }

    /// Nil: the card at index i is number `first` + i.
    private var lists: Lists?
    private var first: UInt32 = 0
    private(set) var count: Int
    /// The identity of the next new card.
    private var next: UInt32

    /// New cards, in order.
    init(count: Int) {
        self.count = count
        next = UInt32(count)
    }

    /// Whether every card still has its first index.
    var isCounted: Bool {
        lists == nil && first == 0
    }

    /// Whether every identity is a positive number in 32 bits.
    var hasSmallIdentities: Bool {
        next <= UInt32(Int32.max)
    }

    /// Whether there are enough unused identities for this many more cards.
    func hasRoom(for added: Int) -> Bool {
        UInt32(exactly: added).map { $0 <= .max - next } ?? false
    }

    /// The card at an index within 0..<`count`.
    func identity(at index: Int) -> CardIdentity {
        CardIdentity(lists?.identities[index] ?? first + UInt32(index))
    }

    /// The index of a card; nil if it is no longer in the deck.
    func index(of card: CardIdentity) -> Int? {
        guard let lists else {
            return card.number >= first && card.number - first < count ? Int(card.number - first) : nil
        }
        var (low, high) = (0, lists.sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if lists.sorted[middle] < card.number { low = middle + 1 } else { high = middle }
        }
        guard low < lists.sorted.count, lists.sorted[low] == card.number else { return nil }
        return Int(lists.indices[low])
    }

    /// Adds new cards at the end.
    mutating func append(_ added: Int) {
        guard lists == nil, next == first + UInt32(count) else {
            rearrange(adding: count..<count + added) { $0 }
            return
        }
        count += added
        next += UInt32(added)
    }

    /// Moves cards to other indices, removes some and inserts new ones.
    ///
    /// - Parameters:
    ///   - added: the indices of new cards, after the change.
    ///   - newIndex: a card's index after the change; nil if it is removed. Together with `added` it fills 0..<the new
    ///     count exactly.
    mutating func rearrange(adding added: Range<Int> = 0..<0, _ newIndex: (Int) -> Int?) {
        let former = lists ?? Lists(inOrder: first..<first + UInt32(count))
        var changed = Lists(capacity: count + added.count)
        for (identity, index) in zip(former.sorted, former.indices) {
            guard let index = newIndex(Int(index)) else { continue }
            changed.sorted.append(identity)
            changed.indices.append(UInt32(index))
        }
        for index in added {
            changed.sorted.append(next)
            changed.indices.append(UInt32(index))
            next += 1
        }
        changed.place()
        lists = changed
        count = changed.sorted.count
    }

    /// Replaces the order by that of a reloaded deck.
    ///
    /// - Parameter cards: for each index the existing card; nil for a new one.
    mutating func replace(by cards: [CardIdentity?]) {
        var identities: [UInt32] = []
        identities.reserveCapacity(cards.count)
        for card in cards {
            if let card {
                identities.append(card.number)
            } else {
                identities.append(next)
                next += 1
            }
        }
        count = cards.count
        lists = Lists(identities)
    }

    /// Changes the number of cards of a deck that `isCounted`. A card that stays keeps its identity.
    mutating func replace(byCounted newCount: Int) {
        count = newCount
        next = max(next, UInt32(newCount))
    }

    /// Replaces all cards by new ones.
    mutating func replace(byNew newCount: Int) {
        lists = nil
        first = next
        count = newCount
        next += UInt32(newCount)
    }
}

extension CardOrder.Lists {
    fileprivate init(capacity: Int) {
        self.init(identities: [], sorted: [], indices: [])
        sorted.reserveCapacity(capacity)
        indices.reserveCapacity(capacity)
    }

    fileprivate init(inOrder numbers: Range<UInt32>) {
        self.init(identities: Array(numbers), sorted: Array(numbers), indices: (0..<UInt32(numbers.count)).map { $0 })
    }

    fileprivate init(_ identities: [UInt32]) {
        let indices = identities.indices.sorted { identities[$0] < identities[$1] }
        self.init(identities: identities, sorted: indices.map { identities[$0] }, indices: indices.map { UInt32($0) })
    }

    /// Derives the identities from the other two lists.
    fileprivate mutating func place() {
        identities = [UInt32](repeating: 0, count: sorted.count)
        for (identity, index) in zip(sorted, indices) { identities[Int(index)] = identity }
    }
}

extension CardOrder: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writeHead(to: &writer)
        for identity in lists?.identities ?? [] { writer.unsigned(UInt64(identity)) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let hasLists: Bool
        (self, hasLists) = try Self.readHead(from: &reader, largest: .max)
        if hasLists { lists = try Lists(from: &reader, count: count, next: next) }
    }

    /// Writes everything but the lists, and whether lists follow.
    private func writeHead(to writer: inout SnapshotWriter) {
        writer.unsigned(UInt64(next))
        writer.unsigned(UInt64(first))
        writer.unsigned(UInt64(count))
        writer.write(lists != nil)
    }

    /// - Parameter largest: the largest identity that a new card may have.
    private static func readHead(
        from reader: inout SnapshotReader,
        largest: UInt32
    ) throws(SnapshotReader.Failure) -> (order: CardOrder, hasLists: Bool) {
        let next = try reader.unsigned()
        let first = try reader.unsigned()
        let count = try reader.unsigned()
        try reader.require(
            next <= UInt64(largest) && count <= UInt64(EngineLimits.cards) && first <= next && count <= next - first
        )
        if reader.isDamaged { return (CardOrder(count: 0), false) }
        var order = CardOrder(count: Int(count))
        order.first = UInt32(first)
        order.next = UInt32(next)
        let hasLists = try reader.read(Bool.self)
        try reader.require(!hasLists || count <= UInt64(reader.remaining))
        return (order, hasLists && !reader.isDamaged)
    }
}

// In a client snapshot each identity is followed by its index, in ascending order, so that clients need not sort.
extension CardOrder {
    func writeForClients(to writer: inout SnapshotWriter) {
        writeHead(to: &writer)
        guard let lists else { return }
        for (identity, index) in zip(lists.sorted, lists.indices) {
            writer.unsigned(UInt64(identity))
            writer.unsigned(UInt64(index))
        }
    }

    init(forClients reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let hasLists: Bool
        (self, hasLists) = try Self.readHead(from: &reader, largest: UInt32(Int32.max))
        if hasLists { lists = try Lists(forClients: &reader, count: count, next: next) }
    }
}

extension CardOrder.Lists {
    fileprivate init(from reader: inout SnapshotReader, count: Int, next: UInt32) throws(SnapshotReader.Failure) {
        var identities: [UInt32] = []
        identities.reserveCapacity(count)
        for _ in 0..<count {
            let identity = try reader.unsigned()
            try reader.require(identity < next)
            if reader.isDamaged { break }
            identities.append(UInt32(identity))
        }
        self.init(identities)
        for index in sorted.indices.dropFirst() where sorted[index - 1] == sorted[index] { try reader.fail() }
    }

    fileprivate init(forClients reader: inout SnapshotReader, count: Int, next: UInt32) throws(SnapshotReader.Failure) {
        self.init(capacity: count)
        var least: UInt64 = 0
        for _ in 0..<count {
            let identity = try reader.unsigned()
            let index = try reader.unsigned()
            try reader.require(identity >= least && identity < next && index < count)
            if reader.isDamaged { return }
            least = identity + 1
            sorted.append(UInt32(identity))
            indices.append(UInt32(index))
        }
        place()
        // An index that is there twice has the identity of one of the two.
        for position in sorted.indices {
            try reader.require(identities[Int(indices[position])] == sorted[position])
        }
    }
}
