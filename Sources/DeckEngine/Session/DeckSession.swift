/// One person's deck: a value that events change and frames are read from.
///
/// It has a clock of its own, which only moves by the times of events and of `advance(to:)`. The same events at the same
/// times give the same frames, bit for bit, whether or not anyone looked in between; a copy is a fork, a rehearsal or a
/// look ahead.
public struct DeckSession: Sendable, Hashable {
    /// The deck as the session last read it.
    public internal(set) var deck: Deck
    /// The deck's size.
    public internal(set) var viewport: Size
    /// The size of what a swiped card has to leave.
    public internal(set) var screen: Size
    /// Where the session's clock stands.
    public internal(set) var now = Milliseconds.zero
    /// Grows by one with each applied event, and with nothing else.
    public internal(set) var version = 0
    /// The number of the last notification.
    public internal(set) var lastNotification = 0
    /// The number of the last verdict.
    public internal(set) var lastVerdict = 0
    /// The front card's index; the number of cards once the deck has run out.
    public internal(set) var currentIndex: Int

    /// The cards in their places, front first. Never more than the layout shows.
    var placed: [PlacedCard] = []
    /// The cards on their way out, the one that left first first.
    var leaving: [LeavingCard] = []
    var drag: Drag?
    var appear: AppearAnimation?
    /// What takes effect later, in the order of the times.
    var scheduled: [Scheduled] = []
    var queue: [Command] = []
    var history = History()
    /// The cards behind go back after a reset until then, which Koloda counts as being busy.
    var resetUntil = Milliseconds.zero

    /// Begins a session at time 0 with the first card at the front.
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
    ) -> (session: DeckSession, notifications: [Notification]) {
        let count = deck.cards.count
        let start = deck.settings.loop && count > 0 ? max(startIndex, 0) % count : min(max(startIndex, 0), count)
        var session = DeckSession(deck: deck, viewport: viewport, screen: screen ?? viewport, currentIndex: start)
        var notifications: [Notification] = []
        session.rebuild(appears: appears, &notifications)
        session.advance(to: session.now, &notifications)
        return (session, notifications)
    }

    private init(deck: Deck, viewport: Size, screen: Size, currentIndex: Int) {
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

    /// The rectangles of every place that is shown and of the one just behind, whether or not a card is there.
    public var slots: [Rect] {
        (0...settings.layout.visibleCount).map { slot(at: $0) }
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
    /// - Throws: `timeRunsBackwards` for a time before `now` or one that is not a number; nothing happens then.
    public mutating func apply(_ event: Event, at time: Milliseconds) throws(SessionError) -> Outcome {
        guard time >= now else { throw .timeRunsBackwards(now: now) }
        var outcome = Outcome(version: version)
        advance(to: time, &outcome.notifications)
        switch event {
        case .drag(let drag): apply(drag, &outcome)
        case .swipe(let direction, let force):
            run(Command(action: .swipe(direction, force: force), acceptedAt: time), &outcome)
        case .revert(let style): run(Command(action: .revert(style), acceptedAt: time), &outcome)
        case .reload(let deck): reload(deck, &outcome.notifications)
        case .reset: reset(&outcome.notifications)
        case .tap(let index): tap(index, &outcome)
        case .tick: break
        }
        if outcome.isApplied { version += 1 }
        outcome.version = version
        // What takes no time has happened by now, so that the answer tells of all that its frame shows.
        advance(to: time, &outcome.notifications)
        return outcome
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
        deck.settings
    }

    func slot(at place: Int) -> Rect {
        settings.layout.slot(at: place, in: viewport)
    }

    /// Tells of something that happens now.
    mutating func notify(_ kind: Notification.Kind, _ notifications: inout [Notification]) {
        lastNotification += 1
        notifications.append(Notification(sequence: lastNotification, at: now, kind: kind))
    }
}
