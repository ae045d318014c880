import DeckEngine

// Settings are read over what is there already, so that a deck names only what it wants otherwise than its preset.

extension Rules {
    private static let names: [StaticString] = [
        "allowedDirections", "deniedDirections", "draggable", "swipeThreshold", "velocityThreshold", "whileAnimating",
        "refillAt",
    ]

    mutating func update(from value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        if let value = object["allowedDirections"] { allowedDirections = try value.directions() }
        if let value = object["deniedDirections"] { deniedDirections = try value.directions() }
        if let value = object["draggable"] { draggable = try value.bool() }
        if let value = object["swipeThreshold"] { swipeThreshold = try value.number(in: 0...100) }
        if let value = object["velocityThreshold"] {
            velocityThreshold = value.isNull ? nil : try value.number(in: 0...1_000_000)
        }
        if let value = object["whileAnimating"] { whileAnimating = try value.choice() }
        if let value = object["refillAt"] { refillAt = try value.integer(in: 0...WireLimits.numberedCards) }
    }
}

extension MotionSettings {
    private static let names: [StaticString] = [
        "tracking", "rotationMax", "rotationAngle", "scaleMin", "dragSpeed", "backgroundDuration", "appear",
        "appearDuration", "revertDuration", "revertFadeDuration", "resetSpring", "resetDuration", "backgroundSpring",
        "moveBackground",
    ]

    mutating func update(from value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        try updateDrag(from: object)
        try updateDurations(from: object)
        if let value = object["appear"] { appear = try value.bool() }
        if let value = object["moveBackground"] { moveBackground = try value.bool() }
        if let value = object["resetSpring"] { resetSpring = try value.spring(over: resetSpring) }
        if let value = object["backgroundSpring"] {
            // Koloda's second sample is where a deck without a spring of its own gets its numbers from.
            let base = backgroundSpring ?? SpringSettings(bounciness: 9, speed: 16)
            backgroundSpring = value.isNull ? nil : try value.spring(over: base)
        }
    }

    private mutating func updateDrag(from object: JSONObject) throws(WireError) {
        if let value = object["tracking"] { tracking = try value.choice() }
        if let value = object["rotationMax"] { rotationMax = try value.number(in: 0...100) }
        if let value = object["rotationAngle"] { rotationAngle = Radians(try value.number(in: -100...100)) }
        if let value = object["scaleMin"] { scaleMin = try value.fraction() }
    }

    private mutating func updateDurations(from object: JSONObject) throws(WireError) {
        if let value = object["dragSpeed"] { dragSpeed = try value.duration() }
        if let value = object["backgroundDuration"] { backgroundDuration = try value.duration() }
        if let value = object["appearDuration"] { appearDuration = try value.duration() }
        if let value = object["revertDuration"] { revertDuration = try value.duration() }
        if let value = object["revertFadeDuration"] { revertFadeDuration = try value.duration() }
        if let value = object["resetDuration"] { resetDuration = try value.duration() }
    }
}

extension Appearance {
    private static let names: [StaticString] = ["opaque", "semiTransparent", "transparent", "fadeNext"]

    mutating func update(from value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        if let value = object["opaque"] { opaque = try value.fraction() }
        if let value = object["semiTransparent"] { semiTransparent = try value.fraction() }
        if let value = object["transparent"] { transparent = try value.fraction() }
        if let value = object["fadeNext"] { fadeNext = try value.bool() }
    }
}

extension OverlaySettings {
    private static let names: [StaticString] = ["start", "end"]

    mutating func update(from value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        if let value = object["start"] { start = try value.fraction() }
        if let value = object["end"] { end = try value.fraction() }
    }
}

extension Layout {
    private static let kinds: [StaticString] = ["stack", "stretched"]

    /// A layout of another type than before begins from that type's defaults.
    mutating func update(from value: JSONValue) throws(WireError) {
        let kind = try value.peek("type").map { type throws(WireError) in try type.choice(of: Self.kinds) }
        switch (kind, self) {
        case (nil, .stack(var stack)), (0, .stack(var stack)):
            try stack.update(from: value)
            self = .stack(stack)
        case (nil, .stretched(var stretched)), (1, .stretched(var stretched)):
            try stretched.update(from: value)
            self = .stretched(stretched)
        case (0, .stretched):
            var stack = StackLayout()
            try stack.update(from: value)
            self = .stack(stack)
        case (_, .stack), (_, .stretched):
            var stretched = StretchedLayout()
            try stretched.update(from: value)
            self = .stretched(stretched)
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
