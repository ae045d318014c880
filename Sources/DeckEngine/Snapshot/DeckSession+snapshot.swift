extension DeckSession {
    /// The session as bytes. This version and later ones restore it from them bit for bit.
    ///
    /// The bytes are the format, the parts one after the other, each preceded by its length, and a checksum.
    ///
    /// - Parameters:
    ///   - withCards: whether the cards are included. They can be left out if `cardsSnapshot()` is stored.
    ///   - withLeavingCards: whether the leaving cards are included. They can be left out if `LeavingCardParts` saves them.
    public func snapshot(withCards: Bool, withLeavingCards: Bool = true) -> [UInt8] {
        var writer = SnapshotWriter(capacity: 1024)
        writer.byte(SnapshotFormat.latest.rawValue)
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
        writer.write(Self.checksum(of: writer.bytes[...]))
        return writer.bytes
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
        guard let number = bytes.first else { throw .damaged }
        guard let format = SnapshotFormat(rawValue: number) else { throw .unknownFormat(Int(number)) }
        let contents = bytes.dropLast(Self.checksumBytes)
        var sum = SnapshotReader(bytes.suffix(Self.checksumBytes), format: format)
        guard try sum.read(Checksum.self) == Self.checksum(of: contents) else { throw .damaged }
        var reader = SnapshotReader(contents.dropFirst(), format: format)
        switch format {
        case .first: try self.init(firstFormat: &reader, cards: cards)
        case .second: try self.init(secondFormat: &reader, cards: cards, edits: edits)
        }
        guard reader.isAtEnd, isSound else { throw .damaged }
    }

    private init(
        secondFormat reader: inout SnapshotReader,
        cards: [UInt8]?,
        edits: [[UInt8]]
    ) throws(SnapshotError) {
        let own = try reader.section { reader throws(SnapshotError) in Array(try reader.take(reader.remaining)) }
        guard let cards = own.isEmpty ? cards : own else { throw .cardsMissing }
        let settings = try reader.section { reader throws(SnapshotError) in try reader.read(DeckSettings.self) }
        let sizes = try reader.section { reader throws(SnapshotError) in
            (viewport: try reader.read(Size.self), screen: try reader.read(Size.self))
        }
        scene = Scene(sharedSettings: SharedSettings(settings), viewport: sizes.viewport, screen: sizes.screen)
        counters = try reader.section { reader throws(SnapshotError) in try reader.read() }
        let table = try CardTable(snapshot: cards, edits: own.isEmpty ? edits : [])
        pile = try reader.section { reader throws(SnapshotError) in try Pile(table, from: &reader) }
        let layout = settings.layout
        stage = try reader.section { reader throws(SnapshotError) in try Stage(from: &reader, layout) }
        timeline = try reader.section { reader throws(SnapshotError) in try reader.read() }
    }

    private static let checksumBytes = 8

    private static func checksum(of bytes: ArraySlice<UInt8>) -> Checksum {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Checksum(sum: sum)
    }

    /// Whether the decoded parts are consistent, so that no index leads beyond the deck.
    private var isSound: Bool {
        let sizes = [viewport.width, viewport.height, screen.width, screen.height]
        return sizes.allSatisfy { (1e-3...1e9).contains($0) } && pile.isSound(loops: settings.loop)
            && stage.isSound(with: pile, in: scene) && counters.isSound
    }
}

/// A checksum (FNV-1a, 64 bits) of the bytes that were written.
private struct Checksum: Snapshotted, Equatable {
    var sum: UInt64

    func write(to writer: inout SnapshotWriter) {
        writer.word(sum)
    }

    init(sum: UInt64) {
        self.sum = sum
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        sum = try reader.take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
