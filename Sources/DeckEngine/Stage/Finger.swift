/// A finger on the front card.
struct Finger: Sendable, Hashable {
    /// The card that it took.
    var card: CardIdentity
    /// The finger's displacement, as far as the card follows it.
    var translation = Vector.zero
    /// Where it went down, in the card's own coordinates.
    var location: Vector
    /// The direction that a release would swipe in by its distance alone; nil below the threshold.
    var pastThreshold: Direction?
    /// Where a carousel was when the finger went down, and the number that it goes back to if the finger decides nothing.
    var startOffset = 0.0
    var startNumber = 0

    /// Its effect on the cards of a stack.
    ///
    /// - Parameter allowed: the directions that the card can be swiped in.
    func lean(allowed: Directions, in scene: Scene) -> Lean {
        let cardSize = scene.rect(ofSlot: 0).size
        let transform = DragTransform(
            translation: translation,
            location: location,
            cardSize: cardSize,
            motion: scene.settings.motion
        )
        let reading = DragReading(
            translation: translation,
            cardSize: cardSize,
            extent: scene.settings.motion.tracking == .finger ? cardSize : transform.matrix.boundingSize(of: cardSize),
            candidates: candidates(allowed: allowed, in: scene),
            sectors: scene.settings.rules.sectors
        )
        return Lean(cardSize: cardSize, location: location, transform: transform, reading: reading)
    }

    /// The directions that the drag can point in: those the card can be swiped in, and those that undo.
    private func candidates(allowed: Directions, in scene: Scene) -> Directions {
        var candidates = allowed
        for direction in scene.settings.rules.undoDirections { candidates.append(direction) }
        return candidates
    }
}
