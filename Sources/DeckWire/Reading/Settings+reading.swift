import DeckEngine

// Settings are read over what is there already, so that a deck names only what it wants otherwise than its preset. In a
// merge patch (RFC 7396) null stands for what the preset has; in a deck there is nothing it could stand for.

extension JSONObject {
    /// Reads a member, if there is one, into a field.
    ///
    /// - Parameter preset: what null stands for; nil: null is a value like any other.
    fileprivate func take<Value>(
        _ name: StaticString,
        _ field: inout Value,
        _ preset: Value?,
        _ read: (JSONValue) throws(WireError) -> Value
    ) throws(WireError) {
        guard let value = self[name] else { return }
        if let preset, value.isNull { field = preset } else { field = try read(value) }
    }
}

extension DeckSettings {
    /// The members of a deck, or of a patch, that are settings and can change while a session runs.
    static let liveNames: [StaticString] = ["loop", "rules", "motion", "appearance", "overlay"]

    /// Reads the settings among an object's members.
    ///
    /// - Parameter preset: what null stands for in a merge patch; nil in a deck.
    mutating func update(from object: JSONObject, preset: DeckSettings?) throws(WireError) {
        try object.take("loop", &loop, preset?.loop) { value throws(WireError) in try value.bool() }
        try object.update("rules", &rules, preset?.rules)
        try object.update("motion", &motion, preset?.motion)
        try object.update("appearance", &appearance, preset?.appearance)
        try object.update("overlay", &overlay, preset?.overlay)
    }
}

/// Settings that are a member of their own.
private protocol SettingsGroup {
    /// Reads the group over what is there.
    ///
    /// - Parameter preset: what null stands for in a merge patch; nil in a deck.
    mutating func update(from value: JSONValue, preset: Self?) throws(WireError)
}

extension JSONObject {
    fileprivate func update<Group: SettingsGroup>(
        _ name: StaticString,
        _ group: inout Group,
        _ preset: Group?
    ) throws(WireError) {
        guard let value = self[name] else { return }
        if let preset, value.isNull { group = preset } else { try group.update(from: value, preset: preset) }
    }
}

extension Rules: SettingsGroup {
    private static let names: [StaticString] = [
        "allowedDirections", "deniedDirections", "dragDirections", "dragAxis", "draggable", "swipeThreshold",
        "swipeThresholds", "velocityThreshold", "pullBackCancels", "whileAnimating", "refillAt",
    ]

    fileprivate mutating func update(from value: JSONValue, preset: Rules?) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        try updateDirections(from: object, preset: preset)
        try updateThresholds(from: object, preset: preset)
        try object.take("draggable", &draggable, preset?.draggable) { value throws(WireError) in try value.bool() }
        try object.take("whileAnimating", &whileAnimating, preset?.whileAnimating) { value throws(WireError) in
            try value.choice()
        }
        try object.take("refillAt", &refillAt, preset?.refillAt) { value throws(WireError) in
            try value.integer(in: 0...WireLimits.numberedCards)
        }
    }

    private mutating func updateDirections(from object: JSONObject, preset: Rules?) throws(WireError) {
        try object.take("allowedDirections", &allowedDirections, preset?.allowedDirections) { value throws(WireError) in
            try value.directions()
        }
        try object.take("deniedDirections", &deniedDirections, preset?.deniedDirections) { value throws(WireError) in
            try value.directions()
        }
        // Here null is a value: a finger can move the card in every direction.
        try object.take("dragDirections", &dragDirections, nil) { value throws(WireError) in
            value.isNull ? nil : try value.directions()
        }
        try object.take("dragAxis", &dragAxis, preset?.dragAxis) { value throws(WireError) in try value.choice() }
    }

    private mutating func updateThresholds(from object: JSONObject, preset: Rules?) throws(WireError) {
        try object.take("swipeThreshold", &swipeThreshold, preset?.swipeThreshold) { value throws(WireError) in
            try value.number(in: WireLimits.thresholds)
        }
        let former = swipeThresholds
        try object.take("swipeThresholds", &swipeThresholds, preset?.swipeThresholds) { value throws(WireError) in
            try value.byDirection(over: former) { value, _ throws(WireError) in
                try value.number(in: WireLimits.thresholds)
            }
        }
        // Here null is a value: no speed is enough.
        try object.take("velocityThreshold", &velocityThreshold, nil) { value throws(WireError) in
            value.isNull ? nil : try value.number(in: 0...1_000_000)
        }
        try object.take("pullBackCancels", &pullBackCancels, preset?.pullBackCancels) { value throws(WireError) in
            try value.bool()
        }
    }
}

extension MotionSettings: SettingsGroup {
    private static let names: [StaticString] = [
        "tracking", "rotationMax", "rotationAngle", "scaleMin", "dragSpeed", "backgroundDuration", "appear",
        "appearDuration", "revertDuration", "revertFadeDuration", "resetSpring", "resetDuration", "backgroundSpring",
        "moveBackground", "exitFollowsFling", "snapSpring", "reduced",
    ]

