import DeckEngine

/// Reads the members of an object into a group of settings.
///
/// Settings that the object lacks keep their values, so that a deck needs only those that differ from its preset.
struct SettingReader: SettingVisitor {
    typealias Failure = WireError

    /// The meaning of null for a setting that must have a value.
    enum NullMeaning {
        /// An error, as in a deck.
        case error
        /// The setting goes back to its base, as in a merge patch (RFC 7396).
        case base
    }

    private let object: JSONObject
    private let null: NullMeaning

    /// A reader of an object whose members were checked.
    init(_ object: JSONObject, null: NullMeaning) {
        self.object = object
        self.null = null
    }

    /// Checks that an object has only a group's members, and reads them.
    static func update<Group: SettingGroup>(
        _ group: inout Group,
        base: Group,
        from value: JSONValue,
        null: NullMeaning
    ) throws(WireError) {
        var reader = SettingReader(try value.object(allowing: SettingNames(of: group).names), null: null)
        try group.visit(&reader, base: base)
    }

    /// Reads a member that must have a value.
    private func read<Value>(
        _ name: StaticString,
        _ setting: inout Value,
        _ base: Value,
        _ body: (JSONValue) throws(WireError) -> Value
    ) throws(WireError) {
        guard let value = object[name] else { return }
        setting = value.isNull && null == .base ? base : try body(value)
    }

    /// Reads a member for which null is a value, in decks and patches.
    private func readOptional<Value>(
        _ name: StaticString,
        _ setting: inout Value?,
        _ body: (JSONValue) throws(WireError) -> Value
    ) throws(WireError) {
        guard let value = object[name] else { return }
        setting = value.isNull ? nil : try body(value)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.bool() }
    }

    mutating func integer(
        _ name: StaticString,
        _ value: inout Int,
        _ base: Int,
        in range: ClosedRange<Int>
    ) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.integer(in: range) }
    }

    mutating func number(
        _ name: StaticString,
        _ value: inout Double,
        _ base: Double,
        in range: ClosedRange<Double>
    ) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.number(in: range) }
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) throws(WireError) {
        try readOptional(name, &value) { value throws(WireError) in try value.number(in: range) }
    }

    mutating func choice<Choice: NamedChoice>(
        _ name: StaticString,
        _ value: inout Choice,
        _ base: Choice
    ) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.choice() }
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.curve() }
    }

    mutating func directions(
        _ name: StaticString,
        _ value: inout Directions,
        _ base: Directions
    ) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.directions() }
    }

    mutating func optionalDirections(
        _ name: StaticString,
        _ value: inout Directions?,
        _ base: Directions?
    ) throws(WireError) {
        try readOptional(name, &value) { value throws(WireError) in try value.directions() }
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.sectors() }
    }

    mutating func playerEvents(
        _ name: StaticString,
        _ value: inout PlayerEvents,
        _ base: PlayerEvents
    ) throws(WireError) {
        try read(name, &value, base) { value throws(WireError) in try value.playerEvents() }
    }

    mutating func spring(
        _ name: StaticString,
        _ value: inout SpringSettings,
        _ base: SpringSettings
    ) throws(WireError) {
        let (present, null) = (value, null)
        try read(name, &value, base) { value throws(WireError) in
            try Self.spring(value, over: present, base: base, null: null)
        }
    }

    /// Reads `{"bounciness": …, "speed": …}`. A missing member has the value of the present spring.
    private static func spring(
        _ value: JSONValue,
        over present: SpringSettings,
        base: SpringSettings,
        null: NullMeaning
    ) throws(WireError) -> SpringSettings {
        var reader = SettingReader(try value.object(allowing: springNames), null: null)
        var spring = present
        try reader.number("bounciness", &spring.bounciness, base.bounciness, in: SettingLimits.springs)
        try reader.number("speed", &spring.speed, base.speed, in: SettingLimits.springs)
        return spring
    }

    private static let springNames: [StaticString] = ["bounciness", "speed"]

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) throws(WireError) {
        let (present, null) = (value ?? start, null)
        try readOptional(name, &value) { value throws(WireError) in
            try Self.spring(value, over: present, base: base ?? start, null: null)
        }
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) throws(WireError) {
        let present = value
        try read(name, &value, base) { value throws(WireError) in
            try value.perDirection(over: present) { value, _ throws(WireError) in try value.number(in: range) }
        }
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) throws(WireError) {
        let (present, null) = (value, null)
        try read(name, &value, base) { value throws(WireError) in
            try value.perDirection(over: present) { value, present throws(WireError) in
                var read = present ?? range
                try Self.update(&read, base: range, from: value, null: null)
                return read
            }
        }
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) throws(WireError) {
        let (present, null) = (value, null)
        try read(name, &value, base) { value throws(WireError) in
            let kind = try value.peek("type")?.choice(Layout.Kind.self) ?? present.kind
            var layout = kind == present.kind ? present : Layout(kind)
            var reader = SettingReader(try value.object(allowing: SettingNames(of: layout).names), null: null)
            try layout.visit(&reader)
            return layout
        }
    }

    mutating func group<Group: SettingGroup>(
        _ name: StaticString,
        _ value: inout Group,
        _ base: Group
    ) throws(WireError) {
        let (present, null) = (value, null)
        try read(name, &value, base) { value throws(WireError) in
            var group = present
            try Self.update(&group, base: base, from: value, null: null)
            return group
        }
    }
}

extension JSONValue {
    /// Reads an object whose members are directions. Directions that it lacks keep their values, and null removes one.
    fileprivate func perDirection<Value>(
        over present: PerDirection<Value>,
        _ read: (JSONValue, Value?) throws(WireError) -> Value
    ) throws(WireError) -> PerDirection<Value> {
        let object = try object(allowing: Direction.allCases.map(\.name))
        var values = present
        for direction in Direction.allCases {
            guard let value = object[direction.name] else { continue }
            values[direction] = value.isNull ? nil : try read(value, values[direction])
        }
        return values
    }
}
