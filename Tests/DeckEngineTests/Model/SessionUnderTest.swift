import DeckEngine

/// The engine as the model sees it: only through its public interface. A fault can be planted to prove that the model
/// finds it.
struct SessionUnderTest {
    private(set) var session: DeckSession
    private var plant: PlantedFault?
    /// The cards as they were saved, and the edits since then.
    private var savedCards: (base: [UInt8], edits: [[UInt8]])

    private init(session: DeckSession, plant: PlantedFault?, savedCards: (base: [UInt8], edits: [[UInt8]])) {
        self.session = session
        self.plant = plant
        self.savedCards = savedCards
    }

    var isPlanted: Bool { plant != nil }

    /// - Returns: the session and its first notifications.
    static func begin(_ start: ModelStart, plant: PlantedFault? = nil) -> (SessionUnderTest, DeckNotifications) {
        let begun = DeckSession.begin(
            deck: start.deck,
            viewport: ModelStart.viewport,
            startIndex: start.startIndex,
            appears: start.appears
        )
        let cards = (base: begun.session.cardsSnapshot(), edits: [[UInt8]]())
        return (SessionUnderTest(session: begun.session, plant: plant, savedCards: cards), begun.notifications)
    }

    mutating func apply(_ event: Event, onlyOn id: String?, at time: Instant) throws -> Outcome {
        guard var plant else { return try session.apply(event, onlyOn: id.map { CardID($0) }, at: time) }
        let before = session
        var outcome = try session.apply(event, onlyOn: id.map { CardID($0) }, at: time)
        plant.corrupt(&outcome, of: event, before)
        self.plant = plant
        return outcome
    }

    mutating func advance(to time: Instant) -> DeckNotifications {
        var notifications = session.advance(to: time)
        plant?.corrupt(&notifications)
        return notifications
    }

    func frame(at time: Instant) -> Frame {
        guard plant != nil else { return session.frame(at: time) }
        var then = self
        _ = then.advance(to: time)
        var frame = session.frame(at: time)
        then.plant?.corrupt(&frame)
        return frame
    }

    /// A copy restored from the session's snapshot, the cards as they were first saved and their edits; nil if that cannot
    /// be read, or if the whole snapshot gives another session.
    mutating func restored() -> SessionUnderTest? {
        switch session.takeUnsavedCards() {
        case .none: break
        case .edits(let bytes): savedCards.edits.append(bytes)
        case .all: savedCards = (session.cardsSnapshot(), [])
        }
        let bytes = session.snapshot(withCards: false)
        guard let copy = try? DeckSession(snapshot: bytes, cards: savedCards.base, edits: savedCards.edits),
            let whole = try? DeckSession(snapshot: session.snapshot(withCards: true)), whole == copy
        else { return nil }
        return SessionUnderTest(session: copy, plant: plant, savedCards: savedCards)
    }
}

/// A fault that is planted in the engine's answers.
struct PlantedFault {
    enum Kind: CaseIterable {
        /// A reset clears all swipes but one.
        case keepsASwipeOverAReset
        /// After a revert over the seam of a loop `didShow` is missing.
        case losesAShowAfterTheSeam
        /// When cards before the front one are removed, its index is one too high.
        case countsARemovedCard
    }

    let kind: Kind
    private var isActive = false
    private var lost = 0

    init(_ kind: Kind) {
        self.kind = kind
    }

    mutating func corrupt(_ outcome: inout Outcome, of event: Event, _ before: DeckSession) {
        if outcome.isApplied {
            switch (kind, event) {
            case (.keepsASwipeOverAReset, .reset): isActive = before.revertibleCount > 0
            case (.countsARemovedCard, .remove(let range)): isActive = range.upperBound <= before.currentIndex
            case (.losesAShowAfterTheSeam, .command(.revert)):
                isActive = before.deck.settings.loop && outcome.index.map { $0 > before.currentIndex } ?? false
            case (.keepsASwipeOverAReset, .tick), (.countsARemovedCard, .tick), (.losesAShowAfterTheSeam, _): break
            default: isActive = false
            }
        }
        corrupt(&outcome.notifications)
    }

    mutating func corrupt(_ notifications: inout DeckNotifications) {
        guard kind == .losesAShowAfterTheSeam else { return }
        var heard = DeckNotifications()
        for notification in notifications {
            var notification = notification
            if isActive, case .didShow = notification.kind {
                isActive = false
                lost += 1
                continue
            }
            notification.sequence = notification.sequence.map { $0 - lost }
            heard.append(notification)
        }
        notifications = heard
    }

    func corrupt(_ frame: inout Frame) {
        switch kind {
        case .keepsASwipeOverAReset: frame.canRevert += isActive ? 1 : 0
        case .countsARemovedCard: frame.currentIndex += isActive ? 1 : 0
        case .losesAShowAfterTheSeam: frame.lastNotification -= lost
        }
    }
}
