extension DeckSession {
    /// The form of the snapshots written here.
    private static let form: UInt8 = 1

    /// The session as bytes, from which it can be made again, bit for bit, by this version and later ones.
    ///
    /// - Parameter withCards: whether the cards are in it. They can be left out where somebody else has them.
    public func snapshot(withCards: Bool) -> [UInt8] {
        var writer = SnapshotWriter()
        writer.bytes.reserveCapacity(2048)
        writer.byte(Self.form)
        writer.write(withCards ? deck.cards : nil)
        writer.write(deck.settings)
        writer.write(viewport)
        writer.write(screen)
        writer.write(now)
        writer.write(version)
        writer.write(cardsRevision)
        writer.write(lastNotification)
        writer.write(lastVerdict)
        writer.write(currentIndex)
        writer.write(sentBack)
        writer.write(lastVerdictChange)
        writer.write(placed)
        writer.write(leaving)
        writer.write(drag)
        writer.write(nudge)
        writer.write(appear)
        writer.write(position)
        writer.write(scheduled)
        writer.write(queue)
        writer.write(history)
        writer.write(undone)
        writer.write(resetUntil)
        writer.write(Self.checksum(of: writer.bytes[...]))
        return writer.bytes
    }

    /// Makes the session of a snapshot again.
    ///
    /// - Parameter cards: the cards, where they are not in the snapshot.
    /// - Throws: what is wrong with the bytes; nothing else comes of them.
    public init(snapshot bytes: [UInt8], cards: CardList? = nil) throws(SnapshotError) {
        guard let form = bytes.first else { throw .damaged }
        guard form == Self.form else { throw .unknownForm(Int(form)) }
        var reader = SnapshotReader(bytes.dropLast(Self.checksumBytes))
        var sum = SnapshotReader(bytes.suffix(Self.checksumBytes))
        guard try sum.read(Double.self).bitPattern == Self.checksum(of: bytes.dropLast(Self.checksumBytes)).bitPattern
        else { throw .damaged }
        _ = try reader.byte()
        let own = try reader.read(CardList?.self)
        guard let cards = own ?? cards else { throw .cardsMissing }
        let deck = Deck(cards: cards, settings: try reader.read())
        self.init(deck: deck, viewport: try reader.read(), screen: try reader.read(), currentIndex: 0)
        now = try reader.read()
        version = try reader.read()
        cardsRevision = try reader.read()
        lastNotification = try reader.read()
        lastVerdict = try reader.read()
        currentIndex = try reader.read()
        sentBack = try reader.read()
        lastVerdictChange = try reader.read()
        placed = try reader.read()
        leaving = try reader.read()
        drag = try reader.read()
        nudge = try reader.read()
        appear = try reader.read()
        position = try reader.read()
        scheduled = try reader.read()
        queue = try reader.read()
        history = try reader.read()
        undone = try reader.read()
        resetUntil = try reader.read()
        guard reader.isAtEnd, isSound else { throw .damaged }
    }

    private static let checksumBytes = 8

    /// A sum (FNV-1a, 64 bits) that says whether the bytes are those that were written. It is carried as the bits of a
    /// number, since that is what a snapshot has for eight bytes.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> Double {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Double(bitPattern: sum)
    }

    /// Whether every index lies within the deck, so that nothing that is read can lead beyond it.
    private var isSound: Bool {
        let count = deck.cards.count
        let cards = 0..<count
        return (0...count).contains(currentIndex) && placed.allSatisfy { cards.contains($0.index) }
            && history.suffix(history.count).allSatisfy { cards.contains($0.index) }
            && undone.suffix(undone.count).allSatisfy { cards.contains($0.index) }
            && (placed.isEmpty || !isExhausted) && (drag == nil || !placed.isEmpty)
            && placed.count <= EngineLimits.visibleCards && now.milliseconds.isFinite && position.to.magnitude < 1e15
    }
}

extension CardList {
    /// The cards as bytes.
    public func snapshot() -> [UInt8] {
        var writer = SnapshotWriter()
        writer.write(self)
        return writer.bytes
    }

    /// Makes the cards of a snapshot again.
    ///
    /// - Throws: `damaged` if the bytes are no cards.
    public init(snapshot bytes: [UInt8]) throws(SnapshotError) {
        var reader = SnapshotReader(bytes[...])
        self = try reader.read()
        guard reader.isAtEnd else { throw .damaged }
    }
}
