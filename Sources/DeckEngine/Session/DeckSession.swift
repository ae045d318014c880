/// One person's deck: a value that events change and frames are read from.
///
/// It has a clock of its own, which only moves by the times of events and of `advance(to:)`. The same events at the same
/// times give the same frames, bit for bit, whether or not anyone looked in between; a copy is a fork, a rehearsal or a
/// look ahead.
public struct DeckSession: Sendable, Hashable {
    /// The deck as the session last read it, with what the session has changed of it.
    public internal(set) var deck: Deck
    /// The deck's size.
    public internal(set) var viewport: Size
    /// The size of what a swiped card has to leave.
    public internal(set) var screen: Size
    /// Where the session's clock stands.
    public internal(set) var now = Instant.zero
    /// Grows by one with each applied event, and with nothing else.
    public internal(set) var version = 0
    /// Grows whenever the list of cards, or what one of them holds, may have changed.
    public internal(set) var cardsRevision = 0
    /// The number of the last notification.
    public internal(set) var lastNotification = 0
    /// The number of the last verdict.
    public internal(set) var lastVerdict = 0
    /// What happened to a verdict last.
    public internal(set) var lastVerdictChange: VerdictChange?
    /// The front card's index; the number of cards once the deck has run out.
    public internal(set) var currentIndex: Int

    /// The cards in their places, front first. Never more than the layout shows; of a layout that scrolls only the
    /// front one, since the others follow from where it is scrolled to.
    var placed: [PlacedCard] = []
    /// The cards on their way out, the one that left first first.
    var leaving: [LeavingCard] = []
    var drag: Drag?
    var nudge: Nudge?
    var appear: AppearAnimation?
    /// Where a layout that scrolls is: the place of the deck, in cards from the first, without end in a loop.
    var position = Track(still: 0.0)
    /// What takes effect later, in the order of the times.
    var scheduled: [Scheduled] = []
    var queue: [WaitingCommand] = []
    var history = History()
    var undone = History()
    /// How many cards were sent to the back and can be put back.
    var sentBack = 0
    /// The cards behind go back after a reset until then, which Koloda counts as being busy.
    var resetUntil = Instant.zero

    /// Begins a session at time 0.
    ///
    /// - Parameters:
    ///   - viewport: the deck's size; both sides are above zero.
    ///   - screen: the size of what a swiped card has to leave; the viewport if nil.
    ///   - startIndex: the index of the first card to show, 0...count; count is a deck that has run out. One beyond
    ///     counts as the nearest, and in a loop modulo the count.
    ///   - appears: whether the deck grows into view.
    /// - Returns: the session and what happened at its beginning.
    public static func begin(
        deck: Deck,
        viewport: Size,
        screen: Size? = nil,
        startIndex: Int = 0,
        appears: Bool = false
    ) -> (session: DeckSession, notifications: [DeckNotification]) {
        let count = deck.cards.count
        let start = deck.settings.loop && count > 0 ? max(startIndex, 0) % count : min(max(startIndex, 0), count)
        var session = DeckSession(deck: deck, viewport: viewport, screen: screen ?? viewport, currentIndex: start)
        var notifications: [DeckNotification] = []
        session.rebuild(appears: appears, &notifications)
        session.advance(to: session.now, &notifications)
        return (session, notifications)
    }

    init(deck: Deck, viewport: Size, screen: Size, currentIndex: Int) {
        self.deck = deck
        self.viewport = viewport
        self.screen = screen
        self.currentIndex = currentIndex
    }

    /// Whether every card has been swiped.
    public var isExhausted: Bool {
        currentIndex >= deck.cards.count
    }

    /// How many swipes can be taken back.
    public var revertibleCount: Int {
        history.count
    }

    /// How many swipes that were taken back can be done again.
    public var redoableCount: Int {
        undone.count
    }

    /// The slots of every place that is shown and of the one just behind, whether or not a card is there.
    public var slots: [Slot] {
        (0...settings.layout.visibleCount).map { settings.layout.slot(at: Double($0), in: viewport) }
    }

    /// The cards in their places, front first, by index.
    public var visibleIndices: [Int] {
        placed.map(\.index)
    }