    fileprivate mutating func update(from value: JSONValue, preset: MotionSettings?) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        try updateDrag(from: object, preset: preset)
        try updateDurations(from: object, preset: preset)
        try updateSprings(from: object, preset: preset)
        func flag(_ value: JSONValue) throws(WireError) -> Bool { try value.bool() }
        try object.take("appear", &appear, preset?.appear, flag)
        try object.take("moveBackground", &moveBackground, preset?.moveBackground, flag)
        try object.take("exitFollowsFling", &exitFollowsFling, preset?.exitFollowsFling, flag)
        try object.take("reduced", &reduced, preset?.reduced, flag)
    }

    private mutating func updateDrag(from object: JSONObject, preset: MotionSettings?) throws(WireError) {
        try object.take("tracking", &tracking, preset?.tracking) { value throws(WireError) in try value.choice() }
        try object.take("rotationMax", &rotationMax, preset?.rotationMax) { value throws(WireError) in
            try value.number(in: 0...100)
        }
        try object.take("rotationAngle", &rotationAngle, preset?.rotationAngle) { value throws(WireError) in
            Radians(try value.number(in: -100...100))
        }
        try object.take("scaleMin", &scaleMin, preset?.scaleMin) { value throws(WireError) in try value.fraction() }
    }

    private mutating func updateDurations(from object: JSONObject, preset: MotionSettings?) throws(WireError) {
        func duration(_ value: JSONValue) throws(WireError) -> Milliseconds { try value.duration() }
        try object.take("dragSpeed", &dragSpeed, preset?.dragSpeed, duration)
        try object.take("backgroundDuration", &backgroundDuration, preset?.backgroundDuration, duration)
        try object.take("appearDuration", &appearDuration, preset?.appearDuration, duration)
        try object.take("revertDuration", &revertDuration, preset?.revertDuration, duration)
        try object.take("revertFadeDuration", &revertFadeDuration, preset?.revertFadeDuration, duration)
        try object.take("resetDuration", &resetDuration, preset?.resetDuration, duration)
    }

    private mutating func updateSprings(from object: JSONObject, preset: MotionSettings?) throws(WireError) {
        let (reset, snap) = (resetSpring, snapSpring)
        try object.take("resetSpring", &resetSpring, preset?.resetSpring) { value throws(WireError) in
            try value.spring(over: reset)
        }
        try object.take("snapSpring", &snapSpring, preset?.snapSpring) { value throws(WireError) in
            try value.spring(over: snap)
        }
        // Koloda's second sample is where a deck without a spring of its own gets its numbers from. Null is a value:
        // the cards behind take `backgroundDuration`.
        let background = backgroundSpring ?? SpringSettings(bounciness: 9, speed: 16)
        try object.take("backgroundSpring", &backgroundSpring, nil) { value throws(WireError) in
            value.isNull ? nil : try value.spring(over: background)
        }
    }
}

extension Appearance: SettingsGroup {
    private static let names: [StaticString] = ["opaque", "semiTransparent", "transparent", "fadeNext"]

    fileprivate mutating func update(from value: JSONValue, preset: Appearance?) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        func fraction(_ value: JSONValue) throws(WireError) -> Double { try value.fraction() }
        try object.take("opaque", &opaque, preset?.opaque, fraction)
        try object.take("semiTransparent", &semiTransparent, preset?.semiTransparent, fraction)
        try object.take("transparent", &transparent, preset?.transparent, fraction)
        try object.take("fadeNext", &fadeNext, preset?.fadeNext) { value throws(WireError) in try value.bool() }
    }
}

extension OverlaySettings: SettingsGroup {
    private static let names: [StaticString] = ["start", "end", "curve", "directions"]

    fileprivate mutating func update(from value: JSONValue, preset: OverlaySettings?) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        try range.update(from: object, preset: preset?.range)
        let (base, former) = (range, directions)
        try object.take("directions", &directions, preset?.directions) { value throws(WireError) in
            try value.byDirection(over: former) { value, former throws(WireError) in
                var range = former ?? base
                try range.update(from: try value.object(allowing: OverlayRange.names), preset: nil)
                return range
            }
        }
    }
}

extension OverlayRange {
    fileprivate static let names: [StaticString] = ["start", "end", "curve"]

    fileprivate mutating func update(from object: JSONObject, preset: OverlayRange?) throws(WireError) {
        try object.take("start", &start, preset?.start) { value throws(WireError) in try value.fraction() }
        try object.take("end", &end, preset?.end) { value throws(WireError) in try value.fraction() }
        try object.take("curve", &curve, preset?.curve) { value throws(WireError) in try value.choice() }
    }
}

extension JSONValue {
    /// Reads an object whose members are directions over values that are there; null takes a direction's away.
    fileprivate func byDirection<Value>(
        over former: PerDirection<Value>,
        _ read: (JSONValue, Value?) throws(WireError) -> Value
    ) throws(WireError) -> PerDirection<Value> {
        let object = try object(allowing: Direction.wireNames)
        var values = former
        for direction in Direction.allCases {
            guard let value = object[direction.wireName] else { continue }
            values[direction] = value.isNull ? nil : try read(value, values[direction])
        }
        return values
    }
}
