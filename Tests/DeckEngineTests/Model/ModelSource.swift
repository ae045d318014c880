@testable import DeckEngine

/// Random beginnings and steps, all from one seed.
struct ModelSource {
    private var random: SplitMix64
    private var named = 0
    /// Whether swipes are by far the most of the steps, so that the history fills up.
    private let swipesMuch: Bool

    init(seed: UInt64, swipesMuch: Bool = false) {
        random = SplitMix64(seed: seed)
        self.swipesMuch = swipesMuch
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        random.pick(choices)
    }

    private mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &random)
    }

    mutating func start() -> ModelStart {
        var start = ModelStart()
        start.preset = pick(Preset.allCases)
        start.loop = swipesMuch || pick([false, true])
        start.count = swipesMuch ? pick([1, 2, 3, 7]) : pick([0, 1, 2, 3, 7, 7, 50])
        start.isListed = !swipesMuch && pick([false, true])
        start.visible = pick([1, 2, 3, 3, 5])
        start.from = pick(StackOrigin.allCases)
        start.policy = pick([.proceed, .proceed, .queue, .ignore])
        start.allowed = pick([
            [.left, .right], [.left, .right], [.right], [.up, .down, .left, .right], Direction.allCases, [],
            [.left, .topRight],
        ])
        start.threshold = pick([0.4, 0.5, 1])
        start.flings = start.preset == .standard && pick([false, true])
        start.reduced = pick([false, false, false, true])
        start.startIndex = pick([0, 0, 1, start.count])
        start.appears = pick([false, true])
        return start
    }

    mutating func step(_ model: ReferenceDeck, _ start: ModelStart) -> ModelStep {
        let wait = pick([0.0, 0, 8, 16, 16, 50, 120, 200, 350, 900, 3000])
        return ModelStep(swipesMuch ? pick([wait, 16]) : wait, action(model, start))
    }

    private mutating func action(_ model: ReferenceDeck, _ start: ModelStart) -> ModelStep.Action {
        if swipesMuch, pick([true, true, true, false]) { return .swipe(pick([.left, .right]), force: true) }
        let count = model.cards.count
        switch number(below: 40) {
        case 0..<9: return drag(model, start)
        case 9..<15:
            let any = pick(Direction.allCases)
            return .swipe(pick([.left, .right, .right, any]), force: pick([false, true]))
        case 15..<19:
            let from = RevertStyle.from(pick(Direction.allCases))
            return .revert(pick([.fade, .origin, from]), pick([1, 1, 1, 2, 3]))
        case 19, 20: return .redo(pick([1, 1, 2]))
        case 21, 22: return .move(index(count, beyond: 1))
        case 23: return .insertNumbered(pick([0, 1, 2]), at: pick([count, index(count, beyond: 2)]))
        case 24: return insertListed(count)
        case 25: return range(count) { .remove($0, $1) }
        case 26:
            let trait = pick(ModelCard.Trait.allCases)
            return range(count) { .refresh($0, $1, trait) }
        case 27: return .shuffle(random.next() >> 40)
        case 28, 29: return pick([.sendToBack, .putBack])
        case 30: return .reload(pick([start.count, start.count, count, 0, 2, start.count + 3]))
        case 31: return pick([.reset, .appear])
        case 32: return .tap(pick([nil, model.current, index(count, beyond: 1)]))
        case 33: return .nudge(pick([.left, .right, pick(Direction.allCases)]))
        case 34: return .resize(pick([300, 375, 600]), pick([400, 700]))
        case 35, 36: return .configure(change())
        case 37, 38: return scroll(count)
        default: return .tick
        }
    }

    /// An index of a card, or one a little outside.
    private mutating func index(_ count: Int, beyond: Int) -> Int {
        number(below: count + 1 + beyond) - (pick([0, 0, 0, 0, 1]))
    }

    private mutating func range(_ count: Int, _ make: (Int, Int) -> ModelStep.Action) -> ModelStep.Action {
        let from = index(count, beyond: 0)
        return make(from, from + pick([0, 1, 1, 2, 3, count]))
    }

    private mutating func insertListed(_ count: Int) -> ModelStep.Action {
        named += 1
        let names = pick([["n\(named)"], ["n\(named)", "m\(named)"], ["n\(named)", "n\(named)"], ["0"]])
        return .insertListed(names, pick(ModelCard.Trait.allCases), at: index(count, beyond: 1))
    }

    private mutating func change() -> ModelStep.Change {
        switch number(below: 12) {
        case 0, 1: .loop(pick([false, true]))
        case 2, 3: .policy(pick(BusyPolicy.allCases))
        case 4, 5: .threshold(pick([0.4, 0.5, 1]))
        case 6, 7: .allowed(pick([[.left, .right], [.right], Direction.allCases, []]))
        case 8, 9: .visible(pick([1, 2, 3, 4]))
        case 10: .reduced(pick([false, true]))
        default: .preset(pick(Preset.allCases))
        }
    }

    /// Drags end clearly on one side of where they are decided; nearer to it only where the card's own size is the way.
    private mutating func drag(_ model: ReferenceDeck, _ start: ModelStart) -> ModelStep.Action {
        let phase = pick([DragEvent.Phase.began, .changed, .changed, .ended, .ended, .ended, .ended, .cancelled])
        let isExact = start.preset == .standard || start.preset == .flipCarousel
        var x = pick([0.0, 0.1, -0.1, 6, -6, 6, -6])
        var y = 0.0
        if isExact {
            x = pick([x, 0.39, -0.42, 0.48, -0.49, 0.52, 0.6, -0.55, 0.97, -1.06])
            y = pick([0, 0, 0.07, -0.3, 1.21, -0.77])
        } else if pick([false, false, true]) {
            (x, y) = (0, x)
        }
        let speed: Double? = phase == .ended ? pick([0, 0, 0, 5000, -5000]) : nil
        if pick([false, false, false, false, false, true]) { return .drag(phase, x: nil, y: nil, speed: speed) }
        return .drag(phase, x: x * model.width / 2, y: y * model.height / 2, speed: speed)
    }

    private mutating func scroll(_ count: Int) -> ModelStep.Action {
        let phase = pick(DragEvent.Phase.allCases)
        let offset = Double(number(below: 60 * (count + 2)) - 45) + 0.25
        return .scroll(phase, offset: pick([nil, offset, offset]), speed: pick([nil, 0, 700, -250]))
    }
}
