import DeckEngine
import Foundation

/// A number on Facebook Pop's spring, from the formulas of `docs/engine.md`, in the textbook form with amplitude and
/// phase. It covers all of Pop's settings, because none is damped critically.
struct ReferenceSpring: Equatable {
    private let tension: Double
    private let friction: Double
    private(set) var from: Double
    private(set) var to: Double
    private let start: Double
    /// When it is stopped and reaches its target.
    let end: Double

    /// - Parameter threshold: the distance that counts as zero.
    init(from: Double, to: Double, start: Double, _ settings: SpringSettings, threshold: Double) {
        (self.from, self.to, self.start) = (from, to, start)
        let (bounciness, speed) = (settings.bounciness / 42.5, settings.speed / 34)
        let quality = 0.5 + 199.5 * speed
        let eased = 2 * bounciness - bounciness * bounciness
        tension = 3.62 * quality + 85.4
        friction = 3 * ((1 - eased) * Self.unbouncing(quality) + 0.01 * eased) + 1
        let spring = Curve(tension: tension, friction: friction)
        end = min(start + Self.settling(spring, abs(to - from), threshold), ReferenceDeck.endOfTime)
    }

    /// A number at rest.
    init(at place: Double) {
        (tension, friction, from, to, start, end) = (1, 1, place, place, 0, 0)
    }

    /// The same motion, displaced.
    func shifted(by distance: Double) -> ReferenceSpring {
        var spring = self
        spring.from += distance
        spring.to += distance
        return spring
    }

    func value(at time: Double) -> Double {
        if time >= end { return to }
        return to - (to - from) * Curve(tension: tension, friction: friction).rest(after: (time - start) / 1000)
    }

    /// Pop's fit of the friction at which a spring just does not bounce.
    private static func unbouncing(_ x: Double) -> Double {
        if x <= 18 { return 0.0007 * pow(x, 3) - 0.031 * pow(x, 2) + 0.64 * x + 1.28 }
        if x <= 44 { return 0.000044 * pow(x, 3) - 0.006 * pow(x, 2) + 0.36 * x + 2 }
        return 0.00000045 * pow(x, 3) - 0.000332 * pow(x, 2) + 0.1078 * x + 5.84
    }

    /// The part of a distance of 1 that remains after this many seconds.
    private struct Curve {
        let tension: Double
        let friction: Double

        private var decay: Double { friction / 2 }
        private var frequency: Double { (tension - decay * decay).squareRoot() }

        func rest(after seconds: Double) -> Double {
            exp(-decay * seconds) * (cos(frequency * seconds) + decay / frequency * sin(frequency * seconds))
        }

        func speed(after seconds: Double) -> Double {
            -exp(-decay * seconds) * tension / frequency * sin(frequency * seconds)
        }
    }

    /// The time of the frame on which Pop stops, at a steady 60 Hz on its own clock, which falls behind.
    private static func settling(_ curve: Curve, _ way: Double, _ threshold: Double) -> Double {
        let step = Double(Float(0.001))
        var (seconds, inHand, former) = (0.0, 0.0, Double.nan)
        for frame in 0..<1800 {
            let (rest, speed) = (way * curve.rest(after: seconds), way * curve.speed(after: seconds))
            let pull = frame == 0 ? 0 : -curve.tension * rest - curve.friction * speed
            let isCalm =
                abs(rest) < threshold / 2 && speed * speed < 25 * threshold
                && pull * pull < 625 * threshold * threshold
            let isStill = abs(rest) < threshold / 5 && abs(rest - former) < threshold / 5
            if isCalm || isStill { return Double(frame) * 1000 / 60 }
            former = rest
            let steps = inHand + 1.0 / 60 / step
            inHand = steps - steps.rounded(.down)
            seconds += (steps.rounded(.down) - 1 + inHand) * step
        }
        return 30_000
    }
}
