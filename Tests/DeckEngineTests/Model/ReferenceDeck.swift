import DeckEngine

/// A deck as the documents describe it, written apart from the engine: cards in a row, the place in it, what was swiped,
/// what is still to arrive and what is notified when. It draws nothing that moves.
struct ReferenceDeck: Equatable {
    /// A swipe that was decided on.
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
        /// Whether it has been gone since, or at the front, or before it, so that it may have been forgotten.
        var isDoubtful = false
    }

    /// A card that was swiped by call, until it is gone.
    struct Flight: Equatable {
        var name: String
        var end: Double
    }

    /// A command that waits.
    struct Waiting: Equatable {
        var action: ModelStep.Action
        var acceptedAt: Double
    }

    /// What can be taken back at most.
    static let depth = 1000
    /// The largest deck that is rearranged.
    static let rearrangeable = 100_000
    /// The last moment that there is, at which every animation is over.
    static let endOfTime = 1e12

    var row: ReferenceRow
    var current: Int
    var settings: DeckSettings
    var width: Double
    var height: Double
    var version = 0

    /// What can be taken back, the latest last.
    var undo: [Swipe] = []
    /// What can be done again, the latest last.
    var redo: [Swipe] = []
    var lastNumber = 0
    var sent: [Sent] = []
    /// The highest number that a card was ever named by.
    var highestNumber = -1
    var hasReloaded = false
    /// Whether few cards left would be asked about.
    var asksForMore = true
    /// How many more were left than that when it was looked at last.
    var countedLast: Int?

    var now = 0.0
    /// When something was done last.
    var changedAt = -1.0
    var pending: [Arrival] = []
    /// The cards behind go back after a reset until then.
    var resetUntil = 0.0
    var flights: [Flight] = []
    var queue: [Waiting] = []
    /// The front card may lean towards a hint until then.
    var nudgeUntil = 0.0
    var finger: ReferenceFinger?

    /// Where a pile is scrolled to, in cards from the first, without end in a loop.
    var pile: ReferenceSpring
    /// Where the pile was when a card was shown last, and which one.
    var shownPlace = 0.0
    var lastShown: String?
    /// The place to which a scroll that is under way goes back.
    var scrollHome: Double?
    /// Whether the front has been beyond the seam since a card was shown.
    var hasCrossedSeam = false

    var lastNotification = 0
    /// What has been notified since the last step began, and whether more cards were asked for meanwhile.
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

    /// Begins a step: nothing has been notified in it yet.
    mutating func begin(_ choices: Choices, isUpright: Bool) {
        told = []
        asked = []
        dragged = nil
        self.choices = AnyChoices(choices)
        self.isUpright = isUpright
    }

    /// The same without what is of a step.
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

    /// Keeps what is to be known of every name that was ever given.
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

/// What is to be notified.
struct Told: Equatable {
    var kind: DeckNotification.Kind
    var id: String?
    var at: Double
}

/// A call for more cards.
struct Asked: Equatable {
    var remaining: Int
    var at: Double
}

/// How far a card was dragged.
struct Dragged: Equatable {
    var index: Int
    var progress: Double
    var direction: Direction
    /// Whether the finger had been there already.
    var isRepeated: Bool
}

/// Choices are not part of what a deck is.
struct AnyChoices: Equatable {
    private var choices: Choices

    init(_ choices: Choices = Choices()) {
        self.choices = choices
    }

    static func == (left: AnyChoices, right: AnyChoices) -> Bool { true }

    func pick(_ count: Int) -> Int { choices.pick(count) }

    /// Whether the other one of two readings holds.
    var isOther: Bool { choices.isOther }
}
