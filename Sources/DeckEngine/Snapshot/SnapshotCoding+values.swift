// The engine's small values in a snapshot.

extension Milliseconds: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(value)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(try reader.read(Double.self))
    }
}

extension Vector: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(x)
        writer.write(y)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(x: try reader.read(), y: try reader.read())
    }
}

extension Size: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(width)
        writer.write(height)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
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

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(x: try reader.read(), y: try reader.read(), width: try reader.read(), height: try reader.read())
    }
}

extension UnitPoint: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(x)
        writer.write(y)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(x: try reader.read(), y: try reader.read())
    }
}

extension Directions: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(Array(self))
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init()
        for _ in 0..<(try reader.count()) { append(try reader.read()) }
    }
}

extension PerDirection: Snapshotted where Value: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        for direction in Direction.allCases { writer.write(self[direction]) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init()
        for direction in Direction.allCases { self[direction] = try reader.read() }
    }
}

extension SpringSettings: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(bounciness)
        writer.write(speed)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(bounciness: try reader.read(), speed: try reader.read())
    }
}

extension Instant: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(milliseconds)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(try reader.read(Double.self))
    }
}

extension SpringSettings {
    var isInRange: Bool {
        SettingLimits.springs.contains(bounciness) && SettingLimits.springs.contains(speed)
    }
}

extension Sector: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(direction)
        writer.write(from.value)
        writer.write(to.value)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(try reader.read(), from: Radians(try reader.read()), to: Radians(try reader.read()))
        try reader.require(isValid)
    }
}

extension OverlayRange: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(start)
        writer.write(end)
        writer.write(curve)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init()
        start = try reader.read()
        end = try reader.read()
        // The first format numbers the curves differently.
        curve = reader.format == .first ? try reader.firstFormatCurve() : try reader.read()
        try reader.require(
            SettingLimits.fractions.contains(start) && SettingLimits.fractions.contains(end)
                && curve.isNamed
        )
    }
}

extension SnapshotReader {
    /// An overlay's curve, which the first format numbers differently from other curves.
    mutating func firstFormatCurve() throws(SnapshotReader.Failure) -> Curve {
        let number = Int(try byte())
        try require(Curve.named.indices.contains(number))
        return isDamaged ? .linear : Curve.named[number]
    }
}
