/// How a swiped card leaves.
struct CardExit {
    private let direction: Direction
    private let cause: SwipeCause
    private let scene: Scene
    private let now: Instant

    init(_ direction: Direction, _ cause: SwipeCause, in scene: Scene, at now: Instant) {
        self.direction = direction
        self.cause = cause
        self.scene = scene
        self.now = now
    }

    /// The motion of a card from its current pose out of sight. Its rectangle and opacity continue unchanged.
    func motion(of former: CardMotion) -> CardMotion {
        let pose = former.pose(at: now)
        var motion = former
        motion.hold(pose)
        motion.overlayDirection = direction
        if scene.settings.motion.reduced {
            // With reduced motion a card fades where it was released.
            motion.freeze(pose)
            motion.overlayDirection = direction
            motion.opacity = scene.fade(from: pose.opacity, to: 0, at: now)
            motion.overlayProgress = Track(still: 1)
            return motion
        }
        let target = target(from: pose.translation)
        let duration = duration(way: target - pose.translation)
        func track<Value: Interpolated>(_ from: Value, to target: Value) -> Track<Value> {
            Track(from: from, to: target, start: now, duration: duration, curve: cause.options.easing ?? .ease)
        }
        motion.translation = track(pose.translation, to: target)
        if cause.isByHand {
            motion.overlayProgress = Track(still: 1)
        } else {
            let shown = pose.overlay?.direction == direction ? pose.overlay?.progress ?? 0 : 0
            motion.rotation = track(pose.rotation.value, to: direction.swipeRotation.value)
            motion.overlayProgress = track(shown, to: 1)
        }
        return motion
    }

    // MARK: The way out

    private func target(from translation: Vector) -> Vector {
        if let way = cause.options.toward { return reach(along: way) }
        guard scene.settings.motion.exitFollowsFinger, case .byHand(let velocity) = cause else {
            return direction.exitTranslation(viewport: scene.viewport, screen: scene.screen)
        }
        // A moving finger leaves along its velocity, a resting one along its path.
        for way in [velocity ?? .zero, translation] where way.dot(direction.point) > 0 {
            return translation + reach(along: way)
        }
        return direction.exitTranslation(viewport: scene.viewport, screen: scene.screen)
    }

    /// The displacement along a vector that takes a card out of sight, at the side that it reaches first.
    private func reach(along vector: Vector) -> Vector {
        // Of a vector that is very short, only the direction can be used for divisions.
        let length = max(abs(vector.x), abs(vector.y))
        let way = Vector(x: vector.x / length, y: vector.y / length)
        let reach = scene.screen.longerSide
        let x = way.x == 0 ? .infinity : (scene.viewport.width + reach) / abs(way.x)
        let y = way.y == 0 ? .infinity : (scene.viewport.height + reach) / abs(way.y)
        return min(x, y) * way
    }

    /// A card that leaves in less time would seem to vanish.
    private static let shortest = Milliseconds(100)

    /// A flung card continues at the finger's speed if that is higher than the deck's.
    private func duration(way: Vector) -> Milliseconds {
        let usual = cause.options.duration ?? scene.settings.motion.dragSpeed
        guard scene.settings.motion.exitFollowsFling, case .byHand(let velocity?) = cause,
            let threshold = scene.settings.rules.velocityThreshold
        else { return usual }
        let unit = direction.unitVector
        let speed = velocity.dot(unit)
        guard speed >= threshold, speed > 0 else { return usual }
        return min(usual, max(Self.shortest, Milliseconds(1000 * way.dot(unit) / speed)))
    }
}
