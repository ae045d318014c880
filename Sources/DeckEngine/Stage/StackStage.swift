/// The cards in the slots of a stack, front first.
///
/// Invariants: no card is in two slots, and there are never more cards than the layout shows.
struct StackStage: Sendable, Hashable {
    private var placed: [PlacedCard] = []

    init() {}

    /// The cards at rest in their slots.
    init(_ pile: Pile, in scene: Scene) {
        let loops = scene.settings.loop
        placed = (0..<pile.windowCount(scene.settings.layout.visibleCount, loops: loops)).map { slot in
            PlacedCard(pile.identity(at: pile.index(behindFront: slot, loops: loops)), restingIn: slot, in: scene)
        }
    }

    var cards: [PlacedCard] { placed }
    var count: Int { placed.count }
    var front: PlacedCard? { placed.first }

    func contains(_ card: CardIdentity) -> Bool {
        placed.contains { $0.card == card }
    }

    /// When the last card comes to rest.
    var end: Instant {
        placed.reduce(.zero) { max($0, $1.motion.end) }
    }

    // MARK: Poses

    /// The pose of the card in a slot: its own motion, plus the effect of the finger.
    ///
    /// A running motion continues under the finger, so that nothing jumps when a moving card is grabbed.
    func pose(inSlot slot: Int, _ lean: Lean?, in scene: Scene, at time: Instant) -> Pose {
        var pose = placed[slot].motion.pose(at: time)
        guard let lean else { return pose }
        if slot == 0 {
            Self.hold(&pose, by: lean, in: scene)
        } else if scene.settings.motion.moveBackground {
            Self.follow(&pose, slot: slot, progress: lean.reading.progress, in: scene)
        }
        return pose
    }

    private static func hold(_ pose: inout Pose, by lean: Lean, in scene: Scene) {
        pose = pose.anchored(at: UnitPoint(location: lean.location, in: lean.cardSize))
        // A finger that grabs a moving card again and again adds to what it has done before.
        pose.translation = Vector(
            x: limited(pose.translation.x + lean.transform.translation.x),
            y: limited(pose.translation.y + lean.transform.translation.y)
        )
        pose.rotation = Radians(pose.rotation.value + lean.transform.rotation.value)
        pose.scale = limited(pose.scale * lean.transform.scale)
        let dragged = overlay(of: lean.reading, in: scene)
        // An overlay that still fades out continues until the drag's overlay is stronger, so that a card that is
        // grabbed again does not blink.
        if let fading = pose.overlay, fading.progress > dragged?.progress ?? 0 { return }
        pose.overlay = dragged
    }

    private static func limited(_ value: Double) -> Double {
        min(max(value, -EngineLimits.poseMagnitude), EngineLimits.poseMagnitude)
    }

    private static func overlay(of reading: DragReading, in scene: Scene) -> OverlayState? {
        guard let direction = reading.direction else { return nil }
        let progress = scene.settings.overlay.range(direction).progress(
            dragProgress: reading.progress,
            threshold: scene.settings.rules.threshold(direction)
        )
        return OverlayState(direction: direction, progress: progress)
    }

    /// A card behind moves towards the slot before its own by the dragged part, and the next one becomes opaque.
    private static func follow(_ pose: inout Pose, slot: Int, progress: Double, in scene: Scene) {
        // It starts from its current place, not its slot: a card that still moves there would be taken too far.
        pose.rect = .between(pose.rect, scene.rect(ofSlot: slot - 1), progress)
        if slot == 1, scene.settings.appearance.fadeNext {
            pose.opacity = .between(pose.opacity, scene.settings.appearance.opaque, progress)
        }
    }

    // MARK: Changes

    /// Makes the effect of a finger or a hint a part of the cards' own motion, before the release.
    mutating func bake(_ lean: Lean, in scene: Scene, at now: Instant) {
        for slot in placed.indices {
            let pose = pose(inSlot: slot, lean, in: scene, at: now)
            if slot == 0 {
                placed[slot].motion.hold(pose)
            } else {
                placed[slot].motion.rect = Track(still: pose.rect)
                placed[slot].motion.opacity = Track(still: pose.opacity)
            }
        }
    }

    /// Sends the front card back to its slot, and the cards behind back to theirs.
    mutating func returnToSlots(in scene: Scene, at now: Instant) {
        guard !placed.isEmpty else { return }
        let motion = scene.settings.motion
        let duration = motion.reduced ? .zero : motion.resetDuration
        Self.straighten(&placed[0].motion, in: scene, at: now)
        for slot in placed.indices.dropFirst() {
            let pose = placed[slot].motion.pose(at: now)
            func back<Value: Interpolated>(_ from: Value, to target: Value) -> Track<Value> {
                Track(from: from, to: target, start: now, duration: duration, curve: .linear)
            }
            placed[slot].motion.rect = back(pose.rect, to: scene.rect(ofSlot: slot))
            placed[slot].motion.opacity = back(pose.opacity, to: scene.settings.appearance.restOpacity(inSlot: slot))
        }
    }

