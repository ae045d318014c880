/// One person's deck: a value that events change and frames are read from.
///
/// It has its own clock, which moves only by the times of events and of `advance(to:)`. The same events at the same
/// times give the same frames, bit for bit, whether or not anyone looked in between; a copy is a fork, a dry run or a look
/// ahead.
///
/// It only coordinates three values that keep their own state: the `Pile` of cards, the `Stage` that shows them, and the
/// `Timeline`.
public struct DeckSession: Sendable, Hashable {
    var pile: Pile
    var stage: Stage
    var timeline = Timeline()
    var scene: Scene
    var counters = Counters()

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
        let scene = Scene(settings: deck.settings, viewport: viewport, screen: screen ?? viewport)
        let pile = Pile(deck.cards, startIndex: startIndex, loops: deck.settings.loop)
        var session = DeckSession(pile: pile, stage: Stage(pile, in: scene), scene: scene)
        var notifications: [DeckNotification] = []
        session.announceRebuilt(appears: appears, &notifications)
        session.askForCards(&notifications)
        session.advance(to: session.now, &notifications)
        return (session, notifications)
    }

    // MARK: What it is

    /// Where the session's clock stands.
    public var now: Instant { timeline.now }
    /// The cards as the session last read them, with what the session has changed of them.
    public var cards: CardList { pile.cards }
    /// How the cards are laid out, moved and decided on.
    public var settings: DeckSettings {
        _read { yield scene.settings }
    }
    /// The cards and the settings.
    public var deck: Deck { Deck(cards: pile.cards, settings: scene.settings) }
    /// The deck's size.
    public var viewport: Size { scene.viewport }
    /// The size of what a swiped card has to leave.
    public var screen: Size { scene.screen }
    /// Grows by one with each applied event, and with nothing else.
    public var version: Int { counters.version }
    /// Grows whenever the list of cards, or what one of them holds, may have changed.
    public var cardsRevision: Int { pile.revision }
    /// The number of the last notification.
    public var lastNotification: Int { counters.notification }
    /// The number of the last verdict.
    public var lastVerdict: Int { counters.verdict }
    /// What happened to a verdict last.
    public var lastVerdictChange: VerdictChange? { counters.lastVerdictChange }
    /// What the deck holds of the card of `lastVerdictChange`; nil if there is none, or it is not in the deck any more.
    public var lastVerdictCard: Card? { counters.lastVerdictCard.flatMap(pile.content) }
    /// The index of the front card, or of the one that a carousel is on its way to; the number of cards once the deck has
    /// run out.
    public var currentIndex: Int { pile.frontIndex }
    /// Whether every card has been swiped.
    public var isExhausted: Bool { pile.isExhausted }
    /// How many swipes can be reverted.
    public var revertibleCount: Int { pile.revertibleCount }
    /// How many reverted swipes can be redone.
    public var redoableCount: Int { pile.redoableCount }
    /// How many commands wait for the deck to come to rest.
    public var queuedCount: Int { timeline.queueCount }

    /// The slots that are shown, front first, whether or not a card is there.
    public var slots: [Slot] {
        (0..<settings.layout.visibleCount).map { settings.layout.slot(at: Double($0), in: viewport) }
    }

    // MARK: Events

    /// Applies an event at a time.
    ///
    /// An event that the rules refuse is no error: the outcome says why, and but for the clock the session stays as it
    /// was.
    ///
    /// - Parameter id: the card that has to be in front, by its id; nil: any. A client that decides on the card it shows
    ///   then never decides on the next one, if another client was faster. Queued commands are treated as applied, except
    ///   by taps and hints.
    /// - Throws: `timeRunsBackwards` for a time before `now` or one that is not a number; nothing happens then.
    public mutating func apply(
        _ event: Event,
        onlyOn id: String? = nil,
        at time: Instant
    ) throws(SessionError) -> Outcome {
        guard time >= now else { throw .timeRunsBackwards(now: now) }
        var outcome = Outcome()
        advance(to: time, &outcome.notifications)
        if let refusal = refusal(of: event, onlyOn: id) {
            outcome.refusal = refusal
        } else {
            perform(event, &outcome)
            let rearms = !event.swipes || (stage.isCarousel && event.isGesture)
            askForCards(rearms: rearms, &outcome.notifications)
        }
        if outcome.isApplied { counters.version += 1 }
        outcome.version = version
        // What takes no time has happened by now, so that the answer reports all that its frame shows.
        advance(to: time, &outcome.notifications)
        return outcome
    }

    /// Why an event that names a card is refused before anything else is looked at.
    private func refusal(of event: Event, onlyOn id: String?) -> Refusal? {
        guard let id else { return nil }
        var session = self
        if !event.ignoresQueue {
            session = session.afterQueue
            if event.endsDrags(under: settings.rules) { session = session.afterCarouselDrag }
        }
        guard let front = session.pile.frontCard else { return .noCard }
        return session.pile.content(of: front)?.id == id ? nil : .notFrontCard
    }

    private mutating func perform(_ event: Event, _ outcome: inout Outcome) {
        switch event {
        case .drag(let drag): apply(drag, &outcome)
        case .scroll(let scroll): apply(scroll, &outcome)
        case .command(let command): run(command, &outcome)
        case .reload(let deck): reload(deck, &outcome)
        case .reset: reset(&outcome)
        case .insert(let cards, let index): insert(cards, at: index, &outcome)
        case .remove(let range): remove(range, &outcome)
        case .refresh(let range, let deck): refresh(range, from: deck, &outcome)
        case .shuffle(let seed): shuffle(seed: seed, &outcome)
        case .tap(let index, let count): tap(index, &outcome) { .didSelect(index: $0, count: count) }
        case .press(let index): tap(index, &outcome) { .didPress(index: $0) }
        case .flip: flip(&outcome)
        case .confirm: confirm(&outcome)
        case .deny: deny(&outcome)
        case .nudge(let direction): nudge(direction, &outcome)
        case .appear: appear(&outcome)
        case .resize(let viewport, let screen): resize(viewport, screen: screen, &outcome)
        case .configure(let settings): configure(settings, &outcome)
        case .tick: break
        }
    }

    // MARK: Notifications

    /// Notifies of something that happens now.
    mutating func notify(_ kind: DeckNotification.Kind, _ notifications: inout [DeckNotification]) {
        counters.notification += 1
        notifications.append(notification(kind, sequence: counters.notification))
    }

    /// What happens now, with the id of its card.
    func notification(_ kind: DeckNotification.Kind, sequence: Int?) -> DeckNotification {
        let id = kind.index.flatMap { $0 < pile.count ? pile.cards[$0].id : nil }
        return DeckNotification(sequence: sequence, at: now, kind: kind, cardID: id)
    }

    /// Notifies that the front card is shown.
    mutating func notifyShown(_ notifications: inout [DeckNotification]) {
        counters.lastShown = pile.frontCard
        notify(.didShow(index: pile.frontIndex), &notifications)
    }

    /// Notifies that no card is left.
    mutating func notifyRunOut(_ notifications: inout [DeckNotification]) {
        counters.lastShown = nil
        notify(.didRunOut, &notifications)
    }

    /// How many cards are left beyond those at which more are asked for; nil: a loop never runs short.
    private var supply: Int? {
        settings.loop ? nil : pile.remaining - settings.rules.refillAt
    }

    /// Asks for more cards when few are left. Once it has asked, it asks again only after a change other than a swipe, a
    /// revert or a redo has left more.
    ///
    /// - Parameter rearms: whether the change is of that other kind.
    mutating func askForCards(rearms: Bool = true, _ notifications: inout [DeckNotification]) {
        // What a finger passes in a carousel does not count until it has let go.
        guard !stage.isBeingScrolled else { return }
        let hasChanged = supply != counters.lastSupply
        counters.lastSupply = supply
        guard let supply, supply <= 0 else {
            if rearms, hasChanged { counters.hasAskedForCards = false }
            return
        }
        guard !counters.hasAskedForCards else { return }
        counters.hasAskedForCards = true
        notify(.needsCards(remaining: pile.remaining), &notifications)
    }
}

extension Command {
    /// Whether it swipes cards, or takes swipes back.
    var swipes: Bool {
        switch self {
        case .swipe, .revert, .redo: true
        case .move, .sendToBack, .putBack: false
        }
    }
}

extension Event {
    /// Whether it swipes cards, or takes swipes back.
    fileprivate var swipes: Bool {
        switch self {
        case .drag: true
        case .command(let command): command.swipes
        case .confirm: true
        default: false
        }
    }

    /// Whether a finger does it, which only scrolls a carousel.
    fileprivate var isGesture: Bool {
        if case .drag = self { true } else { false }
    }

    /// Whether queued commands do not count as applied for it.
    fileprivate var ignoresQueue: Bool {
        switch self {
        case .tap, .press, .nudge, .flip, .confirm, .deny: true
        default: false
        }
    }

    /// Whether it lets go of a card that a finger holds, before it is applied.
    fileprivate func endsDrags(under rules: Rules) -> Bool {
        switch self {
        case .command(.swipe): rules.whileAnimating == .queue
        case .command: true
        default: false
        }
    }
}
