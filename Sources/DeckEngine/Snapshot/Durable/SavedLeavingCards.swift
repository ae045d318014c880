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

/// The parts in which the leaving cards of a session were saved. A new value has none, so that every card is saved.
public struct LeavingCardParts: Sendable {
    /// The number of the newest part.
    private var count = 0
    /// The part of each leaving card of the last snapshot.
    private var numbers: [(departure: Departure, number: Int)] = []

    /// No parts.
    public init() {}

    /// Saves the leaving cards of a session.
    public mutating func save(_ session: DeckSession) -> SavedLeavingCards {
        let cards = session.stage.leavingCards.cards
        var saved = SavedLeavingCards()
        var references = SnapshotWriter()
        references.unsigned(UInt64(cards.count))
        var newNumbers: [(departure: Departure, number: Int)] = []
        newNumbers.reserveCapacity(cards.count)
        // Every card can get a new part in the same step.
        let oldest = count + cards.count - SavedLeavingCards.maximumPartCount
        // The cards that left later come later, so each is found soon after the one before it.
        var place = 0
        for card in cards {
            var number = self.number(of: card.departure, from: &place) ?? 0
            if number <= max(0, oldest) { number = add(card, to: &saved) }
            newNumbers.append((card.departure, number))
        }
        for (card, saving) in zip(cards, newNumbers) {
            let distance = count - saving.number
            saved.neededPartCount = max(saved.neededPartCount, distance + 1)
            references.unsigned(UInt64(distance))
            // The rest of a card never changes.
            references.write(card.lastIndex)
        }
        numbers = newNumbers
        saved.references = references.bytes
        return saved
    }

    /// - Parameter place: where the search begins; the place after the one that was found.
    private func number(of departure: Departure, from place: inout Int) -> Int? {
        for _ in numbers.indices {
            if place >= numbers.count { place = 0 }
            let candidate = place
            place += 1
            if numbers[candidate].departure === departure { return numbers[candidate].number }
        }
        return nil
    }

    /// Saves a card in a new part, and returns the part's number.
    private mutating func add(_ card: LeavingCard, to saved: inout SavedLeavingCards) -> Int {
        var writer = SnapshotWriter.formatted(capacity: 320)
        writer.write(card)
        saved.newParts.append(writer.bytes)
        count += 1
        return count
    }

    /// Reads leaving cards.
    ///
    /// - Parameters:
    ///   - references: those of a snapshot.
    ///   - parts: the newest parts, in order; at least as many as the references need.
    fileprivate mutating func read(references: [UInt8], parts: [[UInt8]]) throws(SnapshotError) -> LeavingCards {
        self = LeavingCardParts()
        count = parts.count
        var reader = SnapshotReader(references[...], format: .latest)
        var cards: [LeavingCard] = []
        for _ in 0..<(try reader.count()) {
            let distance = try reader.unsigned()
            guard distance < UInt64(parts.count) else { throw .damaged }
            let number = parts.count - Int(distance)
            var card = try LeavingCard(part: parts[number - 1])
            card.lastIndex = try reader.read()
            guard card.lastIndex >= 0 else { throw .damaged }
            cards.append(card)
            numbers.append((card.departure, number))
        }
        try reader.requireEnd()
        return try LeavingCards(cards)
    }
}

extension DeckSession {
    /// Restores the leaving cards of a session that was restored from a snapshot without them.
    ///
    /// - Parameters:
    ///   - references: those of the same moment.
    ///   - parts: the newest parts, in order; at least as many as the references need.
    /// - Returns: the parts of the cards.
    /// - Throws: an error that says why the bytes cannot be read.
    public mutating func restoreLeavingCards(
        references: [UInt8],
        parts: [[UInt8]]
    ) throws(SnapshotError) -> LeavingCardParts {
        var saved = LeavingCardParts()
        stage.restore(try saved.read(references: references, parts: parts))
        return saved
    }
}

extension LeavingCard {
    fileprivate init(part bytes: [UInt8]) throws(SnapshotError) {
        var reader = try SnapshotReader(formatted: bytes[...])
        try self.init(from: &reader)
        try reader.requireEnd()
    }
}
