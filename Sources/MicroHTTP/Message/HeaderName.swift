/// The constant name of a header. Names are compared without regard to case (RFC 9110, 5.1).
public struct HeaderName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The length, the first and the last letter of a name, by which most other names differ from it.
    struct Digest: Sendable, Equatable {
        private let bits: UInt32

        @inline(__always)
        init(_ name: UnsafeBufferPointer<UInt8>) {
            guard let first = name.first, let last = name.last else {
                bits = 0
                return
            }
            // A letter is the same in both cases without this bit. Other characters may become the same, too.
            bits = UInt32(truncatingIfNeeded: name.count) << 16 | UInt32(first & ~0x20) << 8 | UInt32(last & ~0x20)
        }
    }

    private let text: StaticString
    let digest: Digest

    /// A name. It must be a token of RFC 9110, section 5.6.2.
    public init(stringLiteral text: StaticString) {
        self.text = text
        digest = Digest(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        assert(utf8.isToken, "A header's name must be a token.")
    }

    /// The name as written.
    public var description: String { text.description }

    /// The name's bytes, which are a constant.
    var utf8: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both texts are the same when `A` to `Z` count as `a` to `z` and every other byte as itself.
    public func equalsIgnoringASCIICase(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for place in indices {
            let difference = self[place] ^ other[place]
            guard difference != 0 else { continue }
            let letter = self[place] | 0x20
            guard difference == 0x20, letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") else { return false }
        }
        return true
    }

    /// Whether the text is this one when `A` to `Z` count as `a` to `z`.
    public func equalsIgnoringASCIICase(_ other: StaticString) -> Bool {
        equalsIgnoringASCIICase(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }
}

extension String {
    /// Whether both texts are the same when `A` to `Z` count as `a` to `z` and every other byte as itself.
    func equalsIgnoringASCIICase(_ other: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { $0.equalsIgnoringASCIICase(other) }
    }
}
