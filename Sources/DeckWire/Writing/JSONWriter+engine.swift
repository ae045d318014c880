import DeckEngine

// The engine's small values as JSON.
extension JSONWriter {
    mutating func member(_ name: StaticString, _ value: StaticString) {
        assert(JSONNesting.isPlain(value), "A constant string must not need escaping.")
        member(name, valueBytes: value.utf8CodeUnitCount + 2) { $0.append(quoted: value) }
    }

    mutating func member(_ name: StaticString, _ value: Instant) {
        member(name, value.milliseconds)
    }

    mutating func member(_ name: StaticString, _ value: Milliseconds) {
        member(name, value.value)
    }

    mutating func member(_ name: StaticString, _ value: Vector) {
        member(name, valueBytes: OutputSpan<UInt8>.longestPair) { $0.append("x", value.x, "y", value.y) }
    }

    mutating func member(_ name: StaticString, _ value: UnitPoint) {
        member(name, valueBytes: OutputSpan<UInt8>.longestPair) { $0.append("x", value.x, "y", value.y) }
    }

    mutating func member(_ name: StaticString, _ value: Size) {
        member(name, valueBytes: OutputSpan<UInt8>.longestPair) {
            $0.append("width", value.width, "height", value.height)
        }
    }

    mutating func member(_ name: StaticString, _ value: Rect) {
        member(name, valueBytes: OutputSpan<UInt8>.longestRect) { $0.append(value) }
    }

    mutating func member(_ name: StaticString, _ value: Matrix) {
        member(name, valueBytes: OutputSpan<UInt8>.longestMatrix) { $0.append(value) }
    }

    mutating func member(_ name: StaticString, _ value: Directions) {
        member(name, valueBytes: OutputSpan<UInt8>.longestDirections) { $0.append(value) }
    }

    mutating func member(_ name: StaticString, _ value: SpringSettings) {
        object(name) {
            $0.member("bounciness", exactly: value.bounciness)
            $0.member("speed", exactly: value.speed)
        }
    }

    /// Writes a member whose value is null.
    public mutating func nullMember(_ name: StaticString) {
        key(name)
        null()
    }
}

// The same values, written into reserved room.
extension OutputSpan<UInt8> {
    static var longestPair: Int { 20 + 2 * longestNumber }
    static var longestRect: Int { 40 + 4 * longestNumber }
    static var longestMatrix: Int { 8 + 6 * longestNumber }
    static var longestDirections: Int { 2 + 16 * Direction.allCases.count }

    /// Appends a constant string in quotes. It must not need escaping.
    @inline(__always)
    mutating func append(quoted value: StaticString) {
        append(UInt8(ascii: "\""))
        append(value)
        append(UInt8(ascii: "\""))
    }

    /// Appends an object with two numbers.
    @inline(__always)
    mutating func append(_ first: StaticString, _ one: Double, _ second: StaticString, _ other: Double) {
        append(UInt8(ascii: "{"))
        append(key: first, isFirst: true)
        append(one)
        append(second, other)
        append(UInt8(ascii: "}"))
    }

    mutating func append(_ rect: Rect) {
        append("{\"x\":")
        append(rect.x)
        append("y", rect.y)
        append("width", rect.width)
        append("height", rect.height)
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
