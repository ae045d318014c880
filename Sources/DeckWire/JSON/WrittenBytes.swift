import Glibc

/// Bytes that were written, in memory of the C library. A receiver can take the memory, so that the bytes are not copied.
public struct WrittenBytes: ~Copyable {
    private let start: UnsafeMutableRawPointer
    /// The number of bytes.
    public let count: Int

    /// - Parameter start: memory from `malloc`.
    init(start: UnsafeMutableRawPointer, count: Int) {
        self.start = start
        self.count = count
    }

    deinit {
        free(start)
    }

    /// A copy of the bytes.
    public var array: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }

    /// Passes the memory to the caller, who must release it with `free`.
    public consuming func take() -> UnsafeMutableRawPointer {
        let start = start
        discard self
        return start
    }
}
