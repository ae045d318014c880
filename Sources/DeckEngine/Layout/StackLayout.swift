/// Koloda's stack: every card is smaller than the one before it and shows an edge behind it.
public struct StackLayout: Sendable, Hashable {
    /// The number of slots, 1 or more. The front card leaves room for all of them, however many cards there are.
    public var visibleCount = 3
    /// The width of the edge that each card behind shows, points.
    public var topMargin = 4.0
    /// A card's size over the size of the one before it.
    public var scale = 0.95
    /// The side on which the edges show.
    public var from = StackOrigin.bottom

    /// Koloda's default stack.
    public init() {}

    /// The total length of the edges.
    private var margins: Double {
        topMargin * Double(visibleCount - 1)
    }

    var leastSize: Size {
        Size(
            width: from.horizontal == .middle ? 0 : max(margins, 0),
            height: from.vertical == .middle ? 0 : max(margins, 0)
        )
    }

    func slot(at position: Double, in viewport: Size) -> Slot {
        Slot.between(position) { rect(at: $0, in: viewport) }
    }

    /// The rectangle of a whole slot (Koloda 5.0.1 for the origins `bottom` and `top`).
    private func rect(at slot: Int, in viewport: Size) -> Rect {
        let factor = power(scale, slot)
        let (x, width) = span(at: slot, of: viewport.width, factor, from.horizontal)
        let (y, height) = span(at: slot, of: viewport.height, factor, from.vertical)
        return Rect(x: x, y: y, width: width, height: height)
    }

    /// Where a card begins along one axis, and how long it is.
    ///
    /// Sizes shrink by `scale` a slot from the front card's, which leaves room for the edges if they show along this
    /// axis. They are `topMargin` apart towards that side; without a side, cards are centred. For a negative length the
    /// absolute value is used.
    private func span(
        at slot: Int,
        of whole: Double,
        _ factor: Double,
        _ side: StackOrigin.Side
    ) -> (start: Double, length: Double) {
        guard side != .middle else {
            let length = whole * factor
            return ((whole - length) / 2, abs(length))
        }
        let front = whole - margins
        let length = abs(front * factor)
        if side == .far { return (slot == 0 ? 0 : abs(front) - length + Double(slot) * topMargin, length) }
        return (slot < visibleCount - 1 ? Double(visibleCount - 1 - slot) * topMargin : 0, length)
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent { result *= base }
        return result
    }
}

extension StackLayout: SettingGroup {
    /// Passes every member to a visitor.
    public mutating func visit<Visitor: SettingVisitor>(
        _ visitor: inout Visitor,
        base: StackLayout
    ) throws(Visitor.Failure) {
        try visitor.integer("visibleCount", &visibleCount, base.visibleCount, in: 1...EngineLimits.visibleCards)
        try visitor.number("topMargin", &topMargin, base.topMargin, in: -1000...1000)
        try visitor.number("scale", &scale, base.scale, in: 0.01...2)
        try visitor.choice("from", &from, base.from)
    }
}

/// The side of the front card on which the cards behind show their edges.
public enum StackOrigin: UInt8, NamedChoice {
    case none = 0, top = 1, bottom = 2, left = 3, right = 4
    case topLeft = 5, topRight = 6, bottomLeft = 7, bottomRight = 8

    /// A side along one axis.
    enum Side {
        /// The edges do not show along this axis.
        case middle
        /// Left or top.
        case near
        /// Right or bottom.
        case far
    }

    var horizontal: Side {
        switch self {
        case .left, .topLeft, .bottomLeft: .near
        case .right, .topRight, .bottomRight: .far
        case .none, .top, .bottom: .middle
        }
    }

    var vertical: Side {
        switch self {
        case .top, .topLeft, .topRight: .near
        case .bottom, .bottomLeft, .bottomRight: .far
        case .none, .left, .right: .middle
        }
    }

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .none: "none"
        case .top: "top"
        case .bottom: "bottom"
        case .left: "left"
        case .right: "right"
        case .topLeft: "topLeft"
        case .topRight: "topRight"
        case .bottomLeft: "bottomLeft"
        case .bottomRight: "bottomRight"
        }
    }
}
