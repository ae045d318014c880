import DeckEngine
import RandomTesting

/// Random sessions and steps, from one seed.
struct ModelSource {
    /// The main subject of a run.
    enum Theme {
        case anything
        /// Enough swipes that the history is full.
        case swipes
        /// Enough cards that some commands are not allowed.
        case manyCards
    }

    var random: SeededNumbers
    private let theme: Theme
    private var named = 0
    /// The remaining steps of a gesture.
    private var gesture: [ModelStep] = []

    init(seed: UInt64, _ theme: Theme = .anything) {
        random = SeededNumbers(seed: seed)
        self.theme = theme
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        random.pick(choices)
    }

    mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<max(bound, 1), using: &random)
    }

    mutating func start() -> ModelStart {
        var start = ModelStart()
        start.preset = pick(Preset.allCases)
        start.loop = theme == .swipes || pick([false, true])
        start.count = pick([0, 1, 2, 3, 7, 7, 50])
        if theme == .swipes { start.count = pick([1, 2, 3, 7]) }
        if theme == .manyCards { start.count = pick([100_000, 100_000, 100_001, 99_999]) }
        start.isListed = theme != .swipes && start.count <= ReferenceDeck.rearrangeable && pick([false, true])
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
        start.startIndex = pick([0, 0, 1, start.count, max(start.count - 2, 0)])
        start.appears = pick([false, true])
        start.changes = (0..<pick([0, 0, 1, 3, 6])).map { _ in liveChange() }
        return start
    }

    mutating func step(_ model: ReferenceDeck, _ start: ModelStart) -> ModelStep {
        if !gesture.isEmpty { return gesture.removeFirst() }
        if theme != .swipes, random.chance(0.1) {
            gesture = flick(model)
            if !gesture.isEmpty { return gesture.removeFirst() }
        }
        var step = ModelStep(wait(model), action(model, start))
        switch step.action {
        case .finger, .swipe, .tap, .nudge, .sendToBack:
            if random.chance(0.1) { step.target = pick([.front, .front, .other, .unknown]) }
        default: break
        }
        step.isThorough = theme != .manyCards && random.chance(0.1)
        return step
    }

    private mutating func wait(_ model: ReferenceDeck) -> Double {
        var wait = pick([0.0, 0, 8, 16, 16, 50, 120, 200, 350, 900, 3000])
        if theme == .swipes { wait = pick([wait, 16]) }
        switch number(below: 200) {
        case 0..<10: wait += pick([0.25, 1.0 / 3, 1e-3])
        case 10: wait = pick([60_000, 1e6, 1e9])
        case 11 where number(below: 10) == 0: wait = ReferenceDeck.endOfTime - model.now - pick([0, 50, 5000])
        default: break
        }
        return max(0, min(wait, ReferenceDeck.endOfTime - model.now))
    }

    private mutating func action(_ model: ReferenceDeck, _ start: ModelStart) -> ModelStep.Action {
        if theme == .swipes, pick([true, true, true, false]) { return .swipe(pick([.left, .right]), force: true) }
        let count = model.row.count
        switch number(below: 42) {
        case 0..<9: return drag(model)
        case 9..<15:
            let any = pick(Direction.allCases)
            return .swipe(pick([.left, .right, .right, any]), force: pick([false, true]))
        case 15..<19:
            let from = RevertStyle.from(pick(Direction.allCases))
            return .revert(pick([.fade, .origin, from]), pick([1, 1, 1, 2, 3, 0]))
        case 19, 20: return .redo(pick([1, 1, 2, 0]))
        case 21, 22: return .move(index(count, beyond: 1))
        case 27: return .shuffle(random.next() >> 40)
        case 28, 29, 40: return pick([.sendToBack, .putBack])
        case 31: return pick([.reset, .appear])
        case 32: return .tap(pick([nil, model.current, index(count, beyond: 1)]))
        case 33: return .nudge(pick([.left, .right, pick(Direction.allCases)]))
        case 34: return .resize(pick([300, 375, 600]), pick([400, 700]))
        case 35, 36, 41: return .configure(change())
        case 37, 38: return scroll(model)
        case 39: return pick([.tick, .tick, .restore, .backwards(pick([nil, 1e-3, 100]))])
        default: return cards(model, start)
        }
    }

    // MARK: Cards

    private mutating func cards(_ model: ReferenceDeck, _ start: ModelStart) -> ModelStep.Action {
        let count = model.row.count
        switch number(below: 7) {
        case 0, 1: return .insertNumbered(pick([0, 1, 2]), at: pick([count, index(count, beyond: 2)]))
        case 2:
            named += 1
            let names = pick([["n\(named)"], ["n\(named)", "m\(named)"], ["n\(named)", "n\(named)"], ["0"]])
            return .insertListed(names, pick(ModelCard.Trait.allCases), at: index(count, beyond: 1))
        case 3: return range(count) { .remove($0, $1) }
        case 4:
            let trait = pick(ModelCard.Trait.allCases)
            return range(count) { .refresh($0, $1, trait) }
        case 5 where theme != .manyCards: return reread(model)
        default:
            let other = theme == .manyCards ? start.count - pick([0, 1]) : start.count + 3
            return .reload(pick([start.count, start.count, count, pick([0, 2]), other]))
        }
    }

    /// Another deck with some of the cards in another order, and some new ones.
    private mutating func reread(_ model: ReferenceDeck) -> ModelStep.Action {
        named += 1
        var names = model.row.cards.map(\.name)
        if pick([true, false]) { names.shuffle(using: &random) }
        let kept = pick([1.0, 0.7, 0.3])
        names = names.filter { _ in random.chance(kept) }
        for new in 0..<pick([0, 0, 1, 3]) { names.insert("r\(named)-\(new)", at: number(below: names.count + 1)) }
        return .reread(names, pick([.plain, .plain, pick(ModelCard.Trait.allCases)]))
    }

    /// An index of a card, or one a little outside.
    private mutating func index(_ count: Int, beyond: Int) -> Int {
        number(below: count + 1 + beyond) - (pick([0, 0, 0, 0, 1]))
    }

    private mutating func range(_ count: Int, _ make: (Int, Int) -> ModelStep.Action) -> ModelStep.Action {
        let from = index(count, beyond: 0)
        return make(from, from + pick([0, 1, 1, 2, 3, count]))
    }
}
