/// Koloda's stack: every card is smaller than the one before it and shows an edge behind it.
public struct StackLayout: Sendable, Hashable {
    /// The number of places, 1 or more. The front card leaves room for all of them, however many cards there are.
    public var visibleCount = 3
    /// The height of the edge that each card behind shows, points.
    public var topMargin = 4.0
    /// A card's size over the size of the one before it.
    public var scale = 0.95
    /// The side on which the edges show.
    public var from = StackOrigin.bottom

    /// Koloda's default stack.
    public init() {}

    /// The height that all the edges take together.
    var marginsHeight: Double {
        topMargin * Double(visibleCount - 1)
    }

    /// The rectangle of `place` (Koloda 5.0.1): sizes shrink by `scale` a place from the front card's, cards are
    /// centred, and their edges are `topMargin` apart. A negative height counts by its amount.
    func slot(at place: Int, in viewport: Size) -> Rect {
        let frontHeight = viewport.height - marginsHeight
        let factor = power(scale, place)
        let width = viewport.width * factor
        let height = frontHeight * factor
        let y: Double =
            switch from {
            case .bottom: place == 0 ? 0 : abs(frontHeight) - abs(height) + Double(place) * topMargin
            case .top: place < visibleCount - 1 ? Double(visibleCount - 1 - place) * topMargin : 0
            }
        return Rect(x: (viewport.width - width) / 2, y: y, width: abs(width), height: abs(height))
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent { result *= base }
        return result
    }
}

/// The side of the front card on which those behind show their edges.
public enum StackOrigin: UInt8, Sendable, Hashable, CaseIterable {
    case bottom, top
}
