/// Where cards rest, as a function of their place: 0 is the front card, 1 the card behind it.
public enum Layout: Sendable, Hashable {
    case stack(StackLayout)
    case stretched(StretchedLayout)

    /// The number of places that are shown.
    public var visibleCount: Int {
        switch self {
        case .stack(let stack): stack.visibleCount
        case .stretched(let stretched): stretched.visibleCount
        }
    }

    /// The rectangle of `place` in a deck of size `viewport`; also of the place just behind the last shown one.
    public func slot(at place: Int, in viewport: Size) -> Rect {
        switch self {
        case .stack(let stack): stack.slot(at: place, in: viewport)
        case .stretched(let stretched): stretched.slot(at: place, in: viewport)
        }
    }

    /// The height a viewport must exceed for the front card to have any.
    public var leastHeight: Double {
        switch self {
        case .stack(let stack): stack.marginsHeight
        case .stretched: 0
        }
    }

    /// The width a viewport must exceed for the front card to have any.
    public var leastWidth: Double {
        switch self {
        case .stack: 0
        case .stretched(let stretched): 2 * stretched.horizontalOffset
        }
    }
}
