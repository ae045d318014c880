/// A short header value of ASCII characters that is put together without a string on the heap.
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
            for byte in text {
                bytes[count] = byte
                count += 1
            }
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
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 0xF
            bytes[count] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            count += 1
        }
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
