extension Double: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        assert(isFinite, "A session has a number that its snapshot cannot have.")
        writer.word(bitPattern)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(bitPattern: try reader.word())
        guard isReadable else {
            try reader.fail()
            self = 0
            return
        }
    }

    /// No value of a session is infinite or NaN, or so large that a computation with it could overflow. The least number means
    /// "never" in the samples of a drag.
    private var isReadable: Bool { magnitude <= 1e15 || self == -Double.greatestFiniteMagnitude }
}

extension Int64: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        // Small numbers of either sign become small ones without a sign.
        writer.unsigned(UInt64(bitPattern: self << 1 ^ self >> 63))
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let folded = try reader.unsigned()
        self.init(bitPattern: folded >> 1 ^ (0 &- (folded & 1)))
        // A whole number of a session is below 2^53, so that clients can read it. A larger one could overflow.
        try reader.require(magnitude <= 1 << 53)
    }
}

extension Int: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(Int64(self))
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let value = Int(exactly: try reader.read(Int64.self))
        try reader.require(value != nil)
        self = value ?? 0
    }
}

extension Bool: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.byte(self ? 1 : 0)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let byte = try reader.byte()
        try reader.require(byte <= 1)
        self = byte == 1
    }
}

extension Optional: Snapshotted where Wrapped: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(self != nil)
        if let self { writer.write(self) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self = try reader.read(Bool.self) ? try reader.read(Wrapped.self) : nil
    }
}

extension Array: Snapshotted where Element: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.unsigned(UInt64(count))
        for element in self { writer.write(element) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init()
        let count = try reader.count()
        reserveCapacity(count)
        for _ in 0..<count { append(try reader.read()) }
    }
}

/// A choice is its number.
extension Snapshotted where Self: RawRepresentable, RawValue == UInt8 {
    func write(to writer: inout SnapshotWriter) {
        writer.byte(rawValue)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        var number = try reader.byte()
        if Self(rawValue: number) == nil { number = try reader.invalidChoice() }
        guard let value = Self(rawValue: number) else { preconditionFailure("no choice has the number 0") }
        self = value
    }
}

extension Direction: Snapshotted {}
extension BusyPolicy: Snapshotted {}
extension DragAxis: Snapshotted {}
extension Tracking: Snapshotted {}
extension CardFace: Snapshotted {}
extension StackOrigin: Snapshotted {}
