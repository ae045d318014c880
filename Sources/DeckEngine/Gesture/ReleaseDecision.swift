/// What letting go of a card does.
public enum ReleaseDecision: Sendable, Hashable {
    case swipes(Direction)
    case resets(ResetReason)

    /// Decides from the way, the speed and the rules.
    ///
    /// - Parameters:
    ///   - velocity: the finger's velocity, points per second; nil: it rests.
    ///   - denied: the directions that are refused at release.
    init(_ reading: DragReading, velocity: Vector?, rules: Rules, denied: Directions) {
        guard let direction = reading.direction else {
            self = .resets(.directionNotAllowed)
            return
        }
        let speed = velocity.map { $0.dot(direction.unitVector) } ?? 0
        let fling = rules.velocityThreshold ?? .infinity
        let isFar = rules.isFar(reading)
        // A fling counts only where the finger has moved, and still moves, towards the direction.
        guard isFar || (reading.progress > 0 && speed >= fling) else {
            self = .resets(.belowThreshold)
            return
        }
        if rules.pullBackCancels, -speed >= fling {
            self = .resets(.pulledBack)
        } else {
            self = denied.contains(direction) ? .resets(.directionDenied) : .swipes(direction)
        }
    }
}

extension Rules {
    /// Whether a drag is far enough to swipe.
    func isFar(_ reading: DragReading) -> Bool {
        guard let direction = reading.direction else { return false }
        return reading.progress > 0 && reading.progress >= threshold(direction)
    }
}
