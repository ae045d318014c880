/// One user's deck: a value that events change and frames are read from.
///
/// It has its own clock. Only `apply(_:onlyOn:at:)` and `advance(to:)` move that clock, to the time that they get. The same
/// events at the same times give the same frames, bit for bit, no matter how often frames are read in between. Forks, dry
/// runs and looks ahead work on copies of the value.
///
/// It coordinates three values with private state: the `Pile` of cards, the `Stage` that shows them, and the `Timeline`.
/// Beside them it has the `Scene` (the settings and the sizes) and the `Counters`.
public struct DeckSession: Sendable, Hashable {
    #if hasFeature(Embedded)
    // In WebAssembly these three values are stored behind references. Without references the compiler makes long code to
    // copy them, and the size of the code matters more there than the time of an allocation.
    private var sharedPile: Shared<Pile>
    private var sharedStage: Shared<Stage>
    private var sharedScene: Shared<Scene>
    var pile: Pile {
        unsafeAddress { sharedPile.address }
        unsafeMutableAddress { sharedPile.ownAddress() }
    }
    var stage: Stage {
        unsafeAddress { sharedStage.address }
        unsafeMutableAddress { sharedStage.ownAddress() }
    }
    var scene: Scene {
        unsafeAddress { sharedScene.address }
        unsafeMutableAddress { sharedScene.ownAddress() }
    }
    #else
    var pile: Pile
    var stage: Stage
    var scene: Scene
    #endif
    var timeline = Timeline()
    var counters = Counters()

    init(
        pile: Pile,
        stage: Stage,
        scene: Scene,
        timeline: Timeline = Timeline(),
        counters: Counters = Counters()
    ) {
        #if hasFeature(Embedded)
        sharedPile = Shared(pile)
        sharedStage = Shared(stage)
        sharedScene = Shared(scene)
        #else
        self.pile = pile
        self.stage = stage
        self.scene = scene
        #endif
        self.timeline = timeline
        self.counters = counters
    }

    /// Creates a session at time 0.
    ///
    /// - Parameters:
    ///   - viewport: the deck's size; both sides are above zero.
    ///   - screen: the area that a swiped card must leave; the viewport if nil.
    ///   - startIndex: the index of the first card to show. A value below 0 counts as 0. Without a loop, a value above the
    ///     number of cards counts as that number, with which the deck has run out. In a loop, it is taken modulo that number.
    ///   - appears: whether the deck grows into view.
    ///   - numbers: the version that it begins with, and the numbers before its first notification and its first verdict.
    /// - Returns: the session and its first notifications.
    public static func begin(
        deck: Deck,
        viewport: Size,
        screen: Size? = nil,
        startIndex: Int = 0,
        appears: Bool = false,
        above numbers: SessionNumbers = SessionNumbers()
    ) -> (session: DeckSession, notifications: DeckNotifications) {
        let scene = Scene(sharedSettings: deck.sharedSettings, viewport: viewport, screen: screen ?? viewport)
        let pile = Pile(deck.cards, startIndex: startIndex, loops: deck.settings.loop)
        var session = DeckSession(pile: pile, stage: Stage(pile, in: scene), scene: scene)
        session.counters = Counters(above: numbers)
        var notifications = DeckNotifications()
        session.announceRebuilt(appears: appears, &notifications)
        session.askForCards(&notifications)
        session.advance(to: session.now, &notifications)
        return (session, notifications)
    }

    // MARK: State

