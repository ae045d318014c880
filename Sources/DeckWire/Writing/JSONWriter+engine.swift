public import DeckEngine

// The engine's small values as JSON.
extension JSONWriter {
    mutating func member(_ name: StaticString, _ value: StaticString) {
        assert(JSONNesting.isPlain(value), "A constant string must not need escaping.")
        member(name, valueBytes: value.utf8CodeUnitCount + 2) { $0.append(quoted: value) }
    }

    /// Writes a member that is the id of a card.
    public mutating func member(_ name: StaticString, _ id: CardID) {
        guard let number = id.number else { return member(name, id.text) }
        member(name, valueBytes: TextBuffer.numberRoom + 2) {
            $0.append(UInt8(ascii: "\""))
            $0.append(number)
            $0.append(UInt8(ascii: "\""))
        }
    }

    @inline(__always)
    mutating func member(_ name: StaticString, _ value: Instant) {
        member(name, value.milliseconds)
    }

    /// Writes a member that is a time or null.
    @inline(__always)
    mutating func member(_ name: StaticString, _ value: Instant?) {
        if let value { member(name, value) } else { nullMember(name) }
    }

    mutating func member(_ name: StaticString, _ value: Milliseconds) {
        member(name, value.value)
    }

    mutating func member(_ name: StaticString, _ value: Vector) {
        member(name, valueBytes: TextBuffer.pairRoom) { $0.append("x", value.x, "y", value.y) }
    }

    mutating func member(_ name: StaticString, _ value: UnitPoint) {
        member(name, valueBytes: TextBuffer.pairRoom) { $0.append("x", value.x, "y", value.y) }
    }

    mutating func member(_ name: StaticString, _ value: Size) {
        member(name, valueBytes: TextBuffer.pairRoom) {
            $0.append("width", value.width, "height", value.height)
        }
    }

    mutating func member(_ name: StaticString, _ value: Rect) {
        member(name, valueBytes: TextBuffer.rectRoom) { $0.append(value) }
    }

    mutating func member(_ name: StaticString, _ value: Matrix) {
        member(name, valueBytes: TextBuffer.matrixRoom) { $0.append(value) }
    }

    mutating func member(_ name: StaticString, _ value: Directions) {
        member(name, valueBytes: TextBuffer.directionsRoom) { $0.append(value) }
    }

    mutating func member(_ name: StaticString, _ value: SpringSettings) {
        object(name) {
            $0.member("bounciness", exactly: value.bounciness)
            $0.member("speed", exactly: value.speed)
        }
    }

    /// Writes a member whose value is null.
    @inline(__always)
    public mutating func nullMember(_ name: StaticString) {
        member(name, valueBytes: 4) { $0.append("null") }
    }
}

// The same values, written into reserved room.
extension TextBuffer {
    static var pairRoom: Int { 20 + 2 * numberRoom }
    static var rectRoom: Int { 40 + 4 * numberRoom }
    static var matrixRoom: Int { 8 + 6 * numberRoom }
    static var directionsRoom: Int { 2 + 16 * Direction.allCases.count }

    /// Appends an object with two numbers.
    @inline(__always)
    mutating func append(_ first: StaticString, _ one: Double, _ second: StaticString, _ other: Double) {
        append(UInt8(ascii: "{"))
        append(key: first, isFirst: true)
        append(one)
        append(key: second, isFirst: false)
        append(other)
        append(UInt8(ascii: "}"))
    }

    mutating func append(_ rect: Rect) {
        append("{\"x\":")
        append(rect.x)
        append(",\"y\":")
        append(rect.y)
        append(",\"width\":")
        append(rect.width)
        append(",\"height\":")
        append(rect.height)
        append(UInt8(ascii: "}"))
    }

    mutating func append(_ matrix: Matrix) {
        let others: [5 of Double] = [matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
        append(UInt8(ascii: "["))
        append(matrix.a)
        for index in others.indices {
            append(UInt8(ascii: ","))
            append(others[index])
        }
        append(UInt8(ascii: "]"))
    }

    mutating func append(_ directions: Directions) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for direction in directions {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            append(quoted: direction.name)
        }
        append(UInt8(ascii: "]"))
    }
}
