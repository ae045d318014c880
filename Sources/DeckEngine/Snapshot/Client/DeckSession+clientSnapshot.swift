// Client snapshots: what an engine needs to continue a session in a client.
//
// They have identities in place of ids, numbers in place of names, and neither data nor labels. So an engine that reads
// them needs no strings. They are not stored, and their format can change with any release: an engine reads only the
// snapshots of the release that it belongs to.
extension DeckSession {
    /// The first byte of a client snapshot. It is no number of a stored format.
    static let clientFormat: UInt8 = 0x81

    /// Whether there is a client snapshot of the session.
    public var hasClientSnapshot: Bool { pile.isReadableByClients }

    /// How many cards a client snapshot has one by one. Cards that are counted, and in their first order, are a number.
    public var clientSnapshotCardCount: Int { pile.countForClients }

    /// The session as bytes from which a client's engine continues it. nil: the deck is too large for clients, because it
    /// has more than 100,000 cards whose order differs from that of their numbers.
    ///
    /// Cards are named by their identities. `clientID(at:)` and `departedCards` say which id each one stands for.
    public func clientSnapshot() -> [UInt8]? {
        guard pile.isReadableByClients else { return nil }
        var writer = SnapshotWriter(capacity: 2048, isForClients: true)
        writer.byte(Self.clientFormat)
        ClientSettings.write(settings, to: &writer)
        writer.write(viewport)
        writer.write(screen)
        counters.writeForClients(to: &writer)
        pile.writeForClients(to: &writer)
        stage.write(to: &writer, withLeavingCards: true)
        writer.write(timeline)
        return writer.bytesWithChecksum
    }

    /// Continues a session from a client snapshot. The ids of its cards are their identities.
    ///
    /// - Throws: `damaged` for bytes that are not a client snapshot, and `unknownFormat` for one of another format.
    public init(clientSnapshot bytes: ArraySlice<UInt8>) throws(SnapshotError) {
        guard let format = bytes.first else { throw .damaged }
        guard format == Self.clientFormat else {
            #if hasFeature(Embedded)
            throw .unknownFormat
            #else
            throw .unknownFormat(Int(format))
            #endif
        }
        let contents = try SnapshotChecksum.contents(of: bytes).dropFirst()
        var reader = SnapshotReader(contents, format: .latest, isForClients: true)
        let settings = try ClientSettings.read(from: &reader)
        let shared = SharedSettings(settings)
        let scene = Scene(sharedSettings: shared, viewport: try reader.read(), screen: try reader.read())
        let counters = try Counters(forClients: &reader)
        let pile = try Pile(CardTable(forClients: &reader), from: &reader)
        let stage = try Stage(from: &reader, settings.layout)
        let timeline = try reader.read(Timeline.self)
        if reader.isDamaged { throw .damaged }
        self.init(pile: pile, stage: stage, scene: scene, timeline: timeline, counters: counters)
        guard reader.isAtEnd, isSound else { throw .damaged }
    }

    /// The number that stands for the card at an index within 0..<`cards.count` in client snapshots.
    public func clientNumber(at index: Int) -> UInt32 {
        pile.identity(at: index).number
    }

    /// The cards that a client snapshot names and that are no longer in the deck: their numbers and ids.
    public var departedCards: [(number: UInt32, id: CardID)] {
        var departed: [(number: UInt32, id: CardID)] = []
        func add(_ card: CardIdentity, _ id: CardID) {
            guard pile.index(of: card) == nil, !departed.contains(where: { $0.number == card.number }) else { return }
            departed.append((card.number, id))
        }
        for leaving in stage.leaving { add(leaving.card, leaving.departure.id) }
        if let card = counters.lastVerdictCard, let change = counters.lastVerdictChange {
            add(card, change.verdict.cardID)
        }
        return departed
    }
}

extension Counters {
    /// Numbers above this one are not exact in JavaScript.
    private static let largestNumber: SerialNumber = 1 << 53

    fileprivate func writeForClients(to writer: inout SnapshotWriter) {
        writer.write(version)
        writer.write(notification)
        writer.write(verdict)
        writer.write(lastVerdictCard)
        // Without its card the last verdict has no name, and is left out.
        if lastVerdictCard != nil { writer.write(lastVerdictChange.map { ClientVerdict(change: $0) }) }
        writer.write(lastShown)
        writer.write(hasAskedForCards)
        writer.write(lastSupply)
    }

    fileprivate init(forClients reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        version = try reader.read()
        notification = try reader.read()
        verdict = try reader.read()
        if let card = try reader.read(CardIdentity?.self), let verdict = try reader.read(ClientVerdict?.self) {
            remember(verdict.change(of: card), of: card)
        }
        lastShown = try reader.read()
        hasAskedForCards = try reader.read()
        lastSupply = try reader.read()
        try reader.require(max(max(version, notification), verdict) <= Self.largestNumber)
    }
}

/// The last change of a verdict without the id of its card.
private struct ClientVerdict: Snapshotted {
    private var isReverted: Bool
    private var sequence: SerialNumber
    private var at: Instant
    private var index: Int
    private var direction: Direction

    init(change: VerdictChange) {
        isReverted = if case .reverted = change { true } else { false }
        let verdict = change.verdict
        (sequence, at, index, direction) = (verdict.sequence, verdict.at, verdict.index, verdict.direction)
    }

    func change(of card: CardIdentity) -> VerdictChange {
        let verdict = Verdict(sequence: sequence, at: at, index: index, cardID: card.clientID, direction: direction)
        return isReverted ? .reverted(verdict) : .given(verdict)
    }

    func write(to writer: inout SnapshotWriter) {
        writer.write(isReverted)
        writer.write(sequence)
        writer.write(at)
        writer.write(index)
        writer.write(direction)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        isReverted = try reader.read()
        sequence = try reader.read()
        at = try reader.read()
        index = try reader.read()
        direction = try reader.read()
    }
}
