internal import DeckEngine
internal import DeckJournal

/// What the last entry of a session has.
struct SavedSession: Sendable {
    typealias Reserved = HostedSession.State.Reserved

    private var version: Int
    /// The session's time. A refused event moves the time only.
    private var time: Instant
    /// The number of the last notification; 0 if there is none.
    var notification: Int
    /// How the cards are saved.
    private var cards: SavedCards
    /// The parts in which the leaving cards are saved.
    var leavingCards = LeavingCardParts()
    /// The highest numbers that are reserved.
    var reserved: Reserved

    /// A session of which the last entry has everything, and no leaving cards in parts. It reserves no more numbers than were given
    /// out.
    init(_ session: DeckSession, _ cards: SavedCards) {
        version = session.version
        time = session.now
        notification = session.lastNotification
        self.cards = cards
        reserved = Reserved(exactly: session.numbers)
    }

    /// Counts a session as saved by the next entry.
    ///
    /// - Parameter usesBlock: whether the entry also reserves a block of numbers.
    /// - Returns: the cards as the entry has them.
    mutating func take(
        _ session: inout Shared<DeckSession>,
        usesBlock: Bool
    ) -> (cards: CardsChange, leavingCards: SavedLeavingCards) {
        let numbers = session.read(\.numbers)
        reserved = Reserved(exactly: numbers)
        if usesBlock { reserved.addBlock() }
        version = numbers.version
        time = session.read(\.now)
        notification = numbers.notification
        // The session is changed only if it must be, because the outcome of an operation may share it.
        let change = session.read(\.hasUnsavedCards) ? cards.takeChange(of: &session.value) : .unchanged
        return (change, session.read { leavingCards.save($0) })
    }

    /// Whether it has a session as it is, and reserves no more numbers.
    func isExact(_ session: DeckSession) -> Bool {
        let numbers = session.numbers
        return numbers.version == version && reserved == Reserved(exactly: numbers) && session.now == time
    }

    /// Whether nothing but the clock of a session has moved since.
    func hasOnlyMovedClock(_ session: DeckSession) -> Bool {
        session.numbers.version == version && session.now != time
    }
}
