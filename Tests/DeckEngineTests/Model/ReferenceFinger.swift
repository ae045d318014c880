import DeckEngine
import Foundation

/// A finger on the front card.
struct ReferenceFinger: Equatable {
    /// A sample of the finger.
    struct Sample: Equatable {
        var time: Double
        var x: Double
        var y: Double
    }

    /// The name and the index of the card that it took.
    var name: String
    var index: Int
    /// The finger's displacement, as far as the card follows.
    var x = 0.0
    var y = 0.0
    /// Where it took the card, at first in the middle.
    var grabbed: ModelStep.Way
    var samples: [Sample] = []
    /// The direction whose threshold the card has passed.
    var past: Direction?
    /// The carousel's position when the finger went down, and the one that it goes back to.
    var startPlace = 0.0
    var homePlace = 0.0

    /// Adds a sample of the finger itself, which replaces an earlier one at the same time.
    mutating func hear(x: Double, y: Double, at time: Double) {
        if samples.last?.time == time { samples.removeLast() }
        samples.append(Sample(time: time, x: x, y: y))
    }

    /// The velocities that the samples can give, points per second. There is more than one if the documents leave open
    /// which samples count.
    func velocities(at now: Double) -> [(x: Double, y: Double)?] {
        let last = Array(samples.suffix(8))
        var moved: [Sample] = []
        for sample in last where moved.last.map({ $0.x != sample.x || $0.y != sample.y }) ?? true {
            moved.append(sample)
        }
        // If times are not whole milliseconds, their difference has a rounding error.
        let isWhole = last.allSatisfy { $0.time == $0.time.rounded() } && now == now.rounded()
        let hair = isWhole ? 0 : 8 * now.ulp
        let readings = hair == 0 ? [0.0] : [-hair, hair]
        return [last, moved].flatMap { samples in
            readings.map { hair in
                slope(samples, moved, now, hair: hair).map { followed($0.x, $0.y) }
            }
        }
    }

    /// The part of a velocity along the axes on which the card follows the finger.
    func followed(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (self.x == 0 ? 0 : x, self.y == 0 ? 0 : y)
    }

    private func slope(_ samples: [Sample], _ moved: [Sample], _ now: Double, hair: Double) -> (x: Double, y: Double)? {
        let samples = samples.filter { $0.time >= now - 100 - hair }
        guard let first = samples.first, let last = samples.last, let stopped = moved.last else { return nil }
        guard last.time - first.time >= 20 - hair, now - stopped.time <= 40 + hair else { return nil }
        let count = Double(samples.count)
        let mean = samples.reduce(0) { $0 + ($1.time - now) } / count
        let spread = samples.reduce(0) { $0 + pow($1.time - now - mean, 2) }
        func along(_ number: (Sample) -> Double) -> Double {
            1000 * samples.reduce(0) { $0 + ($1.time - now - mean) * number($1) } / spread
        }
        return (along(\.x), along(\.y))
    }
}

/// The state of a drag.
struct ReferenceReading: Equatable {
    var direction: Direction?
    /// The part of the way to the card's edge.
    var progress = 0.0
}

extension ReferenceDeck {
    /// The part of a finger's displacement that the card follows.
    func permitted(_ way: ModelStep.Way, _ card: ModelCard) -> (x: Double, y: Double) {
        var (x, y) = (way.x, way.y)
        switch settings.rules.dragAxis {
        case .free: break
        case .horizontal: y = 0
        case .vertical: x = 0
        case .dominant: if abs(x) < abs(y) { x = 0 } else { y = 0 }
        }
        if let reach = reach(card) {
            if !reach.contains(where: { $0.way.x * x > 0 }) { x = 0 }
            if !reach.contains(where: { $0.way.y * y > 0 }) { y = 0 }
        }
        return (x, y)
    }

    /// The displacement, turn and size of a held card.
    func drawn(_ finger: ReferenceFinger) -> (x: Double, y: Double, turn: Double, size: Double) {
        let motion = settings.motion
        let card = layout.rect(0)
        let limit = motion.reduced ? 0 : motion.rotationMax
        let strength = min(max(finger.x / card.width, -limit), limit)
        let isLower = finger.grabbed.y >= card.height / 2
        let turn = (isLower ? -1 : 1) * motion.rotationAngle.value * strength
        let size = max(1 - (1 - motion.scaleMin) * abs(strength), motion.scaleMin)
        if motion.tracking == .finger { return (finger.x, finger.y, turn, size) }
        let x = size * (cos(turn) * finger.x - sin(turn) * finger.y)
        let y = size * (sin(turn) * finger.x + cos(turn) * finger.y)
        return (x, y, turn, size)
    }

    func reading(_ finger: ReferenceFinger) -> ReferenceReading {
        guard let front else { return ReferenceReading() }
        let card = layout.rect(0)
        let (x, y) = (2 * finger.x / card.width, 2 * finger.y / card.height)
        var nearest: (direction: Direction, distance: Double)?
        for direction in allowed(front) {
            let distance = pow(x - direction.way.x, 2) + pow(y - direction.way.y, 2)
            if distance < nearest?.distance ?? .infinity { nearest = (direction, distance) }
        }
        guard let direction = nearest?.direction else { return ReferenceReading() }
        var (wide, high) = (card.width, card.height)
        if settings.motion.tracking == .koloda {
            let drawn = drawn(finger)
            let (cosine, sine) = (abs(cos(drawn.turn)), abs(sin(drawn.turn)))
            wide = drawn.size * (cosine * card.width + sine * card.height)
            high = drawn.size * (sine * card.width + cosine * card.height)
        }
        let along = 2 * finger.x / wide * direction.way.x + 2 * finger.y / high * direction.way.y
        let length = pow(direction.way.x, 2) + pow(direction.way.y, 2)
        return ReferenceReading(direction: direction, progress: min(max(along / length, 0), 1))
    }

    func threshold(_ direction: Direction) -> Double {
        settings.rules.swipeThresholds[direction] ?? settings.rules.swipeThreshold
    }

    /// The direction whose threshold the card has passed.
    func past(_ reading: ReferenceReading) -> Direction? {
        reading.direction.flatMap { reading.progress > 0 && reading.progress >= threshold($0) ? $0 : nil }
    }

    /// The effect of a release.
    func decision(_ reading: ReferenceReading, _ velocity: (x: Double, y: Double)?) -> ReleaseDecision {
        guard let direction = reading.direction, let front else { return .resets(.directionNotAllowed) }
        let length = (pow(direction.way.x, 2) + pow(direction.way.y, 2)).squareRoot()
        let speed = velocity.map { ($0.x * direction.way.x + $0.y * direction.way.y) / length } ?? 0
        let limit = settings.rules.velocityThreshold ?? .infinity
        let isFlung = speed > 0 && speed >= limit && reading.progress > 0
        if past(reading) == nil, !isFlung { return .resets(.belowThreshold) }
        if settings.rules.pullBackCancels, speed < 0, -speed >= limit { return .resets(.pulledBack) }
        return denied(front).contains(direction) ? .resets(.directionDenied) : .swipes(direction)
    }
}
