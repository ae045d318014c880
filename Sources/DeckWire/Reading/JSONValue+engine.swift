public import DeckEngine

// The engine's small values as JSON.
extension JSONValue {
    /// A time on a session's clock, rounded as in answers.
    public func moment() throws(WireError) -> Instant {
        Instant(try number(in: EventLimits.moments)).roundedToNanoseconds
    }

    /// A duration in milliseconds.
    func duration() throws(WireError) -> Milliseconds {
        Milliseconds(try number(in: SettingLimits.durations))
    }

    /// `{"x": …, "y": …}`.
    func vector() throws(WireError) -> Vector {
        let object = try object(allowing: Self.vectorNames)
        return Vector(
            x: try object.required("x").number(in: EventLimits.coordinates),
            y: try object.required("y").number(in: EventLimits.coordinates)
        )
    }

    /// A size: `{"width": …, "height": …}`.
    public func size() throws(WireError) -> Size {
        let object = try object(allowing: Self.sizeNames)
        return Size(
            width: try object.required("width").number(in: WireLimits.lengths),
            height: try object.required("height").number(in: WireLimits.lengths)
        )
    }

    /// A list of directions without repetition; it may be empty.
    func directions() throws(WireError) -> Directions {
        var directions: [Direction] = []
        for element in try array(count: WireLimits.directionCounts) {
            let direction = try element.choice(Direction.self)
            guard !directions.contains(direction) else { throw element.outOfRange("is named twice") }
            directions.append(direction)
        }
        return Directions(directions)
    }

    /// A list of names of events that a player may send, without repetition; it may be empty.
    func playerEvents() throws(WireError) -> PlayerEvents {
        var events: [PlayerEvent] = []
        for element in try array(count: WireLimits.playerEventCounts) {
            let event = try element.choice(PlayerEvent.self)
            guard !events.contains(event) else { throw element.outOfRange("is named twice") }
            events.append(event)
        }
        return PlayerEvents(events)
    }

    /// A list of `{"direction": …, "from": …, "to": …}`.
    func sectors() throws(WireError) -> [Sector] {
        var sectors: [Sector] = []
        for element in try array(count: 0...SettingLimits.sectors) { sectors.append(try element.sector()) }
        return sectors
    }

    private func sector() throws(WireError) -> Sector {
        let object = try object(allowing: Self.sectorNames)
        let (direction, from) = (try object.required("direction"), try object.required("from"))
        let to = try object.required("to")
        let sector = Sector(
            try direction.choice(),
            from: Radians(try from.number(in: SettingLimits.angles)),
            to: Radians(try to.number(in: SettingLimits.angles))
        )
        guard sector.isValid else { throw to.outOfRange("must be greater than from, by at most 2π") }
        return sector
    }

    /// An id that a client chooses: 1 to 64 letters, digits, `-` and `_`.
    func identifier() throws(WireError) -> String {
        let text = try string(maxBytes: WireLimits.idBytes)
        guard isIdentifier(text) else { throw outOfRange("must be 1 to 64 letters, digits, - and _") }
        return text
    }

    private static let vectorNames: [StaticString] = ["x", "y"]
    private static let sizeNames: [StaticString] = ["width", "height"]
    private static let sectorNames: [StaticString] = ["direction", "from", "to"]
}

/// Whether a string can be an id that a client chooses: `[A-Za-z0-9_-]{1,64}`.
public func isIdentifier(_ text: String) -> Bool {
    WireLimits.idLengths.contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
}
