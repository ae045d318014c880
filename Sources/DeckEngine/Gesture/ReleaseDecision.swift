/// The effect of a release.
public enum ReleaseDecision: Sendable, Hashable {
    case swipes(Direction)
    /// The swipe waits to be confirmed.
    case waits(Direction)
    /// The last swipe is reverted.
    case reverts(Direction)
    case resets(ResetReason)

    /// Decides by the distance, the speed and the rules.
    ///
    /// - Parameters:
    ///   - velocity: the finger's velocity, points per second; nil: it rests.
    ///   - denied: the directions that are refused at release.
    @inline(__always)
    init(_ reading: DragReading, velocity: Vector?, rules: Rules, denied: Directions) {
        guard let direction = reading.direction else {
            self = .resets(.directionNotAllowed)
            return
        }
        let speed = velocity.map { $0.dot(direction.unitVector) } ?? 0
        let fling = rules.velocityThreshold ?? .infinity
        let isFar = rules.isFar(reading)
        // A fling counts only where the finger has moved, and still moves, in the direction.
        guard isFar || (reading.progress > 0 && speed > 0 && speed >= fling) else {
            self = .resets(.belowThreshold)
            return
        }
        if rules.pullBackCancels, speed < 0, -speed >= fling {
            self = .resets(.pulledBack)
        } else if rules.undoDirections.contains(direction) {
            self = .reverts(direction)
        } else if denied.contains(direction) {
            self = .resets(.directionDenied)
        } else {
            self = rules.confirm.contains(direction) ? .waits(direction) : .swipes(direction)
        }
    }
}

extension Rules {
    /// Whether a drag is far enough to swipe.
    func isFar(_ reading: DragReading) -> Bool {
        guard let direction = reading.direction else { return false }
        return reading.progress > 0 && reading.progress >= threshold(direction)
    }

    /// The directions that a drag of a card can point in: those it can be swiped in, and those that undo.
    func candidates(allowed: Directions) -> Directions {
        undoDirections.isEmpty ? allowed : Directions(Array(allowed) + undoDirections)
    }
}
