/// Takes numbers and byte strings from the start of bytes. What is cut off is nil.
package struct ByteReader {
    /// How many bytes the length of a byte string has, unless it has another number of them.
    package static let lengthBytes = 4

    /// The bytes that were not taken yet.
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether all bytes were taken.
    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func byte() -> UInt8? { rest.popFirst() }

    /// Takes a number of some bytes, the lowest first.
    package mutating func number(bytes count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Takes a byte string with its length before it.
    package mutating func string(lengthBytes: Int = Self.lengthBytes) -> ArraySlice<UInt8>? {
        guard let length = number(bytes: lengthBytes), length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return rest.prefix(Int(length))
    }
}

extension [UInt8] {
    /// Appends some bytes of a number, the lowest first.
    package mutating func append(littleEndian number: UInt64, bytes count: Int) {
        Swift.withUnsafeBytes(of: number.littleEndian) {
            append(contentsOf: UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
        }
    }

    /// Appends a byte string with its length before it.
    package mutating func append(counted string: [UInt8], lengthBytes: Int = ByteReader.lengthBytes) {
        append(littleEndian: UInt64(string.count), bytes: lengthBytes)
        self += string
    }
}
