/// The layout of Koloda's second sample: one card near the top, and the next one stretched behind the whole deck.
public struct StretchedLayout: Sendable, Hashable {
    /// The number of slots, 1 or 2; slots beyond are empty.
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

    /// The sample's numbers.
    public init() {}

    var leastSize: Size {
        Size(width: 2 * horizontalOffset, height: 0)
    }

    func slot(at position: Double, in viewport: Size) -> Slot {
        Slot.between(position) { rect(at: $0, in: viewport) }
    }

    /// The rectangle of a whole slot. For a negative side the absolute value is used.
    private func rect(at slot: Int, in viewport: Size) -> Rect {
        switch slot {
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

extension StretchedLayout: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: StretchedLayout
    ) throws(Visitor.Failure) {
        try visitor.integer("visibleCount", &visibleCount, base.visibleCount, in: 1...2)
        try visitor.number("topOffset", &topOffset, base.topOffset, in: -10_000...10_000)
        try visitor.number("horizontalOffset", &horizontalOffset, base.horizontalOffset, in: 0...10_000)
        try visitor.number("heightRatio", &heightRatio, base.heightRatio, in: 0.01...100)
        try visitor.number("backgroundScale", &backgroundScale, base.backgroundScale, in: 0.01...100)
        try visitor.number("backgroundMargin", &backgroundMargin, base.backgroundMargin, in: -100...100)
    }
}
