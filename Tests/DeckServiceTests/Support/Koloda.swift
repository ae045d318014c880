import Foundation
import JSONTesting

/// What Koloda does, written down again from its formulas and not from deckd's code, for the default settings.
enum Koloda {
    /// The rectangle of a place in a stack of three: x, y, width, height.
    static func slot(_ place: Int, width: Double, height: Double, from: String = "bottom") -> [Double] {
        let front = height - 8
        let factor = pow(0.95, Double(place))
        let y =
            from == "bottom"
            ? (place == 0 ? 0 : front - front * factor + 4 * Double(place)) : 4 * Double(max(2 - place, 0))
        return [(width - width * factor) / 2, y, width * factor, front * factor]
    }

    /// The turn and the size of a card of a width that is dragged by `x` points, grabbed above or below its middle.
    static func turnAndScale(x: Double, width: Double, isGrabbedBelow: Bool) -> (turn: Double, scale: Double) {
        let strength = min(max(x / width, -1), 1)
        let turn = (isGrabbedBelow ? -1 : 1) * strength * Double.pi / 10
        return (turn, max(1 - 0.2 * abs(strength), 0.8))
    }

    /// The matrix of a card under the finger: it is turned and scaled about the touched point, which follows the
    /// finger.
    static func matrix(x: Double, y: Double, width: Double, isGrabbedBelow: Bool = false) -> [Double] {
        let (turn, scale) = turnAndScale(x: x, width: width, isGrabbedBelow: isGrabbedBelow)
        return matrix(turn: turn, scale: scale, x, y)
    }

    static func matrix(turn: Double, scale: Double, _ x: Double, _ y: Double) -> [Double] {
        [scale * cos(turn), scale * sin(turn), -scale * sin(turn), scale * cos(turn), x, y]
    }

    /// Koloda 5.0.1 measures the finger's way on the turned and scaled card.
    static func trackedByKoloda(x: Double, y: Double, width: Double, height: Double) -> (matrix: [Double], part: Double)
    {
        let (turn, scale) = turnAndScale(x: x, width: width, isGrabbedBelow: false)
        let shown = [scale * (x * cos(turn) - y * sin(turn)), scale * (x * sin(turn) + y * cos(turn))]
        let box = scale * (width * abs(cos(turn)) + height * abs(sin(turn)))
        return (matrix(turn: turn, scale: scale, shown[0], shown[1]), min(2 * abs(x) / box, 1))
    }

    /// The CSS curve `ease`, cubic-bezier(0.25, 0.1, 0.25, 1), found by bisection.
    static func ease(_ part: Double) -> Double {
        func bezier(_ first: Double, _ second: Double, _ u: Double) -> Double {
            3 * (1 - u) * (1 - u) * u * first + 3 * (1 - u) * u * u * second + u * u * u
        }
        if part <= 0 { return 0 }
        if part >= 1 { return 1 }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if bezier(0.25, 0.25, middle) < part { low = middle } else { high = middle }
        }
        return bezier(0.1, 1, low)
    }

    static func eased(_ from: [Double], _ to: [Double], _ part: Double) -> [Double] {
        zip(from, to).map { $0 + ease(part) * ($1 - $0) }
    }

    static func between(_ from: [Double], _ to: [Double], _ part: Double) -> [Double] {
        zip(from, to).map { $0 + part * ($1 - $0) }
    }

    /// What is left of the way on the reset spring (bounciness 10, speed 20: tension 512.0276…, friction 26.7482…).
    static func springRest(milliseconds: Double) -> Double {
        let (tension, friction) = (512.0276470588235, 26.748228928148347)
        let decay = friction / 2
        let frequency = (tension - decay * decay).squareRoot()
        let seconds = milliseconds / 1000
        return exp(-decay * seconds) * (cos(frequency * seconds) + decay / frequency * sin(frequency * seconds))
    }
}

/// Whether the numbers are the same except for what writing them with six decimals, and finding a time on the curve to a
/// billionth for ways of a thousand points, can cost.
func isClose(_ left: [Double], _ right: [Double], within tolerance: Double = 4e-6) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= tolerance }
}

func isClose(_ left: Double, _ right: Double, within tolerance: Double = 4e-6) -> Bool {
    isClose([left], [right], within: tolerance)
}

extension JSON {
    /// A card's rectangle as x, y, width, height.
    var rectangle: [Double] {
        self["frame"].numbers("x", "y", "width", "height")
    }

    /// A frame's cards of a role.
    func cards(_ role: String) -> [JSON] {
        self["cards"].elements.filter { $0["role"].text == role }
    }
}
