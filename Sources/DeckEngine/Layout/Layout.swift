/// Where cards rest. Each layout is a type of its own with this one job.
///
/// The cases are told apart here rather than through the protocol, which would put each layout on the heap.
public enum Layout: Sendable, Hashable {
    case stack(StackLayout)
    case stretched(StretchedLayout)
    case flip(FlipLayout)

    /// The number of places that are shown.
    public var visibleCount: Int {
        switch self {
        case .stack(let stack): stack.visibleCount
        case .stretched(let stretched): stretched.visibleCount
        case .flip(let flip): flip.visibleCount
        }
    }

    /// The slot at a place, 0 for the front card, in a deck of size `viewport`; between two whole places it is on the
    /// way from one to the other.
    public func slot(at place: Double, in viewport: Size) -> Slot {
        switch self {
        case .stack(let stack): stack.slot(at: place, in: viewport)
        case .stretched(let stretched): stretched.slot(at: place, in: viewport)
        case .flip(let flip): flip.slot(at: place, in: viewport)
        }
    }

    /// The size a viewport must exceed on both sides for the front card to have any.
    public var leastSize: Size {
        switch self {
        case .stack(let stack): stack.leastSize
        case .stretched(let stretched): stretched.leastSize
        case .flip(let flip): flip.leastSize
        }
    }

    /// Whether it is scrolled through, instead of giving verdicts by hand.
    var scrolls: Bool {
        scrolling != nil
    }

    /// The layout that is scrolled through, if it is one.
    var scrolling: FlipLayout? {
        if case .flip(let flip) = self { flip } else { nil }
    }
}
