// The engine's small values in a snapshot.

extension Milliseconds: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(value)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(try reader.read(Double.self))
    }
}

extension Vector: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(x)
        writer.write(y)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(x: try reader.read(), y: try reader.read())
    }
}

extension Size: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(width)
        writer.write(height)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(width: try reader.read(), height: try reader.read())
    }
}

extension Rect: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(x)
        writer.write(y)
        writer.write(width)
        writer.write(height)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(x: try reader.read(), y: try reader.read(), width: try reader.read(), height: try reader.read())
    }
}

extension UnitPoint: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(x)
        writer.write(y)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(x: try reader.read(), y: try reader.read())
    }
}

extension Directions: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(Array(self))
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(try reader.read([Direction].self))
    }
}

extension PerDirection: Snapshotted where Value: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        for direction in Direction.allCases { writer.write(self[direction]) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        for direction in Direction.allCases { self[direction] = try reader.read() }
    }
}

extension SpringSettings: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(bounciness)
        writer.write(speed)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(bounciness: try reader.read(), speed: try reader.read())
    }
}

extension Card: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(id)
        writer.write(data)
        writer.write(label)
        writer.write(allowedDirections)
        writer.write(deniedDirections)
        writer.write(dragDirections)
        writer.write(draggable)
        writer.write(undoable)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(id: try reader.read())
        data = try reader.read()
        label = try reader.read()
        allowedDirections = try reader.read()
        deniedDirections = try reader.read()
        dragDirections = try reader.read()
        draggable = try reader.read()
        undoable = try reader.read()
    }
}

extension CardList: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .numbered(let count):
            writer.byte(0)
            writer.write(count)
        case .listed(let cards):
            writer.byte(1)
            writer.write(cards)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0:
            let count = try reader.read(Int.self)
            guard (0...EngineLimits.cards).contains(count) else { throw .damaged }
            self = .numbered(count)
        case 1: self = .listed(try reader.read())
        default: throw .damaged
        }
    }
}

extension Verdict: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(sequence)
        writer.write(at)
        writer.write(index)
        writer.write(cardID)
        writer.write(direction)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            sequence: try reader.read(),
            at: try reader.read(),
            index: try reader.read(),
            cardID: try reader.read(),
            direction: try reader.read()
        )
    }
}

extension VerdictChange: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .given(let verdict):
            writer.byte(0)
            writer.write(verdict)
        case .reverted(let verdict):
            writer.byte(1)
            writer.write(verdict)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .given(try reader.read())
        case 1: self = .reverted(try reader.read())
        default: throw .damaged
        }
    }
}

extension Instant: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(milliseconds)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(try reader.read(Double.self))
    }
}
