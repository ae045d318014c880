internal import Glibc

/// The body of a response. The library sends it from this memory, without a copy.
public struct ResponseBody: Sendable, Equatable {
    /// Memory that nothing changes any more.
    private final class Storage: @unchecked Sendable {
        let start: UnsafeMutableRawPointer

        init(taking start: UnsafeMutableRawPointer) {
            self.start = start
        }

        deinit {
            free(start)
        }
    }

    /// The number of bytes.
    public let count: Int
    /// nil: there are no bytes.
    private let storage: Storage?

    /// An empty body.
    public init() {
        count = 0
        storage = nil
    }

    /// A copy of bytes.
    public init(_ bytes: [UInt8]) {
        guard let start = malloc(max(1, bytes.count)) else { fatalError("There is no memory for a body.") }
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: $0) }
        self.init(taking: start, count: bytes.count)
    }

    /// Bytes in memory from `malloc`, which the body takes and releases.
    public init(taking start: UnsafeMutableRawPointer, count: Int) {
        self.count = count
        storage = Storage(taking: start)
    }

    /// The bytes.
    public var bytes: [UInt8] {
        Array(UnsafeRawBufferPointer(start: storage?.start, count: count))
    }

    /// Whether both have the same bytes.
    public static func == (one: ResponseBody, other: ResponseBody) -> Bool {
        one.bytes == other.bytes
    }

    /// The bytes for the library: their address, and an object that retains them until `release(_:)` gets it.
    func retained() -> (start: UnsafeMutableRawPointer, owner: UnsafeMutableRawPointer)? {
        storage.map { ($0.start, Unmanaged.passRetained($0).toOpaque()) }
    }

    /// Releases what `retained()` has returned.
    static func release(_ owner: UnsafeMutableRawPointer) {
        Unmanaged<Storage>.fromOpaque(owner).release()
    }
}
