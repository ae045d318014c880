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
    ///   - scene: has the rules. To pass the rules themselves would copy them.
    ///   - denied: the directions that are refused at release.
    @inline(__always)
    init(_ reading: DragReading, velocity: Vector?, in scene: Scene, denied: Directions) {
        guard let direction = reading.direction else {
            self = .resets(.directionNotAllowed)
            return
        }
        let speed = velocity.map { $0.dot(direction.unitVector) } ?? 0
        let fling = scene.settings.rules.velocityThreshold ?? .infinity
        let isFar = scene.settings.rules.isFar(reading)
        // A fling counts only where the finger has moved, and still moves, in the direction.
        guard isFar || (reading.progress > 0 && speed > 0 && speed >= fling) else {
            self = .resets(.belowThreshold)
            return
        }
        if scene.settings.rules.pullBackCancels, speed < 0, -speed >= fling {
            self = .resets(.pulledBack)
        } else if scene.settings.rules.undoDirections.contains(direction) {
            self = .reverts(direction)
        } else if denied.contains(direction) {
            self = .resets(.directionDenied)
        } else {
            self = scene.settings.rules.confirm.contains(direction) ? .waits(direction) : .swipes(direction)
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
