import Glibc

/// A growable buffer of text. Bytes are appended at its end.
///
/// A caller reserves room once for several pieces of text, and then appends them without checks. Debug builds check that the
/// room suffices. This uses a pointer and not an array, because an array checks for each piece whether it is shared and whether
/// it has room, which takes 60 instructions instead of 5.
public struct TextBuffer: ~Copyable {
    /// The number of bytes.
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<UInt8>
    /// For writing numbers.
    let triples = DigitTriples.all

    /// An empty buffer with room for this many bytes.
    public init(capacity: Int) {
        self.capacity = capacity
        start = Self.memory(capacity)
    }

    deinit {
        free(start)
    }

    /// Memory that `free` releases. Swift's own allocation takes it from `posix_memalign`, which needs five times as many
    /// instructions. It is called only if `malloc` fails, and then ends the process as it does for every value.
    private static func memory(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        let byteCount = max(1, capacity)
        let memory = malloc(byteCount) ?? .allocate(byteCount: byteCount, alignment: 1)
        return memory.bindMemory(to: UInt8.self, capacity: byteCount)
    }

    /// Passes the bytes on with their memory.
    consuming func finish() -> WrittenBytes {
        let bytes = WrittenBytes(start: start, count: count)
        discard self
        return bytes
    }

    /// Calls the body with the bytes.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: start, count: count))
    }

    /// A copy of the bytes.
    var bytes: [UInt8] { withBytes { Array($0) } }

    /// The number of bytes for which there is room.
    var freeCount: Int { capacity - count }

    /// Removes all bytes. The memory can be used again.
    public mutating func removeAll() {
        count = 0
    }

    /// Appends a string, and makes room for it.
    public mutating func append(string: String) {
        var string = string
        string.withUTF8 { bytes in
            reserve(bytes.count)
            append(bytes)
        }
    }

    /// Appends a constant string, and makes room for it.
    public mutating func append(string: StaticString) {
        reserve(string.utf8CodeUnitCount)
        append(string)
    }

    /// Appends a byte, and makes room for it.
    public mutating func append(byte: UInt8) {
        reserve(1)
        append(byte)
    }

    /// Appends a number with at most six decimals, and makes room for it.
    public mutating func append(number: Double) {
        reserve(Self.numberRoom)
        append(number)
    }

    /// Appends a whole number, and makes room for it.
    public mutating func append(number: Int) {
        reserve(Self.numberRoom)
        append(number)
    }

    /// Makes room for this many bytes more.
    @inline(__always)
    mutating func reserve(_ room: Int) {
        if freeCount < room { grow(for: room) }
    }

    @inline(never)
    private mutating func grow(for room: Int) {
        let larger = max(2 * capacity, count + room)
        let copy = Self.memory(larger)
        copy.update(from: start, count: count)
        free(start)
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

    /// Appends bytes that a closure writes itself, in any order. The number of bytes need not be known before.
    ///
    /// - Parameters:
    ///   - room: the maximum number of bytes that the closure writes. There must be room for them.
    ///   - write: writes bytes from the given address on, and returns the address after the last byte.
    @inline(__always)
    mutating func append(
        room: Int,
        _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        assert(freeCount >= room, "There is no room for the bytes.")
        count = write(start + count) - start
    }
}
