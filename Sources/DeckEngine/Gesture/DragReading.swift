/// The direction and the progress of a drag.
struct DragReading: Sendable, Equatable {
    /// The direction it points in; nil for none.
    var direction: Direction?
    /// The part of the way from the card's centre to its edge in that direction, 0…1; 0 for a drag away from it.
    var progress: Double

    init(direction: Direction?, progress: Double) {
        self.direction = direction
        self.progress = progress
    }

    /// Reads a drag of a card whose own size is `cardSize`.
    ///
    /// Without sectors the direction is the candidate whose point is nearest to the translation in units of half the card
    /// (Koloda 5.0.1); a tie goes to the one named first. With sectors it is that of the first sector that the translation
    /// points into. The progress is the translation's projection on the direction in units of the way to the border of the
    /// square, taken with its sign, so that a drag away from every candidate never swipes.
    ///
    /// - Parameters:
    ///   - translation: from where the finger went down, points.
    ///   - cardSize: the card's own size; a side without extent counts as reached at once.
    ///   - extent: the size whose half is the whole way: that of the card, or of the box around the drawn card.
    ///   - candidates: the directions that the drag can point in.
    init(translation: Vector, cardSize: Size, extent: Size, candidates: Directions, sectors: [Sector]) {
        direction =
            sectors.isEmpty
            ? Self.nearest(to: Self.normalize(translation, by: cardSize), of: candidates)
            : sectors.first { candidates.contains($0.direction) && $0.contains(translation) }?.direction
        guard let direction else {
            progress = 0
            return
        }
        let point = direction.point
        let along = Self.normalize(translation, by: extent).dot(point) / point.dot(point)
        progress = min(max(along, 0), 1)
    }

    private static func nearest(to normalized: Vector, of candidates: Directions) -> Direction? {
        var nearest: Direction?
        var nearestDistance = Double.infinity
        for candidate in candidates {
            let offset = normalized - candidate.point
            let distance = offset.dot(offset)
            if distance < nearestDistance {
                nearest = candidate
                nearestDistance = distance
            }
        }
        return nearest
    }

    private static func normalize(_ translation: Vector, by size: Size) -> Vector {
        Vector(x: units(translation.x, of: size.width), y: units(translation.y, of: size.height))
    }

    private static func units(_ length: Double, of extent: Double) -> Double {
        if extent > 0 { return 2 * length / extent }
        return length == 0 ? 0 : (length < 0 ? -1 : 1)
    }
}