    /// The current time of the session's clock.
    public var now: Instant { timeline.now }
    /// The cards as last loaded, with the changes that the session made.
    public var cards: CardList { pile.cards }
    /// The layout, the rules, the motion and the appearance.
    public var settings: DeckSettings {
        unsafeAddress { scene.sharedSettings.address }
    }
    /// The cards and the settings.
    public var deck: Deck { Deck(cards: pile.cards, settings: scene.sharedSettings) }
    /// The deck's size.
    public var viewport: Size { scene.viewport }
    /// The area that a swiped card must leave.
    public var screen: Size { scene.screen }
    /// Grows by one with each applied event. Only `raiseNumbers(to:)` can raise it by more.
    public var version: SerialNumber { counters.version }
    /// Grows whenever the list of cards, or the content of a card, may have changed.
    public var cardsRevision: Int { pile.revision }
    /// The number of the last notification.
    public var lastNotification: SerialNumber { counters.notification }
    /// The number of the last verdict.
    public var lastVerdict: SerialNumber { counters.verdict }
    /// The last change of a verdict.
    public var lastVerdictChange: VerdictChange? { counters.lastVerdictChange }
    /// The card of `lastVerdictChange`; nil if there is none, or if it is no longer in the deck.
    public var lastVerdictCard: Card? { counters.lastVerdictCard.flatMap { pile.content(of: $0) } }
    /// The index of the front card, or of the one that a carousel is on its way to; the number of cards once the deck has
    /// run out.
    public var currentIndex: Int { pile.frontIndex }
    /// The id of the card at an index; nil: there is no such card.
    public func cardID(at index: Int) -> CardID? {
        (0..<pile.count).contains(index) ? pile.cards.id(at: index) : nil
    }
    /// Whether the deck has run out: there is no front card.
    public var isExhausted: Bool { pile.isExhausted }
    /// How many swipes can be reverted.
    public var revertibleCount: Int { pile.revertibleCount }
    /// How many reverted swipes can be redone.
    public var redoableCount: Int { pile.redoableCount }
    /// The numbers of the verdicts that can be reverted, ascending. The other verdicts do not change any more.
    public var revertibleVerdicts: [SerialNumber] { pile.revertibleVerdicts }
    /// How many commands wait for the deck to come to rest.
    public var queuedCount: Int { timeline.queueCount }
    /// How many changes the queued commands make.
    public var queuedStepCount: Int { timeline.queuedStepCount }
    /// How many of the queued commands change the order of the cards.
    public var queuedRearrangementCount: Int { timeline.queuedRearrangementCount }

    /// The visible slots, front first, including slots without a card.
    public var slots: [Slot] {
        (0..<settings.layout.visibleCount).map { settings.layout.slot(at: Double($0), in: viewport) }
    }

    // MARK: Events

    /// Applies an event at a time.
    ///
    /// An event that the rules refuse is not an error: the outcome has the reason, and only the clock of the session
    /// changes.
    ///
    /// - Parameter id: the id that the front card must have; nil: any id. A client passes the id of the card that it shows.
    ///   The event is then refused if another client has already brought the next card to the front. The check assumes that
    ///   queued commands have taken effect, except for taps, presses, flips, hints, confirmations and denials.
    /// - Throws: `timeRunsBackwards` for a time before `now` and for NaN; the session is then unchanged.
    public mutating func apply(
        _ event: Event,
        onlyOn id: CardID? = nil,
        at time: Instant
    ) throws(SessionError) -> Outcome {
        guard time >= now else { throw .timeRunsBackwards(now: now) }
        var outcome = Outcome()
        advance(to: time, &outcome.notifications)
        if let id, let refusal = refusal(of: event, onlyOn: id) {
            outcome.refusal = refusal
        } else {
            perform(event, &outcome)
            let rearms = !event.swipes || (stage.isCarousel && event.isGesture)
            askForCards(rearms: rearms, &outcome.notifications)
        }
        if outcome.isApplied { counters.version += 1 }
        outcome.version = version
        // Applies the effects that are due at this same time, so that the outcome has the notifications of everything that a
        // frame at this time shows.
        advance(to: time, &outcome.notifications)
        return consume outcome
    }

    /// The refusal if the front card does not have the required id; nil: the id is right. This is checked before anything else.
    private func refusal(of event: Event, onlyOn id: CardID) -> Refusal? {
        var session = self
        if !event.ignoresQueue {
            session = session.afterQueue
            if event.endsDrags(under: settings.rules) { session = session.afterCarouselDrag }
        }
        guard !session.isExhausted else { return .noCard }
        let index = event.isOnShownCard ? session.shownIndex(at: now) : session.currentIndex
        return session.cardID(at: index) == id ? nil : .notFrontCard
    }

    private mutating func perform(_ event: Event, _ outcome: inout Outcome) {
        switch event {
        case .drag(let drag): apply(drag, &outcome)
        case .scroll(let scroll): apply(scroll, &outcome)
        case .command(let command): run(command, &outcome)
        case .reset: reset(&outcome)
        case .remove(let range): remove(range, &outcome)
        case .shuffle(let seed): shuffle(seed: seed, &outcome)
        case .tap(let index, let count): tap(index, &outcome) { .didSelect(index: $0, count: count) }
        case .press(let index): tap(index, &outcome) { .didPress(index: $0) }
        case .flip: flip(&outcome)
        case .confirm: confirm(&outcome)
        case .deny: deny(&outcome)
        case .nudge(let direction): nudge(direction, &outcome)
        case .appear: appear(&outcome)
        case .resize(let viewport, let screen): resize(viewport, screen: screen, &outcome)
        #if !hasFeature(Embedded)
        case .reload(let deck): reload(deck, &outcome)
        case .insert(let cards, let index): insert(cards, at: index, &outcome)
        case .refresh(let range, let deck): refresh(range, from: deck, &outcome)
        case .configure(let settings): configure(settings, &outcome)
        #endif
        case .tick: break
        }
    }

