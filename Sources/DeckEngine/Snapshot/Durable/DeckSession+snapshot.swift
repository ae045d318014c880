extension DeckSession {
    /// The session as bytes. This version and later ones restore it from them bit for bit.
    ///
    /// The bytes are the format, the parts one after the other, each preceded by its length, and a checksum.
    ///
    /// - Parameters:
    ///   - withCards: whether the cards are included. They can be left out if `cardsSnapshot()` is stored.
    ///   - withLeavingCards: whether the leaving cards are included. They can be left out if `LeavingCardParts` saves them.
    public func snapshot(withCards: Bool, withLeavingCards: Bool = true) -> [UInt8] {
        var writer = SnapshotWriter.formatted(capacity: 1024)
        writer.section { if withCards { $0.raw(pile.cardsSnapshot()[...]) } }
        writer.section { $0.raw(scene.sharedSettings.snapshot[...]) }
        writer.section { writer in
            writer.write(viewport)
            writer.write(screen)
        }
        writer.section { $0.write(counters) }
        writer.section { pile.write(to: &$0) }
        writer.section { stage.write(to: &$0, withLeavingCards: withLeavingCards) }
        writer.section { $0.write(timeline) }
        return writer.bytesWithChecksum
    }

    /// The cards as bytes. They change only when `cardsRevision` does.
    public func cardsSnapshot() -> [UInt8] {
        pile.cardsSnapshot()
    }

    /// Whether the cards have changed since `takeUnsavedCards` was last called.
    public var hasUnsavedCards: Bool { pile.hasUnsavedCards }

    /// Takes the part of the cards that changed since the last call, since the session began or since it was restored. The
    /// cards then count as saved.
    public mutating func takeUnsavedCards() -> UnsavedCards {
        pile.takeUnsavedCards()
    }

    /// Restores the session from a snapshot.
    ///
    /// - Parameters:
    ///   - cards: the cards, if they are not in the snapshot.
    ///   - edits: the changes of these cards until the snapshot, as `takeUnsavedCards` gave them.
    /// - Throws: an error that says why the bytes cannot be read.
    public init(snapshot bytes: [UInt8], cards: [UInt8]? = nil, edits: [[UInt8]] = []) throws(SnapshotError) {
        try self.init(snapshot: bytes, .stored(cards, edits: edits))
    }

    /// Restores the session from a snapshot without cards.
    ///
    /// - Parameter other: a session that has the cards, which are not copied.
    /// - Throws: an error that says why the bytes cannot be read.
    public init(snapshot bytes: [UInt8], withCardsOf other: DeckSession) throws(SnapshotError) {
        try self.init(snapshot: bytes, .known(other.pile.cardTable))
    }

    /// Where the cards of a session are.
    private enum CardsSource {
        case stored([UInt8]?, edits: [[UInt8]])
        case known(CardTable)
    }

    private init(snapshot bytes: [UInt8], _ cards: CardsSource) throws(SnapshotError) {
        let format = try SnapshotReader.format(of: bytes[...])
        var reader = SnapshotReader(try SnapshotChecksum.contents(of: bytes[...]).dropFirst(), format: format)
        switch format {
        case .first:
            guard case .stored(let cards, _) = cards else { throw .cardsMissing }
            try self.init(firstFormat: &reader, cards: cards)
        case .second: try self.init(secondFormat: &reader, cards)
        }
        guard reader.isAtEnd, isSound else { throw .damaged }
    }

    private init(
        secondFormat reader: inout SnapshotReader,
        _ cards: CardsSource
    ) throws(SnapshotError) {
        let own = try reader.section { reader throws(SnapshotError) in Array(try reader.take(reader.remaining)) }
        let table = try Self.table(own, orFrom: cards)
        let settings = try reader.section { reader throws(SnapshotError) in try reader.read(DeckSettings.self) }
        let sizes = try reader.section { reader throws(SnapshotError) in
            (viewport: try reader.read(Size.self), screen: try reader.read(Size.self))
        }
        scene = Scene(sharedSettings: SharedSettings(settings), viewport: sizes.viewport, screen: sizes.screen)
        counters = try reader.section { reader throws(SnapshotError) in try reader.read() }
        pile = try reader.section { reader throws(SnapshotError) in try Pile(table, from: &reader) }
        let layout = settings.layout
        stage = try reader.section { reader throws(SnapshotError) in try Stage(from: &reader, layout) }
        timeline = try reader.section { reader throws(SnapshotError) in try reader.read() }
    }

    /// - Parameter own: the cards in the snapshot; empty: it has none.
    private static func table(_ own: [UInt8], orFrom source: CardsSource) throws(SnapshotError) -> CardTable {
        guard own.isEmpty else { return try CardTable(snapshot: own, edits: []) }
        switch source {
        case .stored(nil, _): throw .cardsMissing
        case .stored(let cards?, let edits): return try CardTable(snapshot: cards, edits: edits)
        case .known(let table): return table
        }
    }
}
