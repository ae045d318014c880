/// The leaving cards of a session, saved separately from its snapshot.
///
/// A leaving card takes about 300 bytes, which do not change. So each card is saved once, as a separate part. A snapshot
/// refers to the part by its distance from the newest part.
public struct SavedLeavingCards: Sendable, Hashable {
    /// The most parts that a snapshot needs. A card that is further back is saved again.
    public static let maximumPartCount = 256

    /// The references, which belong to the snapshot of the same moment.
    public internal(set) var references: [UInt8] = []
    /// The parts that are new, in order.
    public internal(set) var newParts: [[UInt8]] = []
    /// How many of the newest parts the references need, the new ones included.
    public internal(set) var neededPartCount = 0
}

extension LeavingCards {
    /// Saves the cards.
    ///
    /// - Parameter isFirst: whether there are no parts yet, so that every card is saved.
    mutating func save(isFirst: Bool) -> SavedLeavingCards {
        var saved = SavedLeavingCards()
        if isFirst { forgetParts() }
        for position in cards.indices where needsPart(position) {
            var writer = SnapshotWriter(capacity: 320)
            writer.byte(SnapshotFormat.latest.rawValue)
            writer.write(cards[position])
            saved.newParts.append(writer.bytes)
            addPart(of: position)
        }
        var writer = SnapshotWriter()
        writer.unsigned(UInt64(cards.count))
        for position in cards.indices {
            let distance = distance(ofCardAt: position) ?? 0
            saved.neededPartCount = max(saved.neededPartCount, distance + 1)
            writer.unsigned(UInt64(distance))
            // The rest of a card never changes.
            writer.write(cards[position].lastIndex)
        }
        saved.references = writer.bytes
        return saved
    }

    /// - Parameter position: that of a card.
    private func needsPart(_ position: Int) -> Bool {
        // Every card can get a new part in the same step.
        distance(ofCardAt: position).map { $0 + cards.count >= SavedLeavingCards.maximumPartCount } ?? true
    }

    /// - Parameter parts: the newest parts, in order; at least as many as the references need.
    init(references: [UInt8], parts: [[UInt8]]) throws(SnapshotError) {
        var reader = SnapshotReader(references[...], format: .latest)
        var cards: [LeavingCard] = []
        for _ in 0..<(try reader.count()) {
            let distance = try reader.unsigned()
            guard distance < UInt64(parts.count) else { throw .damaged }
            let number = parts.count - Int(distance)
            var card = try LeavingCard(part: parts[number - 1])
            card.lastIndex = try reader.read()
            card.saved = SavedPart(number: number)
            guard card.lastIndex >= 0 else { throw .damaged }
            cards.append(card)
        }
        guard reader.isAtEnd else { throw .damaged }
        try self.init(cards, partCount: parts.count)
    }
}

extension LeavingCard {
    fileprivate init(part bytes: [UInt8]) throws(SnapshotError) {
        guard let number = bytes.first else { throw .damaged }
        guard let format = SnapshotFormat(rawValue: number) else { throw .unknownFormat(Int(number)) }
        var reader = SnapshotReader(bytes.dropFirst(), format: format)
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw .damaged }
    }
}
