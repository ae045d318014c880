/// The appearance of one card at one time.
struct Pose: Sendable, Equatable {
    /// Its rectangle in the viewport before the transform.
    var rect: Rect
    var translation = Vector.zero
    var rotation = Radians.zero
    var scale = 1.0
    /// The point that the card turns and scales about.
    var anchor = UnitPoint.center
    var opacity: Double
    var overlay: OverlayState?
    /// How far the card is turned over: 0 shows the front, 1 the back.
    var turn = 0.0

    var matrix: Matrix {
        Matrix(translation: translation, rotation: rotation, scale: scale)
    }

    /// The same appearance with another anchor: the translation compensates for the displacement by turn and size.
    func anchored(at newAnchor: UnitPoint) -> Pose {
        let offset = rect.point(at: anchor) - rect.point(at: newAnchor)
        let turned = scale * offset.rotated(by: rotation)
        var pose = self
        pose.anchor = newAnchor
        pose.translation = translation + offset - turned
        return pose
    }
}

/// The verdict that a card is on its way to, and the progress of its overlay, 0…1.
struct OverlayState: Sendable, Equatable {
    var direction: Direction
    var progress: Double
}
