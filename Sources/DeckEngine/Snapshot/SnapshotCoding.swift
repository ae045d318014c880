/// A value in a snapshot. It is written in the latest format and read in any.
protocol Snapshotted {
    func write(to writer: inout SnapshotWriter)
    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure)
}

/// The formats of snapshots. The tests have a file of each.
enum SnapshotFormat: UInt8, CaseIterable {
    /// Everything in a fixed order, cards by their indices.
    case first = 1
    /// Sections with lengths, cards by their identities, settings by their names.
    case second = 2

    static let latest = SnapshotFormat.second
}

/// Why bytes cannot be read as a snapshot.
public enum SnapshotError: Error, Sendable, Hashable {
    /// They end too early, or have an invalid value.
    case damaged
    /// They were written by a later version, in a format that this one does not know.
    #if hasFeature(Embedded)
    case unknownFormat
    #else
    case unknownFormat(Int)
    #endif
    #if !hasFeature(Embedded)
    /// They hold a setting that this version does not know.
    case unknownSetting(String)
    #endif
    /// The cards are neither in the snapshot nor passed separately.
    case cardsMissing
}

/// Writes a snapshot: numbers with eight bytes, the lowest first, and counts and indices with as few bytes as possible.
///
/// The bytes are in memory that only the writer has. So they are written without the checks of an array, which took most of
/// the time that a snapshot takes.
struct SnapshotWriter: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many bytes were written.
    private(set) var count = 0
    /// Whether the snapshot is for clients, and has no ids of cards.
    let isForClients: Bool

    /// - Parameter capacity: about how many bytes will be written.
    init(capacity: Int = 64, isForClients: Bool = false) {
        self.isForClients = isForClients
        self.capacity = max(16, capacity)
        start = .allocate(capacity: self.capacity)
    }

    deinit {
        start.deallocate()
    }

    /// A copy of what was written.
    var bytes: [UInt8] {
        Array(written)
    }

    /// What was written. It can be read until more is written.
    var written: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start, count: count)
    }

    /// Makes room for more bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.initialize(from: start, count: count)
        start.deallocate()
        start = larger
    }

    mutating func write(_ value: some Snapshotted) {
        value.write(to: &self)
    }

    @inline(__always)
    mutating func byte(_ value: UInt8) {
        reserve(1)
        start[count] = value
        count += 1
    }

    /// Bytes as they are.
    mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).initialize(from: first, count: bytes.count)
        count += bytes.count
    }

    /// Bytes as they are.
    mutating func raw(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { raw($0) }
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(rest))
    }

    /// Eight bytes, the lowest first.
    @inline(__always)
    mutating func word(_ value: UInt64) {
        reserve(8)
        UnsafeMutableRawPointer(start + count).storeBytes(of: value.littleEndian, as: UInt64.self)
        count += 8
    }

    /// A string in UTF-8, preceded by its length.
    mutating func text(_ value: StaticString) {
        unsigned(UInt64(value.utf8CodeUnitCount))
        raw(UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    /// Writes a part, preceded by its length.
    mutating func section(_ body: (inout SnapshotWriter) -> Void) {
        let start = beginSection()
        body(&self)
        endSection(start)
    }

    /// Leaves room for the length of a part, which is written next.
    ///
    /// - Returns: where the part starts.
    mutating func beginSection() -> Int {
        byte(0)
        return count
    }

    /// Writes the length of a part before it.
    mutating func endSection(_ first: Int) {
        let length = count - first
        guard length > 0x7F else { return start[first - 1] = UInt8(length) }
        // One byte is there already, and the length needs one for each seven bits.
        let more = (UInt64.bitWidth - length.leadingZeroBitCount - 1) / 7
        reserve(more)
        (start + first + more).update(from: start + first, count: length)
        count = first - 1
        unsigned(UInt64(length))
        count += length
    }

    /// Removes what was written after a place.
    mutating func remove(from place: Int) {
        count = place
    }
}

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
