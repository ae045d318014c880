internal import Glibc

/// The body of a response: an array, or memory from which the library sends without a copy.
public struct ResponseBody: Sendable, Equatable {
    /// Memory from `malloc` that nothing changes any more.
    final class Memory: @unchecked Sendable {
        let start: UnsafeMutableRawPointer

        fileprivate init(taking start: UnsafeMutableRawPointer) {
            self.start = start
        }

        deinit {
            free(start)
        }
    }

    private enum Content {
        case array([UInt8])
        case memory(Memory)
    }

    /// The number of bytes.
    public let count: Int
    /// Whether the memory is there for as long as the process, and many responses use it. So a response does not cost any.
    let isLasting: Bool
    private let content: Content

    /// A body with the bytes of an array.
    public init(_ bytes: [UInt8] = []) {
        count = bytes.count
        isLasting = false
        content = .array(bytes)
    }

    /// A body for many responses, such as a file that is part of the program. Its bytes are copied once.
    public init(lasting bytes: [UInt8]) {
        count = bytes.count
        isLasting = true
        content = Self(bytes).memory().map { .memory($0) } ?? .array(bytes)
    }

    /// A body with the bytes in memory from `malloc`, which it takes and releases.
    public init(taking start: UnsafeMutableRawPointer, count: Int) {
        self.count = count
        isLasting = false
        content = .memory(Memory(taking: start))
    }

    /// The bytes.
    public var bytes: [UInt8] {
        switch content {
        case .array(let bytes): bytes
        case .memory(let memory): Array(UnsafeRawBufferPointer(start: memory.start, count: count))
        }
    }

    /// Whether both have the same bytes.
    public static func == (one: ResponseBody, other: ResponseBody) -> Bool {
        one.bytes == other.bytes
    }

    /// The memory from which the library sends; nil: there is none for a copy of the array.
    func memory() -> Memory? {
        switch content {
        case .memory(let memory): return memory
        case .array(let bytes):
            guard let start = malloc(max(1, count)) else { return nil }
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: start, count: count).copyMemory(from: $0) }
            return Memory(taking: start)
        }
    }
}
