import Foundation

@testable import DeckEngine

/// Expected motion, computed in other ways than in the engine.
enum Expected {
    /// CSS `ease`: the curve's parameter is found by bisection.
    static func ease(_ time: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if bernstein(0.25, 0.25, middle) < time { low = middle } else { high = middle }
        }
        return bernstein(0.1, 1, low)
    }

    private static func bernstein(_ first: Double, _ second: Double, _ u: Double) -> Double {
        3 * pow(1 - u, 2) * u * first + 3 * (1 - u) * pow(u, 2) * second + pow(u, 3)
    }

    /// The remaining distance on Pop's spring of bounciness 10 and speed 20, from its recorded constants.
    static func resetSpring(_ milliseconds: Double) -> Double {
        spring(tension: 512.0276, friction: 26.7482, milliseconds)
    }

    /// The remaining distance on an underdamped spring, in the textbook's form: amplitude and phase.
    static func spring(tension: Double, friction: Double, _ milliseconds: Double) -> Double {
        let natural = sqrt(tension)
        let ratio = friction / (2 * natural)
        let damped = natural * sqrt(1 - ratio * ratio)
        let phase = atan2(sqrt(1 - ratio * ratio), ratio)
        let seconds = milliseconds / 1000
        return exp(-ratio * natural * seconds) * sin(damped * seconds + phase) / sqrt(1 - ratio * ratio)
    }

    /// The exit of a card of the test deck (300 by 400 on a screen of 375 by 667).
    static let exits: [Direction: Vector] = [
        .left: Vector(x: -967, y: 200), .right: Vector(x: 967, y: 200),
        .up: Vector(x: 0, y: -1067), .down: Vector(x: 0, y: 1067),
        .topLeft: Vector(x: -967, y: -1067), .topRight: Vector(x: 967, y: -1067),
        .bottomLeft: Vector(x: -967, y: 1067), .bottomRight: Vector(x: 967, y: 1067),
    ]

    /// The turn of a card that is swiped by call, degrees.
    static let turns: [Direction: Double] = [
        .left: -45, .right: 45, .up: 0, .down: -90,
        .topLeft: -22.5, .topRight: 22.5, .bottomLeft: -67.5, .bottomRight: -112.5,
    ]

    /// The slots of the test deck's stack: 300 by 392 in front, 0.95 of that behind, edges 4 points apart.
    static let slots = [
        Rect(x: 0, y: 0, width: 300, height: 392),
        Rect(x: 7.5, y: 392 - 372.4 + 4, width: 285, height: 372.4),
        Rect(x: 14.625, y: 392 - 353.78 + 8, width: 270.75, height: 353.78),
    ]
}

extension Matrix {
    /// The turn, degrees.
    var degrees: Double { atan2(b, a) * 180 / .pi }
    /// The scale.
    var scale: Double { sqrt(a * a + b * b) }
}