    /// Applies an event at a time.
    ///
    /// An event that the rules refuse is no error: the outcome says why, and but for the clock the session stays as it
    /// was.
    ///
    /// - Parameter id: the card that has to be in front for it, by its name; nil: whichever is. So who decides on a card
    ///   that was shown does not decide on the next one, if meanwhile somebody else was faster. Commands that wait count
    ///   as done, but for taps and hints, which do not wait for them.
    /// - Throws: `timeRunsBackwards` for a time before `now` or one that is not a number; nothing happens then.
    public mutating func apply(
        _ event: Event,
        onlyOn id: String? = nil,
        at time: Instant
    ) throws(SessionError) -> Outcome {
        var outcome = Outcome(version: version)
        try apply(event, onlyOn: id, at: time, into: &outcome)
        return outcome
    }

    /// Applies an event at a time, and overwrites an outcome whose storage is used again.
    ///
    /// - Throws: as `apply(_:onlyOn:at:)` does.
    public mutating func apply(
        _ event: Event,
        onlyOn id: String? = nil,
        at time: Instant,
        into outcome: inout Outcome
    ) throws(SessionError) {
        guard time >= now else { throw .timeRunsBackwards(now: now) }
        outcome.begin(version: version)
        advance(to: time, &outcome.notifications)
        if let id, front(for: event)?.id != id {
            outcome.refusal = .noCard
        } else {
            perform(event, &outcome)
        }
        if outcome.isApplied { version += 1 }
        outcome.version = version
        // What takes no time has happened by now, so that the answer tells of all that its frame shows.
        advance(to: time, &outcome.notifications)
    }

    /// The card that an event would find in front.
    private func front(for event: Event) -> Card? {
        switch event {
        case _ where queue.isEmpty, .tap, .nudge:
            return placed.first.map { deck.cards[$0.index] }
        default:
            return afterWaitingCommands.front(for: event)
        }
    }

    private mutating func perform(_ event: Event, _ outcome: inout Outcome) {
        switch event {
        case .drag(let drag): apply(drag, &outcome)
        case .scroll(let scroll): apply(scroll, &outcome)
        case .command(let command): run(command, &outcome)
        case .reload(let deck): reload(deck, &outcome.notifications)
        case .reset: reset(&outcome.notifications)
        case .insert(let cards, let index): insert(cards, at: index, &outcome)
        case .remove(let range): remove(range, &outcome)
        case .refresh(let range, let deck): refresh(range, from: deck, &outcome)
        case .shuffle(let seed): shuffle(seed: seed, &outcome)
        case .tap(let index): tap(index, &outcome)
        case .nudge(let direction): nudge(direction, &outcome)
        case .appear: appear(&outcome)
        case .resize(let viewport, let screen): resize(viewport, screen: screen)
        case .configure(let settings): configure(settings, &outcome.notifications)
        case .tick: break
        }
    }

    private mutating func tap(_ index: Int?, _ outcome: inout Outcome) {
        if let index, !(0..<deck.cards.count).contains(index) {
            outcome.refusal = .indexOutOfRange
            return
        }
        // Only the front card takes taps: one that is meant for another card is stale, or went through the front one.
        guard let front = placed.first, front.index == index ?? front.index else {
            outcome.refusal = .noCard
            return
        }
        outcome.index = front.index
        notify(.didSelect(index: front.index), &outcome.notifications)
    }

    var settings: DeckSettings {
        _read { yield deck.settings }
    }

    func slot(at place: Int) -> Rect {
        settings.layout.slot(at: Double(place), in: viewport).rect
    }

    /// Tells of something that happens now.
    mutating func notify(_ kind: DeckNotification.Kind, _ notifications: inout [DeckNotification]) {
        lastNotification += 1
        tell(kind, sequence: lastNotification, &notifications)
    }

    /// Tells of something that happens now and is not kept.
    mutating func tell(
        _ kind: DeckNotification.Kind,
        sequence: Int? = nil,
        _ notifications: inout [DeckNotification]
    ) {
        let card = kind.index.flatMap { $0 < deck.cards.count ? deck.cards[$0].id : nil }
        notifications.append(DeckNotification(sequence: sequence, at: now, kind: kind, cardID: card))
    }
}
