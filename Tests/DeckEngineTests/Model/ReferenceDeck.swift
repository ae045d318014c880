import DeckEngine

/// A deck as one would keep it on paper: names in a row, the place in it, and lists of what was swiped. It knows no time
/// and no motion, and was written apart from the engine.
struct ReferenceDeck {
    /// A swipe that was decided on.
    struct Swipe: Equatable {
        var number: Int
        /// The card's name now, by which the card is found again.
        var name: String
        /// The card's name when it was swiped.
        var formerName: String
        /// The card's index when it was swiped.
        var index: Int
        var direction: Direction
    }

    /// How the deck is laid out, as far as it matters for where a drag ends.
    enum Look: Equatable {
        case stack(StackOrigin), stretched, flip
    }

    var cards: [ModelCard]
    var current: Int
    /// What can be taken back, the latest last.
    var undo: [Swipe] = []
    /// What can be done again, the latest last.
    var redo: [Swipe] = []
    /// Every verdict that stands, however old.
    var standing: [Swipe] = []
    /// The names of the cards that were sent to the back.
    var sent: [String] = []
    var lastNumber = 0
    var given = 0
    var reverted = 0

    /// Where the finger is, if one holds the front card.
    var finger: (x: Double, y: Double)?
    /// The index that a scrolled deck goes back to when its drag is cancelled.
    var heldIndex = 0
    /// Whether a scrolled deck was left between two cards.
    var isLoose = false

    var loop: Bool
    var look: Look
    var visible: Int
    var allowed: [Direction]
    var threshold: Double
    var flings: Bool
    var pullsBack: Bool
    var width = 300.0
    var height = 400.0

    /// What can be taken back at most.
    static let depth = 1000

    init(_ start: ModelStart) {
        cards = start.cards(start.count)
        loop = start.loop
        current = start.loop && start.count > 0 ? start.startIndex % start.count : min(start.startIndex, start.count)
        look = Self.look(start.preset, start.from)
        visible = start.visible
        allowed = start.allowed
        threshold = start.threshold
        flings = start.flings
        pullsBack = start.preset == .standard || start.preset == .flipCarousel
    }

    static func look(_ preset: Preset, _ from: StackOrigin) -> Look {
        switch preset {
        case .standard, .koloda: .stack(from)
        case .kolodaBackground: .stretched
        case .flipCarousel: .flip
        }
    }

    var front: ModelCard? {
        current < cards.count ? cards[current] : nil
    }

    /// The indices of the cards that are shown at rest, front first.
    var window: [Int] {
        let places =
            switch look {
            case .stack: visible
            case .stretched: 2
            case .flip: 10
            }
        if loop { return (0..<min(places, cards.count)).map { (current + $0) % cards.count } }
        return Array(current..<max(current, min(current + places, cards.count)))
    }

    func index(of name: String) -> Int? {
        cards.firstIndex { $0.name == name }
    }

    // MARK: Rules

    func allowed(_ card: ModelCard) -> [Direction] {
        switch card.trait {
        case .onlyRight: [.right]
        case .upToo: [.up, .left, .right]
        case .plain, .final, .stuck, .deniesLeft: allowed
        }
    }

    func isDenied(_ direction: Direction, _ card: ModelCard) -> Bool {
        card.trait == .deniesLeft && direction == .left
    }

    /// Half the front card, which is the whole way.
    private var half: (x: Double, y: Double) {
        switch look {
        case .stack(let from):
            let margins = 4 * Double(visible - 1)
            let name = "\(from)".lowercased()
            let isSideways = name.contains("left") || name.contains("right")
            let isUpright = name.contains("top") || name.contains("bottom")
            return ((width - (isSideways ? margins : 0)) / 2, (height - (isUpright ? margins : 0)) / 2)
        case .stretched: return ((width - 20) / 2, (width - 20) * 1.25 / 2)
        case .flip: return (150, 100)
        }
    }

    /// What letting go of the front card does.
    func release(speed: Double) -> (ending: Ending, direction: Direction?) {
        guard let finger, let front else { return (.reset(.cancelled), nil) }
        let along: [(direction: Direction, distance: Double, part: Double)] = allowed(front).map { direction in
            let name = "\(direction)".lowercased()
            let x: Double = name.contains("left") ? -1 : name.contains("right") ? 1 : 0
            let y: Double = name.contains("up") || name.contains("top") ? -1 : x == 0 || name.contains("bottom") ? 1 : 0
            let (wayX, wayY) = (finger.x / half.x, finger.y / half.y)
            let distance = (wayX - x) * (wayX - x) + (wayY - y) * (wayY - y)
            return (direction, distance, (wayX * x + wayY * y) / (x * x + y * y))
        }
        var nearest = along.first
        for candidate in along where candidate.distance < nearest?.distance ?? 0 { nearest = candidate }
        guard let nearest else { return (.reset(.directionNotAllowed), nil) }
        let name = "\(nearest.direction)".lowercased()
        let towards = speed * (name.contains("left") ? -1 : name.contains("right") ? 1 : 0)
        let isFar = nearest.part > 0 && min(nearest.part, 1) >= threshold
        let isFlung = flings && nearest.part > 0 && towards > 2000
        guard isFar || isFlung else { return (.reset(.belowThreshold), nearest.direction) }
        if flings, pullsBack, towards < -2000 { return (.reset(.pulledBack), nearest.direction) }
        if isDenied(nearest.direction, front) { return (.reset(.directionDenied), nearest.direction) }
        return (.swiped, nearest.direction)
    }
}
