extension UInt8 {
    /// Whether JSON requires an escape for this byte in a string (RFC 8259, section 7).
    var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

// The caller reserves room for JSON text, so that the capacity is checked once for a member and not for each byte.
extension OutputSpan<UInt8> {
    /// The most bytes of a number: a sign and the 309 digits of the largest one.
    static var longestNumber: Int { 310 }

    /// Appends bytes. A copy of all takes a quarter of the time of a loop that appends each.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
            count += bytes.count
        }
    }

    /// Appends a constant string.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the name of a member and a colon, after a comma unless the member is the first.
    @inline(__always)
    mutating func append(key name: StaticString, isFirst: Bool) {
        if !isFirst { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(name)
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    /// Appends a member that is a number, after another member.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Double) {
        append(key: name, isFirst: false)
        append(value)
    }

    /// Appends a member that is a whole number, after another member.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Int) {
        append(key: name, isFirst: false)
        append(value)
    }

    /// Appends a member that is true or false, after another member.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Bool) {
        append(key: name, isFirst: false)
        append(value)
    }

    /// Appends a number with at most six decimals, rounded to the nearest (a tie to the even one), without trailing zeros,
    /// without an exponent and without a sign if it is zero. NaN and infinity, which JSON lacks, become null.
    mutating func append(_ value: Double) {
        let magnitude = value.magnitude
        guard magnitude < 0x1p64 else { return value.isFinite ? append(large: value) : append("null") }
        let whole = UInt64(magnitude)
        let fraction = magnitude - Double(whole)
        guard fraction > 0 else { return append(decimal: whole, millionths: 0, isNegative: value < 0) }
        let millionths = Self.millionths(fraction)
        let carry: UInt64 = millionths == 1_000_000 ? 1 : 0
        append(decimal: whole + carry, millionths: carry == 1 ? 0 : millionths, isNegative: value < 0)
    }

    /// Appends a whole number.
    @inline(__always)
    mutating func append(_ value: Int) {
        append(decimal: UInt64(value.magnitude), millionths: 0, isNegative: value < 0)
    }

    /// Appends true or false.
    @inline(__always)
    mutating func append(_ value: Bool) {
        append(value ? "true" as StaticString : "false")
    }

    /// Appends a number from 2^64 on: the digits that distinguish it from other doubles, then zeros instead of an exponent.
    private mutating func append(large value: Double) {
        if value < 0 { append(UInt8(ascii: "-")) }
        // The standard library writes such a number as "1.25e+20".
        let parts = value.magnitude.description.split(separator: "e")
        let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        for digit in digits { append(digit) }
        for _ in 0..<max(0, exponent - digits.count + 1) { append(UInt8(ascii: "0")) }
    }

    /// A fraction below 1 in millionths, rounded to the nearest, or to the even one of two.
    private static func millionths(_ fraction: Double) -> UInt64 {
        let product = fraction * 1_000_000
        let floor = UInt64(product)
        let rest = product - Double(floor)
        var isUp = rest > 0.5
        if rest == 0.5 {
            // The product is rounded, too. Its rounding error decides on which side of the middle the fraction is.
            let lost = (-product).addingProduct(fraction, 1_000_000)
            isUp = lost > 0 || (lost == 0 && floor & 1 == 1)
        }
        return floor + (isUp ? 1 : 0)
    }

    /// Appends `whole` and, unless they are 0, the millionths without trailing zeros. Zero has no sign.
    mutating func append(decimal whole: UInt64, millionths: UInt64, isNegative: Bool) {
        // Digits are not written in order. So the capacity is checked once, for the sign, 20 digits, the point and 6 digits.
        precondition(freeCapacity >= 28, "There is no room for a number.")
        withUnsafeMutableBufferPointer { bytes, count in
            var end = count
            if isNegative && (whole > 0 || millionths > 0) {
                bytes[end] = UInt8(ascii: "-")
                end += 1
            }
            end = Self.write(whole, to: bytes, at: end)
            if millionths > 0 {
                bytes[end] = UInt8(ascii: ".")
                Self.writePair(millionths / 10_000, to: bytes, at: end + 1)
                Self.writePair(millionths / 100 % 100, to: bytes, at: end + 3)
                Self.writePair(millionths % 100, to: bytes, at: end + 5)
                end += 7
                while bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
            }
            count = end
        }
    }

    /// Writes a whole number, and returns the place after it.
    @inline(__always)
    private static func write(_ number: UInt64, to bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        guard number >= 10 else {
            bytes[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
            return start + 1
        }
        let end = start + digitCount(of: number)
        var (rest, place) = (number, end)
        while rest >= 10 {
            place -= 2
            writePair(rest % 100, to: bytes, at: place)
            rest /= 100
        }
        if rest > 0 { bytes[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
        return end
    }

    /// Writes a number below 100 with two digits.
    @inline(__always)
    private static func writePair(_ number: UInt64, to bytes: UnsafeMutableBufferPointer<UInt8>, at place: Int) {
        let tens = number / 10
        bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens)
        bytes[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number - 10 * tens)
    }

    /// The number of digits.
    @inline(__always)
    private static func digitCount(of number: UInt64) -> Int {
        var count = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        return count
    }
}

extension [UInt8] {
    /// Appends a string in quotes. Runs of bytes that need no escape are copied as they are.
    mutating func append(quoted value: String) {
        var value = value
        value.withUTF8 { text in
            // Most strings are copied at once.
            guard text.contains(where: \.needsEscape) else {
                return append(addingCapacity: text.count + 2) { room in
                    room.append(UInt8(ascii: "\""))
                    room.append(text)
                    room.append(UInt8(ascii: "\""))
                }
            }
            append(UInt8(ascii: "\""))
            var run = 0
            for index in text.indices where text[index].needsEscape {
                append(contentsOf: text[run..<index])
                append(escaped: text[index])
                run = index + 1
            }
            append(contentsOf: text[run...])
            append(UInt8(ascii: "\""))
        }
    }

    private mutating func append(escaped byte: UInt8) {
        append(UInt8(ascii: "\\"))
        guard byte < 0x20 else { return append(byte) }
        append(UInt8(ascii: "u"))
        append(UInt8(ascii: "0"))
        append(UInt8(ascii: "0"))
        append(UInt8(ascii: "0") + (byte >> 4))
        let low = byte & 15
        append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
}
