/// Bytes of text that grow at their end.
///
/// Room is made once for several pieces of text, which are then appended without further checks. An array checks for each
/// piece whether it is shared and whether it has room: 60 instructions instead of 5. That is why this uses pointers. Debug builds
/// check that the room suffices.
struct TextBuffer: ~Copyable {
    /// The number of bytes.
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<UInt8>

    /// An empty buffer with room for this many bytes.
    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deallocate()
    }

    /// A copy of the bytes.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// The number of bytes for which there is room.
    var freeCount: Int { capacity - count }

    /// Removes all bytes. The room stays.
    mutating func removeAll() {
        count = 0
    }

    /// Makes room for this many bytes more.
    @inline(__always)
    mutating func reserve(_ room: Int) {
        if freeCount < room { grow(for: room) }
    }

    @inline(never)
    private mutating func grow(for room: Int) {
        let larger = max(2 * capacity, count + room)
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        copy.update(from: start, count: count)
        start.deallocate()
        (start, capacity) = (copy, larger)
    }

    /// Appends a byte, for which there must be room.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        assert(freeCount >= 1, "There is no room for a byte.")
        start[count] = byte
        count += 1
    }

    /// Appends a constant string, for which there must be room.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes, for which there must be room.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        assert(freeCount >= bytes.count, "There is no room for the bytes.")
        guard let first = bytes.baseAddress else { return }
        (start + count).update(from: first, count: bytes.count)
        count += bytes.count
    }

    /// Appends bytes that are not written in their order.
    ///
    /// - Parameters:
    ///   - room: the most bytes, for which there must be room.
    ///   - write: writes them from a place on, and returns the place after them.
    @inline(__always)
    mutating func append(
        room: Int,
        _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        assert(freeCount >= room, "There is no room for the bytes.")
        count = write(start + count) - start
    }
}
