// Cards in a client snapshot: their order and their own rules.
extension CardTable {
    /// Whether a client's engine can read the cards. As long as cards are counted in their first order, there is no limit.
    var isReadableByClients: Bool {
        order.hasSmallIdentities && (isCounted || isRearrangeable)
    }

    /// Whether each card is its index: the list and its order are a number.
    private var isCounted: Bool {
        if case .numbered = list { order.isCounted } else { false }
    }

    /// How many cards a client snapshot has one by one. Counted cards are a number.
    var countForClients: Int { isCounted ? 0 : count }

    func writeForClients(to writer: inout SnapshotWriter) {
        order.writeForClients(to: &writer)
        writer.write(!isCounted)
        guard !isCounted else { return }
        for index in 0..<count { list[index].writeRules(to: &writer) }
    }

    /// - Throws: `damaged` for invalid cards, or for more than a client's engine can have.
    init(forClients reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let order = try CardOrder(forClients: &reader)
        let isListed = try reader.read(Bool.self)
        self.init(.numbered(order.count))
        self.order = order
        try reader.require(!reader.isDamaged && isReadableByClients && (isListed || isCounted))
        guard isListed else { return }
        try reader.require(isRearrangeable && order.count <= reader.remaining)
        if reader.isDamaged { return }
        var cards: [Card] = []
        cards.reserveCapacity(order.count)
        for index in 0..<order.count {
            var card = Card(id: order.identity(at: index).clientID)
            try card.readRules(from: &reader)
            cards.append(card)
        }
        list = .listed(cards)
    }
}

extension Card {
    /// The rules that a card has.
    private struct Rules: OptionSet {
        let rawValue: UInt8
        static let allowedDirections = Rules(rawValue: 1)
        static let deniedDirections = Rules(rawValue: 2)
        static let dragDirections = Rules(rawValue: 4)
        static let draggable = Rules(rawValue: 8)
        static let notDraggable = Rules(rawValue: 16)
        static let notUndoable = Rules(rawValue: 32)
    }

    fileprivate func writeRules(to writer: inout SnapshotWriter) {
        var rules: Rules = []
        if allowedDirections != nil { rules.insert(.allowedDirections) }
        if deniedDirections != nil { rules.insert(.deniedDirections) }
        if dragDirections != nil { rules.insert(.dragDirections) }
        if let draggable { rules.insert(draggable ? .draggable : .notDraggable) }
        if !undoable { rules.insert(.notUndoable) }
        writer.byte(rules.rawValue)
        if let allowedDirections { writer.write(allowedDirections) }
        if let deniedDirections { writer.write(deniedDirections) }
        if let dragDirections { writer.write(dragDirections) }
    }

    fileprivate mutating func readRules(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let rules = Rules(rawValue: try reader.byte())
        if rules.contains(.allowedDirections) { allowedDirections = try reader.read(Directions.self) }
        if rules.contains(.deniedDirections) { deniedDirections = try reader.read(Directions.self) }
        if rules.contains(.dragDirections) { dragDirections = try reader.read(Directions.self) }
        if rules.contains(.draggable) { draggable = true }
        if rules.contains(.notDraggable) { draggable = false }
        undoable = !rules.contains(.notUndoable)
    }
}

extension Pile {
    /// Whether a client's engine can read the cards.
    var isReadableByClients: Bool { cardTable.isReadableByClients }

    /// How many cards a client snapshot has one by one.
    var countForClients: Int { cardTable.countForClients }

    /// Writes the cards, and the pile without their contents.
    func writeForClients(to writer: inout SnapshotWriter) {
        cardTable.writeForClients(to: &writer)
        write(to: &writer)
    }
}
