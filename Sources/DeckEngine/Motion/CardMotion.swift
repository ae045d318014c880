/// One card on its way from one pose to another. Each property has a separate track.
struct CardMotion: Sendable, Hashable {
    var rect: Track<Rect>
    var translation = Track(still: Vector.zero)
    var rotation = Track(still: 0.0)
    var scale = Track(still: 1.0)
    var anchor = UnitPoint.center
    var opacity: Track<Double>
    var overlayDirection: Direction?
    var overlayProgress = Track(still: 0.0)
    /// How far it is turned over: 0 shows the front, 1 the back.
    var turn = Track(still: 0.0)

    /// A card that rests upright in `rect`.
    ///
    /// Copies of this code would make up two percent of the engine as WebAssembly.
    @inline(never)
    init(restingIn rect: Rect, opacity: Double) {
        self.rect = Track(still: rect)
        self.opacity = Track(still: opacity)
    }

    /// Holds a card in a pose, while its rectangle, opacity and turn continue.
    mutating func hold(_ pose: Pose) {
        translation = Track(still: pose.translation)
        rotation = Track(still: pose.rotation.value)
        scale = Track(still: pose.scale)
        anchor = pose.anchor
        overlayDirection = pose.overlay?.direction
        overlayProgress = Track(still: pose.overlay?.progress ?? 0)
    }

    /// Holds a card in a pose with all of its properties.
    mutating func freeze(_ pose: Pose) {
        hold(pose)
        rect = Track(still: pose.rect)
        opacity = Track(still: pose.opacity)
    }

    /// When the last property reaches its target.
    var end: Instant {
        max(max(rect.end, opacity.end), max(transformEnd, overlayProgress.end), turn.end)
    }

    /// When the card is upright, unscaled and in its rectangle.
    var transformEnd: Instant {
        max(max(translation.end, rotation.end), scale.end)
    }

    func pose(at time: Instant) -> Pose {
        let progress = overlayProgress.value(at: time)
        let rotation = rotation.value(at: time)
        let size = scale.value(at: time)
        return Pose(
            rect: rect.value(at: time),
            translation: translation.value(at: time),
            rotation: Radians(rotation),
            scale: size,
            // Without turn and scale the anchor has no effect; a card at rest has it in its middle.
            anchor: rotation == 0 && size == 1 ? .center : anchor,
            opacity: opacity.value(at: time),
            overlay: overlay(showing: progress, at: time),
            turn: turn.value(at: time)
        )
    }

    /// An overlay that has faded out shows no direction.
    private func overlay(showing progress: Double, at time: Instant) -> OverlayState? {
        guard let overlayDirection, progress != 0 || time < overlayProgress.end else { return nil }
        return OverlayState(direction: overlayDirection, progress: progress)
    }
}
