internal import DeckEngine
internal import DeckJournal

/// The cards of a session as the journal has them: a base, and the edits since then.
///
/// An edit costs what it changes, but loading the session applies all edits. So the cards are saved as a whole again when
/// the edits have as many bytes as the base, or when applying them would take too long.
struct SavedCards: Sendable {
    /// The maximum number of edits.
    private static let maximumCount = 256
    /// The maximum of the number of edits times the number of cards. An edit of 100,000 cards takes about two milliseconds.
    private static let maximumWork = 10_000_000
    /// With fewer bytes of edits, the cards are not saved as a whole again, however small the base is.
    private static let leastBytes = 4096

    private var baseBytes: Int
    private var editCount = 0
    private var editBytes = 0

    /// Cards without edits.
    init(baseBytes: Int) {
        self.baseBytes = baseBytes
    }

    /// Cards as they were loaded.
    init(_ stored: StoredCards) {
        baseBytes = stored.base.count
        editCount = stored.edits.count
        editBytes = stored.edits.reduce(0) { $0 + $1.count }
    }

    /// Takes the change of a session's cards since the last call, as the next entry has it.
    mutating func takeChange(of session: inout DeckSession) -> CardsChange {
        switch session.takeUnsavedCards() {
        case .none: return .unchanged
        case .edits(let bytes):
            guard hasRoom(for: bytes.count, cards: session.cards.count) else { return replace(with: session) }
            editCount += 1
            editBytes += bytes.count
            return .edited(bytes)
        case .all: return replace(with: session)
        }
    }

    private func hasRoom(for bytes: Int, cards: Int) -> Bool {
        editCount < Self.maximumCount && (editCount + 1) * cards <= Self.maximumWork
            && editBytes + bytes <= max(baseBytes, Self.leastBytes)
    }

    private mutating func replace(with session: DeckSession) -> CardsChange {
        let cards = CardsBase(session.cardsSnapshot())
        self = SavedCards(baseBytes: cards.bytes.count)
        return .replaced(cards)
    }
}