    /// The motion from a pose to upright and unscaled. The motion of the card's rectangle continues unchanged.
    private static func straighten(_ card: inout CardMotion, in scene: Scene, at now: Instant) {
        let motion = scene.settings.motion
        let pose = card.pose(at: now)
        func turned(_ from: Double, to target: Double) -> Track<Double> {
            Track(from: from, to: target, start: now, duration: motion.resetDuration, curve: motion.resetEasing)
        }
        card.overlayProgress = turned(pose.overlay?.progress ?? 0, to: 0)
        if motion.reduced {
            card.translation = Track(still: .zero)
            card.rotation = Track(still: 0)
            card.scale = Track(still: 1)
            return
        }
        card.rotation = turned(pose.rotation.value, to: 0)
        card.scale = turned(pose.scale, to: 1)
        card.translation =
            if let spring = motion.resetSpring {
                Track(from: pose.translation, to: .zero, start: now, spring: Spring(spring))
            } else {
                Track(
                    from: pose.translation,
                    to: .zero,
                    start: now,
                    duration: motion.resetDuration,
                    curve: motion.resetEasing
                )
            }
    }

    /// Takes a card out of its slot, so that it can leave. One without a slot leaves from the first.
    mutating func take(_ card: CardIdentity, in scene: Scene) -> CardMotion {
        // The order does not matter until the cards get their slots again.
        if let slot = placed.firstIndex(where: { $0.card == card }) {
            placed.swapAt(0, slot)
        } else {
            placed.insert(PlacedCard(card, restingIn: 0, in: scene), at: 0)
        }
        return placed.removeFirst().motion
    }

    /// Moves every card from its current pose to its new slot. New cards come in behind.
    ///
    /// - Returns: the cards that no longer have a slot.
    mutating func restage(_ pile: Pile, in scene: Scene, at now: Instant) -> [PlacedCard] {
        let seen = placed
        let loops = scene.settings.loop
        placed = (0..<pile.windowCount(scene.settings.layout.visibleCount, loops: loops)).map { slot in
            let identity = pile.identity(at: pile.index(behindFront: slot, loops: loops))
            let opacity = scene.settings.appearance.restOpacity(inSlot: slot)
            guard var card = seen.first(where: { $0.card == identity }) else {
                var new = PlacedCard(identity, restingIn: slot, in: scene)
                new.motion.opacity = scene.fade(from: 0, to: opacity, at: now)
                return new
            }
            card.motion.rect = scene.travel(card.motion.rect, toSlot: slot, at: now)
            if card.motion.opacity.to != opacity {
                card.motion.opacity = scene.fade(from: card.motion.opacity.value(at: now), to: opacity, at: now)
            }
            return card
        }
        return seen.filter { !contains($0.card) }
    }

    /// Adds a card that comes back after a revert. It may be in a slot already, in a loop of few cards.
    mutating func bringBack(_ card: CardIdentity, _ motion: CardMotion, in scene: Scene) {
        _ = take(card, in: scene)
        // The order does not matter until the cards get their slots again.
        placed.append(PlacedCard(card: card, motion: motion))
    }

    /// Puts every card into its slot at once, after the slots have changed.
    mutating func resize(in scene: Scene) {
        for slot in placed.indices { placed[slot].motion.rect = Track(still: scene.rect(ofSlot: slot)) }
    }

    /// Turns the front card over.
    mutating func turnFrontOver(in scene: Scene, at now: Instant) -> CardFace? {
        guard !placed.isEmpty else { return nil }
        let turn = placed[0].motion.turn
        let target = 1 - turn.to
        placed[0].motion.turn =
            scene.settings.motion.reduced
            ? Track(still: target)
            : Track(
                from: turn.value(at: now),
                to: target,
                start: now,
                duration: scene.settings.motion.flipDuration,
                curve: .easeInOut
            )
        return target == 1 ? .back : .front
    }
}

extension StackStage: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(placed)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        placed = try reader.read()
        try reader.require(placed.count <= EngineLimits.visibleCards)
    }

    /// - Throws: `damaged` for more cards than slots.
    init(_ placed: [PlacedCard]) throws(SnapshotError) {
        guard placed.count <= EngineLimits.visibleCards else { throw .damaged }
        self.placed = placed
    }

    /// Whether the cards are those that belong into the slots.
    func isSound(with pile: Pile, in scene: Scene) -> Bool {
        let loops = scene.settings.loop
        let count = pile.windowCount(scene.settings.layout.visibleCount, loops: loops)
        return placed.count == count
            && placed.indices.allSatisfy { slot in
                placed[slot].card == pile.identity(at: pile.index(behindFront: slot, loops: loops))
            }
    }
}
