import RandomTesting
import Testing

@testable import DeckEngine

/// A random session and its events, all from a seed. The seed is the argument of the test, which a failure prints.
struct RandomSession {
    struct Step {
        var event: Event
        var time: Instant
    }

    /// The seeds that every random test runs through.
    static let seeds = Array(UInt64(1)...120)

    var deck: Deck
    var viewport: Size
    var startIndex: Int
    var appears: Bool
    var steps: [Step] = []

    /// - Parameter isTimeless: whether animations may have a duration of zero.
    init(seed: UInt64, stepCount: Int = 60, isTimeless: Bool = true) {
        var random = SeededNumbers(seed: seed)
        deck = Self.deck(isTimeless, using: &random)
        viewport = random.pick([Size(width: 300, height: 400), Size(width: 375, height: 600)])
        startIndex = random.chance(0.3) ? Int.random(in: 0...deck.cards.count, using: &random) : 0
        appears = random.chance(0.3)
        var time = 0.0
        var current = deck
        for _ in 0..<stepCount {
            time += random.pick([0, 0, 16, 16, 16, 50, 120, 200, 350, 900, 3000]) * random.pick([1, 1, 1.37])
            steps.append(Step(event: Self.event(&current, isTimeless, using: &random), time: Instant(time)))
        }
    }

    func begin() -> DeckSession {
        DeckSession.begin(deck: deck, viewport: viewport, startIndex: startIndex, appears: appears).session
    }

    private static func deck(_ isTimeless: Bool, using random: inout SeededNumbers) -> Deck {
        var settings = DeckSettings(preset: random.pick(Preset.allCases))
        settings.loop = random.chance(0.4)
        settings.rules.whileAnimating = random.pick(BusyPolicy.allCases)
        settings.rules.swipeThreshold = random.pick([0.2, 0.5, 1])
        settings.rules.velocityThreshold = random.pick([nil, 750])
        settings.rules.allowedDirections = directions(using: &random)
        if random.chance(0.2) { settings.rules.deniedDirections = directions(using: &random) }
        settings.motion.tracking = random.pick(Tracking.allCases)
        settings.motion.appear = random.chance(0.6)
        settings.motion.moveBackground = random.chance(0.7)
        settings.motion.backgroundSpring = random.pick([nil, SpringSettings(bounciness: 9, speed: 16)])
        settings.motion.dragSpeed = random.pick([isTimeless ? 0 : 90, 90, 400, 800, 2000])
        settings.motion.backgroundDuration = random.pick([isTimeless ? 0 : 200, 200, 450])
        settings.motion.revertDuration = random.pick([isTimeless ? 0 : 300, 300])
        settings.motion.resetDuration = random.pick([isTimeless ? 0 : 200, 200])
        settings.motion.resetSpring?.bounciness = random.pick([10, 0, 20])
        settings.appearance.fadeNext = random.chance(0.8)
        if case .stack(var stack) = settings.layout {
            stack.visibleCount = random.pick([1, 2, 3, 4, 7])
            stack.from = random.pick(StackOrigin.allCases)
            settings.layout = .stack(stack)
        }
        return Deck(cards: cards(using: &random), settings: settings)
    }

    private static func directions(using random: inout SeededNumbers) -> Directions {
        if random.chance(0.5) { return [.left, .right] }
        return Directions(Direction.allCases.filter { _ in random.chance(0.5) })
    }

    private static func cards(using random: inout SeededNumbers) -> CardList {
        let count = random.pick([0, 1, 2, 3, 4, 6, 15, 15])
        if random.chance(0.4) { return .numbered(count) }
        return .listed(
            (0..<count).map { index in
                var card = Card(id: "card-\(index)")
                if random.chance(0.15) { card.allowedDirections = directions(using: &random) }
                if random.chance(0.1) { card.deniedDirections = directions(using: &random) }
                if random.chance(0.1) { card.draggable = random.chance(0.5) }
                card.undoable = random.chance(0.9)
                return card
            }
        )
    }

    private static func event(_ current: inout Deck, _ isTimeless: Bool, using random: inout SeededNumbers) -> Event {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: return .drag(dragEvent(using: &random))
        case 50..<70: return .swipe(random.pick(Direction.allCases), force: random.chance(0.3))
        case 70..<85: return .revert(random.pick([.fade, .origin, .from(random.pick(Direction.allCases))]))
        case 85..<91:
            if random.chance(0.7) {
                current.cards = cards(using: &random)
            } else {
                current = deck(isTimeless, using: &random)
            }
            return .reload(current)
        case 91..<93: return .reset
        case 93..<97: return .tap(index: random.chance(0.5) ? nil : Int.random(in: -1...6, using: &random))
        default: return .tick
        }
    }

    private static func dragEvent(using random: inout SeededNumbers) -> DragEvent {
        func vector(_ reach: Double) -> Vector {
            Vector(x: .random(in: -reach...reach, using: &random), y: .random(in: -reach...reach, using: &random))
        }
        let phase = random.pick([DragEvent.Phase.began, .changed, .changed, .ended, .ended, .cancelled])
        var event = DragEvent(phase)
        if random.chance(phase == .began ? 0.2 : 0.8) { event.translation = vector(random.pick([30, 250, 900])) }
        if random.chance(0.3) { event.location = vector(350) }
        if random.chance(0.3) { event.velocity = vector(2000) }
        return event
    }
}
