/// How the front card is drawn while a finger holds it.
struct DragTransform: Sendable, Equatable {
    /// The displacement of the touched point.
    var translation: Vector
    /// The turn about the touched point.
    var rotation: Radians
    /// The size about the touched point, 1 = unchanged.
    var scale: Double

    /// The transform of a drag (Koloda 5.0.1, with the turn limited on both sides).
    ///
    /// strength = translation.x / width, at most ±`rotationMax`; the card turns by strength · `rotationAngle`, the
    /// other way if it was grabbed in its lower half, and shrinks with |strength| down to `scaleMin`.
    ///
    /// - Parameters:
    ///   - translation: from where the finger went down, points.
    ///   - location: where the finger went down, in the card's own coordinates.
    ///   - cardSize: the card's own size.
    init(translation: Vector, location: Vector, cardSize: Size, motion: MotionSettings) {
        // With reduced motion the card only follows the finger.
        let limit = motion.reduced ? 0 : motion.rotationMax
        let strength = cardSize.width > 0 ? min(max(translation.x / cardSize.width, -limit), limit) : 0
        let sign: Double = location.y >= cardSize.height / 2 ? -1 : 1
        rotation = Radians(sign * motion.rotationAngle.value * strength)
        scale = motion.reduced ? 1 : max(1 - (1 - motion.scaleMin) * abs(strength), motion.scaleMin)
        self.translation =
            switch motion.tracking {
            case .finger: translation
            case .koloda: scale * translation.rotated(by: rotation)
            }
    }

    var matrix: Matrix {
        Matrix(translation: translation, rotation: rotation, scale: scale)
    }
}
