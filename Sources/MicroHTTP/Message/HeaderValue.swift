/// A short header value of printable ASCII characters that is put together without a string on the heap.
///
///     headers.add("ETag", HeaderValue("\"").appending(version).appending("\""))
public struct HeaderValue: Sendable {
    /// The most bytes.
    public static let capacity = 64

    private var bytes = InlineArray<64, UInt8>(repeating: 0)
    private var count = 0

    /// A value that begins with a string.
    public init(_ text: StaticString) {
        append(text)
    }

    /// The value with a string after it.
    public func appending(_ text: StaticString) -> HeaderValue {
        var value = self
        value.append(text)
        return value
    }

    /// The value with a whole number after it.
    public func appending(_ number: Int) -> HeaderValue {
        var value = self
        value.append(number)
        return value
    }

    /// Adds a string.
    public mutating func append(_ text: StaticString) {
        precondition(count + text.utf8CodeUnitCount <= Self.capacity, "A header value is too long.")
        text.withUTF8Buffer { text in
            assert(text.isFieldValue, "A header value must not have control characters.")
            var room = bytes.mutableSpan
            room.withUnsafeMutableBytes { [count] in
                UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: UnsafeRawBufferPointer(text))
            }
            count += text.count
        }
    }

    /// Adds a whole number.
    public mutating func append(_ number: Int) {
        precondition(count + 20 <= Self.capacity, "A header value is too long.")
        if number < 0 {
            bytes[count] = UInt8(ascii: "-")
            count += 1
        }
        var (rest, length) = (number.magnitude, 1)
        while rest >= 10 {
            rest /= 10
            length += 1
        }
        rest = number.magnitude
        for place in (count..<count + length).reversed() {
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
    }

    /// Adds a number as 16 hexadecimal digits in lower case.
    mutating func append(hexadecimal number: UInt64) {
        precondition(count + 16 <= Self.capacity, "A header value is too long.")
        let (high, low) = (Self.digits(of: UInt32(number >> 32)), Self.digits(of: UInt32(truncatingIfNeeded: number)))
        var room = bytes.mutableSpan
        room.withUnsafeMutableBytes { [count] room in
            room.storeBytes(of: high.bigEndian, toByteOffset: count, as: UInt64.self)
            room.storeBytes(of: low.bigEndian, toByteOffset: count + 8, as: UInt64.self)
        }
        count += 16
    }

    /// The eight hexadecimal digits of a number as ASCII characters, the first one in the highest byte. All digits are computed
    /// at the same time.
    private static func digits(of number: UInt32) -> UInt64 {
        // Each byte gets four bits of the number.
        var digits = UInt64(number)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let areLetters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits + 0x3030_3030_3030_3030 + areLetters * UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    }

    /// The value as a string.
    public var text: String {
        var text = ""
        withBytes { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    /// Calls the body with the bytes.
    func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        bytes.span.extracting(first: count).withUnsafeBufferPointer(body)
    }
}

extension RequestID {
    /// The same as the description, as a header value.
    public var headerValue: HeaderValue {
        var value = HeaderValue("")
        value.append(hexadecimal: high)
        value.append(hexadecimal: low)
        return value
    }
}
