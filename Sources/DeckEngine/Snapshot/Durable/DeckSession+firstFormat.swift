// Snapshots of the first format: one list of values in a fixed order, with indices in place of the second format's
// identities. Cards were never rearranged in it without new identities, so the identity of a card is its index.
extension DeckSession {
    init(firstFormat reader: inout SnapshotReader, cards: [UInt8]?) throws(SnapshotError) {
        let table = try CardTable(firstFormat: &reader, cards: cards)
        let settings = try DeckSettings(firstFormat: &reader)
        scene = Scene(sharedSettings: SharedSettings(settings), viewport: try reader.read(), screen: try reader.read())
        let now = try reader.read(Instant.self)
        counters.version = try reader.read()
        let revision = try reader.read(Int.self)
        counters.notification = try reader.read()
        counters.verdict = try reader.read()
        let front = try reader.read(Int.self)
        let sentBack = try reader.read(Int.self)
        if let change = try reader.read(VerdictChange?.self) {
            // The card that is now at the verdict's index may be another one.
            let verdict = change.verdict
            let isThere = (0..<table.count).contains(verdict.index) && table.list[verdict.index].id == verdict.cardID
            counters.remember(change, of: isThere ? table.identity(at: verdict.index) : nil)
        }
        let visible = try FirstFormatStage(from: &reader, table, front: front, settings.layout)
        timeline = try Timeline(checking: now, scheduled: reader.read(), queue: reader.read())
        pile = try Pile(
            firstFormat: table,
            front: front,
            undo: reader.read(),
            redo: reader.read(),
            sentBack: sentBack,
            loops: settings.loop,
            revision: revision
        )
        stage = visible.stage(resetUntil: try reader.read())
        counters.lastShown = pile.frontCard
        counters.lastSupply = settings.loop ? nil : pile.remaining - settings.rules.refillAt
        counters.hasAskedForCards = counters.lastSupply.map { $0 <= 0 } ?? false
    }
}

extension CardTable {
    /// - Parameter cards: the cards, if the snapshot does not have them.
    fileprivate init(firstFormat reader: inout SnapshotReader, cards: [UInt8]?) throws(SnapshotError) {
        if let own = try reader.read(CardList?.self) {
            self.init(own)
        } else if let cards {
            try self.init(snapshot: cards)
        } else {
            throw .cardsMissing
        }
    }
}

/// A stage, of which the first format stores one value elsewhere.
private struct FirstFormatStage {
    private var leaving: LeavingCards
    private var hold: Hold
    private var appear: AppearAnimation?
    private var kind: Stage.Kind

    init(
        from reader: inout SnapshotReader,
        _ table: CardTable,
        front: Int,
        _ layout: Layout
    ) throws(SnapshotError) {
        let placed = try reader.read([PlacedCard].self)
        let cards = try reader.read([LeavingCard].self).map { card in
            var card = card
            // A card that a reload put at the same index is another one.
            let isSame = card.lastIndex < table.count && table.list[card.lastIndex].id == card.departure.id
            if !isSame { card.card = .none }
            return card
        }
        leaving = try LeavingCards(cards)
        let finger = try reader.read(FirstFormatFinger?.self)
        // The card of a finger is the front one.
        let card = (0..<table.count).contains(front) ? table.identity(at: front) : CardIdentity(0)
        hold = try Hold(finger?.finger(on: card), finger?.samples ?? DragSamples(), reader.read(), nil)
        appear = try reader.read()
        let offset = try reader.read(Track<Double>.self)
        guard Carousel.Bounds.contains(offset.to) else { throw .damaged }
        kind =
            switch layout {
            case .stack, .stretched: .stack(try StackStage(placed))
            case .flip(let flip): .carousel(Carousel(track: offset, flip), flip)
            }
    }

    func stage(resetUntil: Instant) -> Stage {
        Stage(kind: kind, leaving: leaving, hold: hold, appear: appear, resetUntil: resetUntil)
    }
}

/// A finger, which the first format stores with its samples and without its card.
private struct FirstFormatFinger: Snapshotted {
    private var translation: Vector
    private var location: Vector
    private var pastThreshold: Direction?
    private(set) var samples: DragSamples
    private var startOffset: Double
    private var startNumber: Int

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        translation = try reader.read()
        location = try reader.read()
        pastThreshold = try reader.read()
        samples = try reader.read()
        startOffset = try reader.read()
        let number = try reader.read(Double.self).rounded()
        guard Carousel.Bounds.contains(number) else { throw .damaged }
        startNumber = Int(number)
    }

    func finger(on card: CardIdentity) -> Finger {
        Finger(
            card: card,
            translation: translation,
            location: location,
            pastThreshold: pastThreshold,
            startOffset: startOffset,
            startNumber: startNumber
        )
    }

    /// The first format is only read.
    func write(to writer: inout SnapshotWriter) {}
}

extension CardIdentity {
    /// A card that is not in the deck. No deck has enough cards to use this number.
    fileprivate static let none = CardIdentity(.max)
}

extension Pile {
    fileprivate init(
        firstFormat table: CardTable,
        front: Int,
        undo: History,
        redo: History,
        sentBack: Int,
        loops: Bool,
        revision: Int
    ) throws(SnapshotError) {
        let count = table.count
        guard (0...count).contains(front), (0...count).contains(sentBack) else { throw .damaged }
        // The last cards that were sent to the back are at the end; in a loop they are right before the front.
        let end = loops ? front : count
        let cards = (0..<sentBack).map { order in
            table.identity(at: ((end - sentBack + order) % max(count, 1) + count) % max(count, 1))
        }
        self.init(table, front: front, undo: undo, redo: redo, sentBack: cards, revision: revision)
    }
}
