/// Where and how a card rests at a place.
public struct Slot: Sendable, Hashable {
    /// Its rectangle in the viewport.
    public var rect: Rect
    /// What the layout makes of its opacity, 0…1.
    public var opacity = 1.0
    /// How far it has tipped over its bottom edge, away from the onlooker at first.
    public var flip = Radians.zero

    /// A card that lies flat and opaque in a rectangle.
    public init(rect: Rect) {
        self.rect = rect
    }
}

/// Where cards rest, as a function of their place. Place 0 is the front card's and 1 that of the card behind it; a card
/// on its way from one to the other is at a place between, and one that has been scrolled past is below 0.
protocol SlotGeometry {
    /// The number of places that are shown.
    var visibleCount: Int { get }
    /// The slot at a place in a deck of size `viewport`.
    func slot(at place: Double, in viewport: Size) -> Slot
    /// The size a viewport must exceed on both sides for the front card to have any.
    var leastSize: Size { get }
}

extension SlotGeometry {
    /// The slot on the straight way from one whole place to the next.
    func slotBetween(_ place: Double, _ whole: (Int) -> Rect) -> Slot {
        let lower = max(place.rounded(.down), 0)
        let part = max(place, 0) - lower
        let near = whole(Int(lower))
        return Slot(rect: part == 0 ? near : .between(near, whole(Int(lower) + 1), part))
    }
}
