import DeckEngine

extension Layout {
    private static let kinds: [StaticString] = ["stack", "stretched", "flip"]

    /// Reads a layout over this one. One of another type begins from that type's defaults.
    mutating func update(from value: JSONValue) throws(WireError) {
        let kind = try value.peek("type").map { type throws(WireError) in try type.choice(of: Self.kinds) }
        switch kind ?? self.kind {
        case 0:
            var stack = if case .stack(let former) = self { former } else { StackLayout() }
            try stack.update(from: value)
            self = .stack(stack)
        case 1:
            var stretched = if case .stretched(let former) = self { former } else { StretchedLayout() }
            try stretched.update(from: value)
            self = .stretched(stretched)
        default:
            var flip = if case .flip(let former) = self { former } else { FlipLayout() }
            try flip.update(from: value)
            self = .flip(flip)
        }
    }

    /// The type's place among `kinds`.
    private var kind: Int {
        switch self {
        case .stack: 0
        case .stretched: 1
        case .flip: 2
        }
    }
}

extension StackLayout {
    private static let names: [StaticString] = ["type", "visibleCount", "topMargin", "scale", "from"]

    fileprivate mutating func update(from value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        if let value = object["visibleCount"] { visibleCount = try value.integer(in: 1...EngineLimits.visibleCards) }
        if let value = object["topMargin"] { topMargin = try value.number(in: -1000...1000) }
        if let value = object["scale"] { scale = try value.number(in: 0.01...2) }
        if let value = object["from"] { from = try value.choice() }
    }
}

extension StretchedLayout {
    private static let names: [StaticString] = [
        "type", "visibleCount", "topOffset", "horizontalOffset", "heightRatio", "backgroundScale", "backgroundMargin",
    ]

    fileprivate mutating func update(from value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        if let value = object["visibleCount"] { visibleCount = try value.integer(in: 1...2) }
        if let value = object["topOffset"] { topOffset = try value.number(in: -10_000...10_000) }
        if let value = object["horizontalOffset"] { horizontalOffset = try value.number(in: 0...10_000) }
        if let value = object["heightRatio"] { heightRatio = try value.number(in: 0.01...100) }
        if let value = object["backgroundScale"] { backgroundScale = try value.number(in: 0.01...100) }
        if let value = object["backgroundMargin"] { backgroundMargin = try value.number(in: -100...100) }
    }
}

extension FlipLayout {
    private static let names: [StaticString] = [
        "type", "cardWidth", "cardHeight", "spacing", "scaleStep", "perspective",
    ]

    fileprivate mutating func update(from value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        if let value = object["cardWidth"] { cardWidth = try value.number(in: WireLimits.lengths) }
        if let value = object["cardHeight"] { cardHeight = try value.number(in: WireLimits.lengths) }
        if let value = object["spacing"] { spacing = try value.number(in: WireLimits.lengths) }
        // So that there are no more places than a layout can show.
        let leastStep = 1 / Double(EngineLimits.visibleCards)
        if let value = object["scaleStep"] { scaleStep = try value.number(in: leastStep...1) }
        if let value = object["perspective"] { perspective = try value.number(in: WireLimits.lengths) }
    }
}