    /// The version, and the numbers of the last notification and the last verdict.
    public var numbers: SessionNumbers {
        SessionNumbers(version: version, notification: lastNotification, verdict: lastVerdict)
    }

    #if !hasFeature(Embedded)
    /// Raises each of the last numbers that is lower. The next numbers are then above every number that a copy of the
    /// session may have given out elsewhere.
    ///
    /// If the number of verdicts is raised, queued commands take effect first, because the numbers of their verdicts were
    /// reported when they were queued.
    ///
    /// - Returns: the notifications of these commands.
    public mutating func raiseNumbers(to numbers: SessionNumbers) -> DeckNotifications {
        counters.version = max(counters.version, numbers.version)
        counters.notification = max(counters.notification, numbers.notification)
        var notifications = DeckNotifications()
        guard numbers.verdict > counters.verdict else { return notifications }
        performQueue(&notifications)
        counters.verdict = max(counters.verdict, numbers.verdict)
        return notifications
    }
    #endif

    // MARK: Notifications

    /// Adds a notification of something that happens now.
    mutating func notify(_ kind: DeckNotification.Kind, _ notifications: inout DeckNotifications) {
        counters.notification += 1
        notifications.append(notification(kind, sequence: counters.notification))
    }

    /// A notification of something that happens now, with the id of its card.
    @inline(__always)
    func notification(_ kind: DeckNotification.Kind, sequence: SerialNumber?) -> DeckNotification {
        let id = kind.index.flatMap { $0 < pile.count ? pile.cards.id(at: $0) : nil }
        return DeckNotification(sequence: sequence, at: now, kind: kind, cardID: id)
    }

    /// Notifies that the front card is shown.
    mutating func notifyShown(_ notifications: inout DeckNotifications) {
        counters.lastShown = pile.frontCard
        notify(.didShow(index: pile.frontIndex), &notifications)
    }

    /// Notifies that no card is left.
    mutating func notifyRunOut(_ notifications: inout DeckNotifications) {
        counters.lastShown = nil
        notify(.didRunOut, &notifications)
    }

    /// The number of remaining cards minus `rules.refillAt`. At 0 and below, more cards are requested. Nil in a loop, which
    /// never runs out.
    private var supply: Int? {
        settings.loop ? nil : pile.remaining - settings.rules.refillAt
    }

    /// Sends `needsCards` once when `rules.refillAt` or fewer cards are left. It can be sent again only after a change other
    /// than a swipe, a revert or a redo has raised the number of cards above that limit.
    ///
    /// - Parameter rearms: whether the change is not a swipe, a revert or a redo, so that `needsCards` can be sent again.
    mutating func askForCards(rearms: Bool = true, _ notifications: inout DeckNotifications) {
        // The cards that a finger passes in a carousel do not count until it lets go.
        guard !stage.isBeingScrolled else { return }
        let hasGrown = supply ?? .max > counters.lastSupply ?? .max
        counters.lastSupply = supply
        guard let supply, supply <= 0 else {
            if rearms, hasGrown { counters.hasAskedForCards = false }
            return
        }
        guard !counters.hasAskedForCards else { return }
        counters.hasAskedForCards = true
        notify(.needsCards(remaining: pile.remaining), &notifications)
    }
}

extension Command {
    /// Whether it swipes cards, or reverts or redoes swipes.
    var swipes: Bool {
        switch self {
        case .swipe, .revert, .redo: true
        case .move, .sendToBack, .putBack: false
        }
    }
}

extension Event {
    /// Whether it can swipe a card, or revert or redo a swipe.
    fileprivate var swipes: Bool {
        switch self {
        case .drag: true
        case .command(let command): command.swipes
        case .confirm: true
        default: false
        }
    }

    /// Whether it is a drag. In a carousel a drag only scrolls.
    fileprivate var isGesture: Bool {
        if case .drag = self { true } else { false }
    }

    /// Whether it is an event of a finger, which touches what is seen. A gliding carousel shows another card than its front card.
    fileprivate var isOnShownCard: Bool {
        switch self {
        case .drag, .scroll, .tap, .press: true
        default: false
        }
    }

    /// Whether it treats queued commands as not yet applied.
    fileprivate var ignoresQueue: Bool {
        switch self {
        case .tap, .press, .nudge, .flip, .confirm, .deny: true
        default: false
        }
    }

    /// Whether the event ends a drag before it takes effect.
    fileprivate func endsDrags(under rules: Rules) -> Bool {
        switch self {
        case .command(.swipe): rules.whileAnimating == .queue
        case .command: true
        default: false
        }
    }
}
