/// Reads a snapshot without trusting any of its values.
///
/// The server's reader throws at the first value that is damaged. A client's reader only remembers that there was one, and
/// every later value is zero: the checks after each call were a twentieth of the module. What is read by clients must therefore
/// end soon, and must not trap when it continues after damage.
struct SnapshotReader {
    #if hasFeature(Embedded)
    typealias Failure = Never
    /// Whether a damaged value was read.
    private(set) var isDamaged = false
    /// WebAssembly reads only client snapshots.
    var format: SnapshotFormat { .latest }
    var isForClients: Bool { true }
    #else
    typealias Failure = SnapshotError
    /// Reading ends at a damaged value.
    var isDamaged: Bool { false }
    /// The format that the bytes have.
    let format: SnapshotFormat
    /// Whether the snapshot is for clients, and has no ids of cards.
    let isForClients: Bool
    #endif
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>, format: SnapshotFormat, isForClients: Bool = false) {
        #if !hasFeature(Embedded)
        self.format = format
        self.isForClients = isForClients
        #endif
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool {
        position == bytes.endIndex
    }

    /// How many bytes are left.
    var remaining: Int {
        bytes.endIndex - position
    }

    /// Ends the reading of a snapshot that is damaged.
    mutating func fail() throws(Failure) {
        #if hasFeature(Embedded)
        isDamaged = true
        position = bytes.endIndex
        #else
        throw .damaged
        #endif
    }

    /// A choice has a number that this version does not know: 0 stands for it.
    mutating func invalidChoice() throws(Failure) -> UInt8 {
        try fail()
        return 0
    }

    /// A condition that every snapshot fulfils that is not damaged.
    mutating func require(_ condition: Bool) throws(Failure) {
        if !condition { try fail() }
    }

    @_transparent
    mutating func read<Value: Snapshotted>(_: Value.Type = Value.self) throws(SnapshotReader.Failure) -> Value {
        try Value(from: &self)
    }

    mutating func byte() throws(SnapshotReader.Failure) -> UInt8 {
        guard position < bytes.endIndex else {
            try fail()
            return 0
        }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func take(_ count: Int) throws(SnapshotReader.Failure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            try fail()
            return []
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Eight bytes, the lowest first.
    mutating func word() throws(SnapshotReader.Failure) -> UInt64 {
        guard remaining >= 8 else {
            try fail()
            return 0
        }
        var word: UInt64 = 0
        for offset in 0..<8 { word |= UInt64(bytes[position + offset]) << UInt64(8 * offset) }
        position += 8
        return word
    }

    mutating func unsigned() throws(SnapshotReader.Failure) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift <= 63 {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        try fail()
        return 0
    }

    /// A count of items that take at least a byte each, so that damaged bytes cannot allocate unlimited memory.
    mutating func count() throws(SnapshotReader.Failure) -> Int {
        let count = try unsigned()
        guard count <= UInt64(remaining) else {
            try fail()
            return 0
        }
        return Int(count)
    }

    /// Reads a part that is preceded by its length and must be read to its end.
    mutating func section<Value>(
        _ body: (inout SnapshotReader) throws(SnapshotReader.Failure) -> Value
    ) throws(SnapshotReader.Failure) -> Value {
        let length = try count()
        var part = SnapshotReader(try take(length), format: format)
        let value = try body(&part)
        try require(part.isAtEnd)
        return value
    }
}
