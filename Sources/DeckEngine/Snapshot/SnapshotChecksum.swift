/// The checksum at the end of a snapshot: FNV-1a with 64 bits, the lowest byte first.
enum SnapshotChecksum {
    private static let byteCount = 8

    /// The bytes before a checksum.
    ///
    /// - Throws: `damaged` if the checksum is not that of the bytes.
    static func contents(of bytes: ArraySlice<UInt8>) throws(SnapshotError) -> ArraySlice<UInt8> {
        let contents = bytes.dropLast(byteCount)
        var rest = contents.withUnsafeBufferPointer(sum)
        guard bytes.count >= byteCount else { throw .damaged }
        for byte in bytes.suffix(byteCount) {
            guard byte == UInt8(truncatingIfNeeded: rest) else { throw .damaged }
            rest >>= 8
        }
        return contents
    }

    fileprivate static func sum(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return sum
    }
}

extension SnapshotWriter {
    /// What was written, followed by its checksum.
    var bytesWithChecksum: [UInt8] {
        mutating get {
            word(SnapshotChecksum.sum(of: written))
            return bytes
        }
    }
}
