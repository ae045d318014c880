/// The layout of Koloda's second sample: one card near the top, and the next one stretched behind the whole deck.
public struct StretchedLayout: Sendable, Hashable, SlotGeometry {
    /// The number of places, 1 or 2; places beyond are empty.
    public var visibleCount = 2
    /// The front card's top edge, points.
    public var topOffset = 20.0
    /// The front card's distance from either side, points.
    public var horizontalOffset = 10.0
    /// The front card's height over its width.
    public var heightRatio = 1.25
    /// The width of the card behind over the deck's width.
    public var backgroundScale = 1.5
    /// How far the card behind begins to the left of the deck, in units of the deck's width.
    public var backgroundMargin = 0.25

    /// The sample's own numbers.
    public init() {}

    var leastSize: Size {
        Size(width: 2 * horizontalOffset, height: 0)
    }

    func slot(at place: Double, in viewport: Size) -> Slot {
        slotBetween(place) { rect(at: $0, in: viewport) }
    }

    /// The rectangle of a whole place. A negative extent counts by its amount.
    private func rect(at place: Int, in viewport: Size) -> Rect {
        switch place {
        case 0:
            let width = viewport.width - 2 * horizontalOffset
            return Rect(x: horizontalOffset, y: topOffset, width: abs(width), height: abs(width * heightRatio))
        case 1:
            let width = viewport.width * backgroundScale
            return Rect(x: -viewport.width * backgroundMargin, y: 0, width: width, height: width * heightRatio)
        default:
            return .zero
        }
    }
}
