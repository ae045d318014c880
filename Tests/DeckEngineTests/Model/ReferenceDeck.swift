import DeckEngine

/// A deck as the documents describe it, implemented independently of the engine: the cards, the position, the swipes,
/// the arrivals that are due, and the notifications with their times. It computes no motion.
struct ReferenceDeck: Equatable {
    /// A decision on a card.
    struct Swipe: Equatable {
        var number: Int
        var at: Double
        var name: String
        /// The card's index when it was swiped.
        var index: Int
        var direction: Direction
    }

    /// A card that was sent to the back.
    struct Sent: Equatable {
        var name: String
        /// Whether it was removed since, or was at the front or before it, so that it may not count any more.
        var isDoubtful = false
    }

    /// A card that was swiped by call, until it has left.
    struct Flight: Equatable {
        var name: String
        var end: Double
    }

    /// A queued command.
    struct Waiting: Equatable {
        var action: ModelStep.Action
        var acceptedAt: Double
    }

    /// The depth of the history.
    static let depth = 1000
    /// The largest deck that can be rearranged.
    static let rearrangeable = 100_000
    /// The last time. Every animation has ended by then.
    static let endOfTime = 1e12

    var row: ReferenceRow
    var current: Int
    var settings: DeckSettings
    var width: Double
    var height: Double
    var version = 0

    /// The swipes that can be reverted, the latest last.
    var undo: [Swipe] = []
    /// The swipes that can be redone, the latest last.
    var redo: [Swipe] = []
    var lastNumber = 0
    var sent: [Sent] = []
    /// The highest counted number of any card so far.
    var highestNumber = -1
    var hasReloaded = false
    /// Whether a low supply would be notified.
    var asksForMore = true
    /// How many cards above that limit were left at the last check.
    var countedLast: Int?

    var now = 0.0
    /// The time of the last event.
    var changedAt = -1.0
    var pending: [Arrival] = []
    /// The cards behind move back after a reset until then.
    var resetUntil = 0.0
    var flights: [Flight] = []
    var queue: [Waiting] = []
    /// The front card may lean for a hint until then.
    var nudgeUntil = 0.0
    var finger: ReferenceFinger?

    /// The scroll position of a carousel, in cards from the first, without end in a loop.
    var pile: ReferenceSpring
    /// The position of the carousel when a card was shown last, and that card.
    var shownPlace = 0.0
    var lastShown: String?
    /// The position to which the current scroll can return.
    var scrollHome: Double?
    /// Whether the front has passed the seam since a card was shown.
    var hasCrossedSeam = false

    var lastNotification = 0
    /// The notifications since the last step began, and whether more cards were requested meanwhile.
    var told: [Told] = []
    var asked: [Asked] = []
    var dragged: Dragged?
    var choices = AnyChoices()
    /// Whether the engine's front card was upright before the step.
    var isUpright = true

    init(_ start: ModelStart) {
        row = start.cards(start.count)
        settings = start.settings
        width = ModelStart.viewport.width
        height = ModelStart.viewport.height
        let count = row.count
        current = settings.loop && count > 0 ? start.startIndex % count : min(start.startIndex, count)
        pile = ReferenceSpring(at: Double(current))
        noteNumbers()
        rebuild(appears: start.appears)
        checkRefill()
        settle(hearing: [])
    }

    var layout: ReferenceLayout {
        ReferenceLayout(layout: settings.layout, width: width, height: height)
    }

    var isPile: Bool { layout.flip != nil }

    var loop: Bool { settings.loop }

    var front: ModelCard? {
        current < row.count ? row[current] : nil
    }

    /// The indices of the cards that are shown at rest, front first.
    var window: [Int] {
        let places = layout.places
        if loop { return (0..<min(places, row.count)).map { (current + $0) % row.count } }
        return Array(current..<max(current, min(current + places, row.count)))
    }

    // MARK: Rules

    func allowed(_ card: ModelCard) -> [Direction] {
        switch card.trait {
        case .onlyRight: [.right]
        case .upToo: [.up, .left, .right]
        default: Array(settings.rules.allowedDirections)
        }
    }

    func denied(_ card: ModelCard) -> [Direction] {
        card.trait == .deniesLeft ? [.left] : Array(settings.rules.deniedDirections)
    }

    func reach(_ card: ModelCard) -> [Direction]? {
        card.trait == .sideways ? [.left, .right] : settings.rules.dragDirections.map { Array($0) }
    }

    func isDraggable(_ card: ModelCard) -> Bool {
        switch card.trait {
        case .stuck: false
        case .loose: true
        default: settings.rules.draggable
        }
    }

    // MARK: Steps

    /// Starts a step, without notifications so far.
    mutating func begin(_ choices: Choices, isUpright: Bool) {
        told = []
        asked = []
        dragged = nil
        self.choices = AnyChoices(choices)
        self.isUpright = isUpright
    }

    /// The same state without the values of a step.
    var kept: ReferenceDeck {
        var kept = self
        kept.begin(Choices(), isUpright: true)
        return kept
    }

    mutating func tell(_ kind: DeckNotification.Kind, named name: String? = nil) {
        let id = name ?? kind.index.map { row[$0].name }
        told.append(Told(kind: kind, id: id, at: now))
        lastNotification += 1
        if case .didShow = kind {
            lastShown = id
            hasCrossedSeam = false
        }
        if case .didRunOut = kind { lastShown = nil }
    }

    /// Records every name that was used.
    mutating func noteNumbers() {
        if row.isCounted {
            highestNumber = max(highestNumber, row.count - 1)
        } else {
            for card in row.cards {
                if let number = Int(card.name), number < 10_000_000 { highestNumber = max(highestNumber, number) }
            }
        }
    }
}

/// A notification that the model expects.
struct Told: Equatable {
    var kind: DeckNotification.Kind
    var id: String?
    var at: Double
}

/// A request for more cards.
struct Asked: Equatable {
    var remaining: Int
    var at: Double
}

/// A notification of how far a card was dragged.
struct Dragged: Equatable {
    var index: Int
    var progress: Double
    var direction: Direction
    /// Whether the finger was already there.
    var isRepeated: Bool
}

/// Choices are not part of a deck's state.
struct AnyChoices: Equatable {
    private var choices: Choices

    init(_ choices: Choices = Choices()) {
        self.choices = choices
    }

    static func == (left: AnyChoices, right: AnyChoices) -> Bool { true }

    func pick(_ count: Int) -> Int { choices.pick(count) }

    /// Whether the second of two readings applies.
    var isOther: Bool { choices.isOther }
}
