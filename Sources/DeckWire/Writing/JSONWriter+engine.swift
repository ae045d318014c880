import DeckEngine

// The engine's small values, as the wire writes them.
extension JSONWriter {
    mutating func member(_ name: StaticString, _ value: StaticString) {
        key(name)
        string(value)
    }

    mutating func member(_ name: StaticString, _ value: Instant) {
        member(name, value.milliseconds)
    }

    mutating func member(_ name: StaticString, _ value: Milliseconds) {
        member(name, value.value)
    }

    mutating func member(_ name: StaticString, _ value: Vector) {
        object(name) {
            $0.member("x", value.x)
            $0.member("y", value.y)
        }
    }

    mutating func member(_ name: StaticString, _ value: UnitPoint) {
        object(name) {
            $0.member("x", value.x)
            $0.member("y", value.y)
        }
    }

    mutating func member(_ name: StaticString, _ value: Size) {
        object(name) {
            $0.member("width", value.width)
            $0.member("height", value.height)
        }
    }

    mutating func member(_ name: StaticString, _ value: Rect) {
        object(name) {
            $0.member("x", value.x)
            $0.member("y", value.y)
            $0.member("width", value.width)
            $0.member("height", value.height)
        }
    }

    mutating func member(_ name: StaticString, _ value: Matrix) {
        array(name) {
            $0.number(value.a)
            $0.number(value.b)
            $0.number(value.c)
            $0.number(value.d)
            $0.number(value.tx)
            $0.number(value.ty)
        }
    }

    mutating func member(_ name: StaticString, _ value: Directions) {
        array(name) { writer in
            for direction in value { writer.string(direction.name) }
        }
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
