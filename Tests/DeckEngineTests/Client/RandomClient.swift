import DeckEngine
import RandomTesting

/// A random session and random events that fit it, all from a seed.
struct RandomClient {
    private var random: SeededNumbers

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element { random.pick(choices) }

    private mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

    private mutating func index(below count: Int) -> Int { .random(in: 0..<max(count, 1), using: &random) }

    // MARK: Decks

    mutating func session() -> DeckSession {
        let deck = deck()
        let start = random.chance(0.3) ? Int.random(in: 0...deck.cards.count, using: &random) : 0
        let screen: Size? = random.chance(0.3) ? Size(width: 400, height: 800) : nil
        return DeckSession.begin(
            deck: deck,
            viewport: pick([Size(width: 300, height: 400), Size(width: 375.5, height: 600)]),
            screen: screen,
            startIndex: start,
            appears: random.chance(0.3)
        ).session
    }

    mutating func deck() -> Deck {
        Deck(cards: cards(), settings: settings())
    }

    private mutating func directions() -> Directions {
        if random.chance(0.5) { return [.left, .right] }
        return Directions(Direction.allCases.shuffled(using: &random).filter { _ in random.chance(0.5) })
    }

    private mutating func cards() -> CardList {
        let count = pick([0, 1, 2, 3, 4, 6, 15, 15, 40])
        // A change of the order of a large deck takes as long as thousands of other events.
        if random.chance(0.04) { return .numbered(pick([100_001, 5_000_000])) }
        if random.chance(0.15) { return .numbered(count) }
        return .listed((0..<count).map { card("card-\($0)") })
    }

    private mutating func card(_ id: String) -> Card {
        var card = Card(id: CardID(id))
        if random.chance(0.3) { card.label = "Card “\(id)”" }
        if random.chance(0.2) { card.data = "{\"n\":[1,\"\(id)\"]}" }
        if random.chance(0.15) { card.allowedDirections = directions() }
        if random.chance(0.1) { card.deniedDirections = directions() }
        if random.chance(0.1) { card.dragDirections = directions() }
        if random.chance(0.1) { card.draggable = random.chance(0.5) }
        card.undoable = random.chance(0.9)
        return card
    }

    private mutating func settings() -> DeckSettings {
        var settings = DeckSettings(preset: pick(Preset.allCases))
        settings.loop = random.chance(0.4)
        change(&settings.rules)
        change(&settings.motion)
        settings.appearance.fadeNext = random.chance(0.8)
        settings.appearance.semiTransparent = pick([0.7, 0.123456789])
        settings.overlay.range.curve = pick(Curve.named)
        if random.chance(0.2) { settings.overlay.directions[.right] = OverlayRange() }
        switch settings.layout {
        case .stack(var stack):
            stack.visibleCount = pick([1, 2, 3, 4, 7])
            stack.from = pick(StackOrigin.allCases)
            settings.layout = .stack(stack)
        case .flip(var flip):
            flip.scaleStep = pick([0.1, 0.3, 1])
            settings.layout = .flip(flip)
        case .stretched: break
        }
        return settings
    }

    private mutating func change(_ rules: inout Rules) {
        rules.whileAnimating = pick(BusyPolicy.allCases)
        rules.swipeThreshold = pick([0.2, 0.5, 1])
        if random.chance(0.2) { rules.swipeThresholds[.right] = 0.9 }
        rules.velocityThreshold = pick([nil, 750])
        rules.allowedDirections = directions()
        if random.chance(0.2) { rules.deniedDirections = directions() }
        if random.chance(0.2) { rules.dragDirections = directions() }
        if random.chance(0.3) { rules.confirm = directions() }
        rules.confirmTimeout = pick([0, 500, 10_000])
        if random.chance(0.2) { rules.undoDirections = [.down, .bottomLeft] }
        rules.dragAxis = pick([.free, .free] + DragAxis.allCases)
        rules.refillAt = pick([0, 3, 10])
        if random.chance(0.2) {
            rules.sectors = [Sector(.up, from: -2.4, to: -0.7), Sector(.right, from: -0.7, to: 1.0)]
        }
    }

