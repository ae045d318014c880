// The number of a stored value's format, which is its first byte.

extension SnapshotWriter {
    /// A writer that has written the number of the latest format.
    static func formatted(capacity: Int = 64) -> SnapshotWriter {
        var writer = SnapshotWriter(capacity: capacity)
        writer.byte(SnapshotFormat.latest.rawValue)
        return writer
    }
}

extension SnapshotReader {
    /// A reader of bytes that begin with the number of their format.
    ///
    /// - Throws: `damaged` without bytes, and `unknownFormat`.
    init(formatted bytes: ArraySlice<UInt8>) throws(SnapshotError) {
        self.init(bytes.dropFirst(), format: try Self.format(of: bytes))
    }

    /// The format of bytes that begin with its number.
    ///
    /// - Throws: `damaged` without bytes, and `unknownFormat`.
    static func format(of bytes: ArraySlice<UInt8>) throws(SnapshotError) -> SnapshotFormat {
        guard let number = bytes.first else { throw .damaged }
        guard let format = SnapshotFormat(rawValue: number) else { throw .unknownFormat(Int(number)) }
        return format
    }

    /// - Throws: `damaged` if not all bytes have been read.
    func requireEnd() throws(SnapshotError) {
        guard isAtEnd else { throw .damaged }
    }
}
