/// The flip carousel of CardsAnimationDemo: a pile in perspective that is scrolled through. The front card tips over
/// its bottom edge and fades as the next one comes up.
public struct FlipLayout: Sendable, Hashable {
    /// The width of the front card, points.
    public var cardWidth = 300.0
    /// The height of the front card, points.
    public var cardHeight = 200.0
    /// The scroll distance from one card to the next, points.
    public var spacing = 30.0
    /// How much smaller each card is than the one before it, as a part of the front card's size.
    public var scaleStep = 0.1
    /// The viewing distance of the tipping card, points.
    public var perspective = 2000.0

    /// The sample's numbers.
    public init() {}

    /// The number of slots before cards have shrunk to nothing.
    public var visibleCount: Int {
        max(1, Int((1 / scaleStep).rounded(.up)))
    }

    var leastSize: Size {
        Size(width: 0, height: 0)
    }

    /// Slightly less than half a turn, so that a card never swings back from the other side.
    private static let fullFlip = -179.999 * Double.pi / 180

    /// Each card is anchored at its bottom centre (CardsAnimationDemo). With the ratio r = 1 − `scaleStep` · position,
    /// a card behind has size r, and its anchor is (1 − r)/`scaleStep` · `spacing` above the front card's. A card that
    /// has been scrolled past stays there, turns by up to half a turn, and fades until it is a whole card past.
    func slot(at position: Double, in viewport: Size) -> Slot {
        let scale = min(max(1 - scaleStep * position, 0), 1)
        let anchorY = viewport.height / 2 + cardHeight / 2 - max(position, 0) * spacing
        var slot = Slot(
            rect: Rect(
                x: (viewport.width - cardWidth * scale) / 2,
                y: anchorY - cardHeight * scale,
                width: cardWidth * scale,
                height: cardHeight * scale
            )
        )
        let past = min(max(-position, 0), 1)
        slot.opacity = scale > 0 ? 1 - past : 0
        slot.flip = Radians(past == 0 ? 0 : Self.fullFlip * past)
        return slot
    }

    /// The number of the card that a scroll ends at: the nearest one, or the next one if it is half way.
    ///
    /// - Parameter offset: how far the deck is scrolled, in cards; less than 10¹⁵.
    func snap(_ offset: Double) -> Int {
        Int((offset + 0.5).rounded(.down))
    }
}

extension FlipLayout: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: FlipLayout
    ) throws(Visitor.Failure) {
        try visitor.number("cardWidth", &cardWidth, base.cardWidth, in: SettingLimits.lengths)
        try visitor.number("cardHeight", &cardHeight, base.cardHeight, in: SettingLimits.lengths)
        try visitor.number("spacing", &spacing, base.spacing, in: SettingLimits.lengths)
        // A smaller step would give more slots than a layout can show.
        let leastStep = 1 / Double(EngineLimits.visibleCards)
        try visitor.number("scaleStep", &scaleStep, base.scaleStep, in: leastStep...1)
        try visitor.number("perspective", &perspective, base.perspective, in: SettingLimits.lengths)
    }
}
