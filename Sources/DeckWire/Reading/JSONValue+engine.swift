public import DeckEngine

// The engine's small values, as the wire writes them.
extension JSONValue {
    /// A moment on a session's clock, rounded as answers write it.
    public func moment() throws(WireError) -> Instant {
        Instant(try number(in: WireLimits.moments)).roundedToNanoseconds
    }

    /// A duration in milliseconds.
    func duration() throws(WireError) -> Milliseconds {
        Milliseconds(try number(in: WireLimits.durations))
    }

    /// An opacity or a part of a way, 0…1.
    func fraction() throws(WireError) -> Double {
        try number(in: WireLimits.fractions)
    }

    /// `{"x": …, "y": …}`.
    func vector() throws(WireError) -> Vector {
        let object = try object(allowing: Self.vectorNames)
        return Vector(
            x: try object.required("x").number(in: WireLimits.coordinates),
            y: try object.required("y").number(in: WireLimits.coordinates)
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

    /// `{"bounciness": …, "speed": …}`; what is left out stays as it is in `base`.
    func spring(over base: SpringSettings) throws(WireError) -> SpringSettings {
        let object = try object(allowing: Self.springNames)
        var spring = base
        if let value = object["bounciness"] { spring.bounciness = try value.number(in: WireLimits.springSettings) }
        if let value = object["speed"] { spring.speed = try value.number(in: WireLimits.springSettings) }
        return spring
    }

    /// An id that a client chooses: 1 to 64 letters, digits, `-` and `_`.
    func identifier() throws(WireError) -> String {
        let text = try string(maxBytes: WireLimits.idBytes)
        guard isIdentifier(text) else { throw outOfRange("must be 1 to 64 letters, digits, - and _") }
        return text
    }

    private static let vectorNames: [StaticString] = ["x", "y"]
    private static let sizeNames: [StaticString] = ["width", "height"]
    private static let springNames: [StaticString] = ["bounciness", "speed"]
}

/// Whether a text can be an id that a client chooses: `[A-Za-z0-9_-]{1,64}`.
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
