/// A range of angles in which a drag points in a direction.
public struct Sector: Sendable, Hashable {
    /// The direction.
    public var direction: Direction
    /// Where the sector begins, clockwise from the right.
    public var from: Radians
    /// Where it ends, clockwise from `from`; at most a whole turn later.
    public var to: Radians

    /// The sector of a direction from one angle clockwise to another.
    public init(_ direction: Direction, from: Radians, to: Radians) {
        self.direction = direction
        self.from = from
        self.to = to
    }

    /// Whether the bounds are within their range, and the end is after the beginning by a whole turn at most.
    public var isValid: Bool {
        let width = to.value - from.value
        return SettingLimits.angles.contains(from.value) && SettingLimits.angles.contains(to.value)
            && width > 0 && width <= 2 * .pi
    }

    /// Whether a vector points into the sector. The start belongs to it, the end does not. No sector contains a zero
    /// vector.
    func contains(_ vector: Vector) -> Bool {
        guard vector.x != 0 || vector.y != 0 else { return false }
        let width = to.value - from.value
        if width >= 2 * .pi { return true }
        // The sides of the two bounds on which the vector lies show whether it is between them. No arc tangent is needed.
        let (begin, end) = (Vector(x: 1, y: 0).rotated(by: from), Vector(x: 1, y: 0).rotated(by: to))
        let isPastBegin = begin.cross(vector) > 0 || (begin.cross(vector) == 0 && begin.dot(vector) > 0)
        let isBeforeEnd = vector.cross(end) > 0
        return width <= .pi ? isPastBegin && isBeforeEnd : isPastBegin || isBeforeEnd
    }
}
