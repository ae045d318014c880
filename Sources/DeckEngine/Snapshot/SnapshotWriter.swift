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
