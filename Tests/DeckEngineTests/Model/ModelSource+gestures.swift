import DeckEngine
import RandomTesting

// Fingers, close to the limits of decisions and far from them.
extension ModelSource {
    mutating func drag(_ model: ReferenceDeck) -> ModelStep.Action {
        let phase = pick([DragEvent.Phase.began, .changed, .changed, .ended, .ended, .ended, .ended, .cancelled])
        let card = model.layout.rect(0)
        let direction = direction(model)
        let way = random.chance(0.15) ? nil : translation(model, direction)
        let grabbed =
            random.chance(0.2)
            ? ModelStep.Way(pick([0, 40, card.width, -90]), pick([0, card.height / 2, card.height, 700])) : nil
        let speed = phase == .ended && random.chance(0.7) ? velocity(model, direction) : nil
        return .finger(phase, to: way, grabbed: grabbed, speed: speed)
    }

    private mutating func direction(_ model: ReferenceDeck) -> Direction {
        let allowed = model.front.map(model.allowed) ?? []
        return pick(allowed + [pick(Direction.allCases)])
    }

    /// A displacement towards a direction: none, just short of the threshold, just beyond, or far.
    private mutating func translation(_ model: ReferenceDeck, _ direction: Direction) -> ModelStep.Way {
        let card = model.layout.rect(0)
        let threshold = model.threshold(direction)
        var part = pick([0, 1e-3, 0.6, 1.2, 6, -0.3, -6]) * threshold
        if random.chance(0.4) { part = threshold * pick([1 - 1e-6, 1, 1 + 1e-6, 0.98, 1.02]) }
        let (x, y) = (part * direction.way.x * card.width / 2, part * direction.way.y * card.height / 2)
        let aside = random.chance(0.4) ? pick([3.0, -17, 60]) : 0
        if model.isPile, random.chance(0.8) {
            return ModelStep.Way(aside, pick([-1, 1]) * pick([0, 14, 16, 30, 65.5, 250]))
        }
        return direction.way.x == 0 ? ModelStep.Way(x + aside, y) : ModelStep.Way(x, y + aside)
    }

    /// A velocity along a direction or against it: zero, near the limit, or far from it.
    private mutating func velocity(_ model: ReferenceDeck, _ direction: Direction) -> ModelStep.Way {
        let limit = model.settings.rules.velocityThreshold ?? 750
        let way = pick([direction, direction, pick(Direction.allCases)]).way
        let length = (way.x * way.x + way.y * way.y).squareRoot()
        let speed = pick([-1, 1]) * pick([0, limit, limit * (1 - 1e-6), limit * (1 + 1e-6), 0.5 * limit, 5000])
        return ModelStep.Way(speed * way.x / length, speed * way.y / length)
    }

    /// A whole gesture in several steps, whose speed the session must compute.
    mutating func flick(_ model: ReferenceDeck) -> [ModelStep] {
        let direction = direction(model).way
        let speed = pick([200.0, 600, 740, 760, 900, 3000])
        let pace = pick([4.0, 8, 9.75, 10, 16, 20, 30])
        var steps = [ModelStep(pick([0, 400, 2000]), .finger(.began, to: nil, grabbed: nil, speed: nil))]
        var (x, y) = (0.0, 0.0)
        func step(_ wait: Double, _ phase: DragEvent.Phase) -> ModelStep {
            ModelStep(wait, .finger(phase, to: ModelStep.Way(x, y), grabbed: nil, speed: nil))
        }
        for _ in 0..<pick([1, 2, 2, 4, 7, 12]) {
            let sign: Double = random.chance(0.1) ? -1 : 1
            x += sign * direction.x * speed * pace / 1000
            y += sign * direction.y * speed * pace / 1000
            steps.append(step(pace + (random.chance(0.1) ? 0.25 : 0), .changed))
        }
        // The finger may stop before the release, and send that once or more.
        for _ in 0..<pick([0, 0, 1, 3]) { steps.append(step(pick([8, 20, 38, 45]), .changed)) }
        if random.chance(0.3) { steps.append(ModelStep(pick([0, 8, 39, 40, 41, 60]), .tick)) }
        steps.append(step(pick([0, 8, 40, 41]), .ended))
        return steps
    }

    mutating func scroll(_ model: ReferenceDeck) -> ModelStep.Action {
        let phase = pick(DragEvent.Phase.allCases)
        let spacing = model.layout.flip?.spacing ?? 30
        let cards = Double(number(below: 2 * (min(model.row.count, 60) + 2)) - 2)
        let offset = spacing * (random.chance(0.3) ? cards : cards + pick([0.3, 0.499, 0.501, 0.75]))
        return .scroll(phase, offset: pick([nil, offset, offset]), speed: pick([nil, 0, 700, -250]))
    }
}
