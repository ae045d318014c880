import DeckEngine
import RandomTesting

// Settings.
extension ModelSource {
    mutating func change() -> ModelChange {
        switch number(below: 12) {
        case 0, 1: .loop(pick([false, true]))
        case 2: .visible(pick([1, 2, 3, 4]))
        case 3: .preset(pick(Preset.allCases))
        default: liveChange()
        }
    }

    /// A change that a session's owner can make at any time.
    mutating func liveChange() -> ModelChange {
        switch number(below: 26) {
        case 0: .policy(pick(BusyPolicy.allCases))
        case 1: .threshold(pick([0.4, 0.5, 1, 0.05]))
        case 2: .thresholdOf(pick(Direction.allCases), pick([nil, 0.3, 0.8]))
        case 3: .allowed(pick([[.left, .right], [.right], Direction.allCases, [], directions()]))
        case 4: .denied(pick([[], [], directions()]))
        case 5: .axis(pick(DragAxis.allCases))
        case 6: .reach(pick([nil, nil, directions()]))
        case 7: .draggable(pick([true, true, false]))
        case 8: .limit(pick([nil, 750, 0, 200]))
        case 9: .pullBack(pick([false, true]))
        case 10, 11: .refillAt(pick([0, 1, 3, 5, 100]))
        case 12: .edges(pick([0, 4, 11]), scale: pick([0.95, 0.8, 1]))
        case 13: .reduced(pick([false, true]))
        case 14, 15: .duration(pick(ModelChange.Duration.allCases), pick([0, 90, 333.3, 1000, 60_000]))
        case 16: .resetSpring(spring(), spring())
        case 17: .snapSpring(spring(), spring())
        case 18: .backgroundSpring(spring(), spring())
        case 19: .noBackgroundSpring
        case 20: .tracking(pick(Tracking.allCases))
        case 21: .follow(pick([false, true]))
        case 22: .turn(pick([0, 0.3, 1.2]), scale: pick([0.5, 0.8, 1]))
        case 23: .grows(pick([false, true]))
        case 24: .opacity(pick([1, 0.9]), behind: pick([0.7, 0.2]), fadeNext: pick([true, true, false]))
        default: overlay()
        }
    }

    private mutating func spring() -> Double {
        pick([0, 4, 9, 20, Double.random(in: 0...20, using: &random)])
    }

    private mutating func overlay() -> ModelChange {
        let (start, end) = (pick([0, 0.2, 0.5]), pick([0.6, 1]))
        if random.chance(0.5) { return .overlay(start, end, pick(Curve.named)) }
        return .overlayOf(pick(Direction.allCases), start, end, pick(Curve.named))
    }

    private mutating func directions() -> [Direction] {
        Direction.allCases.filter { _ in random.chance(0.4) }.shuffled(using: &random)
    }
}
