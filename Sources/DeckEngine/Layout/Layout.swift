/// Where cards rest. Each layout is a separate type with one job.
public enum Layout: Sendable, Hashable {
    case stack(StackLayout)
    case stretched(StretchedLayout)
    case flip(FlipLayout)

    /// The number of slots that are shown.
    public var visibleCount: Int {
        switch self {
        case .stack(let stack): stack.visibleCount
        case .stretched(let stretched): stretched.visibleCount
        case .flip(let flip): flip.visibleCount
        }
    }

    /// The slot at a position, 0 for the front card and 1 for the one behind it, in a deck of size `viewport`; between two
    /// whole slots it is on the way from one to the other.
    public func slot(at position: Double, in viewport: Size) -> Slot {
        switch self {
        case .stack(let stack): stack.slot(at: position, in: viewport)
        case .stretched(let stretched): stretched.slot(at: position, in: viewport)
        case .flip(let flip): flip.slot(at: position, in: viewport)
        }
    }

    /// The viewport must be larger than this on both sides; otherwise the front card has no area.
    public var leastSize: Size {
        switch self {
        case .stack(let stack): stack.leastSize
        case .stretched(let stretched): stretched.leastSize
        case .flip(let flip): flip.leastSize
        }
    }

    /// Whether drags scroll the layout instead of swiping the front card.
    var scrolls: Bool {
        scrolling != nil
    }

    /// The layout if it scrolls; nil for stacks.
    var scrolling: FlipLayout? {
        if case .flip(let flip) = self { flip } else { nil }
    }
}

extension Layout {
    /// The types of layout.
    public enum Kind: UInt8, NamedChoice {
        // The numbers are those of snapshots and never change.
        case stack = 0, stretched = 1, flip = 2

        /// The name on the wire.
        public var name: StaticString {
            switch self {
            case .stack: "stack"
            case .stretched: "stretched"
            case .flip: "flip"
            }
        }
    }

    /// The layout's type.
    public var kind: Kind {
        switch self {
        case .stack: .stack
        case .stretched: .stretched
        case .flip: .flip
        }
    }

    /// The layout of a type, with its defaults.
    public init(_ kind: Kind) {
        switch kind {
        case .stack: self = .stack(StackLayout())
        case .stretched: self = .stretched(StretchedLayout())
        case .flip: self = .flip(FlipLayout())
        }
    }

    /// Passes every member of the layout to a visitor. Members that are not set have the defaults of the layout's type.
    public mutating func visit<Visitor: SettingVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        switch self {
        case .stack(var stack):
            try stack.visit(&visitor, base: StackLayout())
            self = .stack(stack)
        case .stretched(var stretched):
            try stretched.visit(&visitor, base: StretchedLayout())
            self = .stretched(stretched)
        case .flip(var flip):
            try flip.visit(&visitor, base: FlipLayout())
            self = .flip(flip)
        }
    }
}
