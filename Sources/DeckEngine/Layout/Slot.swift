/// Where and how a card rests at a place.
public struct Slot: Sendable, Hashable {
    /// Its rectangle in the viewport.
    public var rect: Rect
    /// The opacity that the layout gives the card, 0…1.
    public var opacity = 1.0
    /// How far it has tipped over its bottom edge, at first away from the viewer.
    public var flip = Radians.zero

    /// A card that lies flat and opaque in a rectangle.
    public init(rect: Rect) {
        self.rect = rect
    }
}

extension Slot {
    /// The slot on the straight way from one whole slot to the next.
    ///
    /// - Parameters:
    ///   - position: 0 for the front card, 1 for the one behind it; a card on its way is between two.
    ///   - whole: the rectangle of a whole slot.
    static func between(_ position: Double, _ whole: (Int) -> Rect) -> Slot {
        let lower = max(position.rounded(.down), 0)
        let part = max(position, 0) - lower
        let near = whole(Int(lower))
        return Slot(rect: part == 0 ? near : .between(near, whole(Int(lower) + 1), part))
    }
}