    private mutating func change(_ motion: inout MotionSettings) {
        motion.tracking = pick(Tracking.allCases)
        motion.appear = random.chance(0.6)
        motion.moveBackground = random.chance(0.7)
        motion.backgroundSpring = pick([nil, SpringSettings(bounciness: 9, speed: 16)])
        motion.dragSpeed = pick([0, 90, 400, 800, 2000])
        motion.backgroundDuration = pick([0, 200, 450])
        motion.revertDuration = pick([0, 300])
        motion.resetDuration = pick([0, 200])
        motion.resetSpring = pick([
            nil, SpringSettings(bounciness: 10, speed: 20), SpringSettings(bounciness: 0, speed: 1),
        ])
        motion.resetEasing = pick(Curve.named)
        motion.exitFollowsFinger = random.chance(0.3)
        motion.flipDuration = pick([0, 400])
        motion.reduced = random.chance(0.1)
    }

    // MARK: Events

    /// The time from one event to the next, milliseconds.
    mutating func pause() -> Double {
        let pause = pick([0, 0, 16, 16, 16, 50, 120, 200, 350, 900, 3000]) * pick([1, 1, 1.375])
        // Times are rounded as the server rounds them.
        return (pause * 64).rounded() / 64
    }

    /// Whether something happens with a probability.
    mutating func chance(_ probability: Double) -> Bool { random.chance(probability) }

    /// The index of a card that an event names, which is mostly the front one.
    mutating func target(in session: DeckSession) -> Int? {
        guard session.cards.count > 0, random.chance(0.3) else { return nil }
        let front = session.currentIndex
        return random.chance(0.8) && front < session.cards.count ? front : index(below: session.cards.count)
    }

    mutating func event(for session: DeckSession) -> Event {
        let count = session.cards.count
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<38: return .drag(drag())
        case 38..<44: return .scroll(scroll())
        case 44..<56: return .swipe(pick(Direction.allCases), force: random.chance(0.3), options())
        case 56..<64:
            return .revert(pick([.fade, .origin, .from(pick(Direction.allCases))]), count: pick([1, 1, 2, 5]))
        case 64..<68: return .command(.redo(count: pick([1, 1, 2])))
        case 68..<72: return .command(.move(to: index(below: count + 2)))
        case 72..<75: return .command(.sendToBack)
        case 75..<78: return .command(.putBack)
        case 78..<80: return .tap(index: pick([nil, index(below: count)]), count: pick([1, 2, 3]))
        case 80..<82: return .press(index: pick([nil, session.currentIndex]))
        case 82..<84: return .flip
        case 84..<87: return .confirm
        case 87..<89: return .deny
        case 89..<91: return .nudge(pick(Direction.allCases))
        default: return rareEvent(for: session)
        }
    }

    private mutating func rareEvent(for session: DeckSession) -> Event {
        let count = session.cards.count
        switch Int.random(in: 0..<11, using: &random) {
        case 0: return .appear
        case 1:
            return .resize(
                viewport: pick([Size(width: 320, height: 480), Size(width: 375.5, height: 600)]),
                screen: nil
            )
        case 2: return .resize(viewport: nil, screen: Size(width: number(300...900), height: 700))
        case 3: return .reset
        case 4:
            let from = index(below: count + 1)
            return .remove(from..<from + pick([1, 2]))
        case 5: return .shuffle(seed: UInt64(index(below: 1 << 40)))
        case 6: return random.chance(0.5) ? .reload(deck()) : .reload(Deck(cards: cards(), settings: session.settings))
        case 7: return .insert(.numbered(pick([1, 3])), at: pick([count, index(below: count)]))
        case 8: return .configure(settings())
        default: return .tick
        }
    }

    private mutating func vector(_ reach: Double) -> Vector {
        Vector(x: number(-reach...reach), y: number(-reach...reach))
    }

    private mutating func drag() -> DragEvent {
        var drag = DragEvent(pick([.began, .changed, .changed, .changed, .ended, .ended, .cancelled]))
        if drag.phase == .changed || random.chance(0.6) { drag.translation = vector(pick([30, 250, 900])) }
        if random.chance(0.3) { drag.location = vector(350) }
        if random.chance(0.3) { drag.velocity = vector(2000) }
        return drag
    }

    private mutating func scroll() -> ScrollEvent {
        var scroll = ScrollEvent(pick([.began, .changed, .changed, .ended, .cancelled]))
        if scroll.phase == .changed || random.chance(0.6) { scroll.offset = number(-100...900) }
        if random.chance(0.4) { scroll.velocity = number(-3000...3000) }
        return scroll
    }

    private mutating func options() -> SwipeOptions {
        var options = SwipeOptions()
        if random.chance(0.2) { options.duration = Milliseconds(number(0...900).rounded()) }
        if random.chance(0.2) { options.easing = pick(Curve.named) }
        if random.chance(0.2) { options.toward = vector(100) }
        return options
    }
}
