extension UInt8 {
    /// Whether JSON lets this byte stand in a string only escaped (RFC 8259, section 7).
    var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

extension [UInt8] {
    /// Appends a string in quotes. Runs of bytes that need no escape are copied as they are.
    mutating func append(quoted value: String) {
        append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { text in
            var run = 0
            for index in text.indices where text[index].needsEscape {
                append(contentsOf: text[run..<index])
                append(escaped: text[index])
                run = index + 1
            }
            append(contentsOf: text[run...])
        }
        append(UInt8(ascii: "\""))
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

    /// Appends a finite number with at most six decimals.
    mutating func append(decimal value: Double) {
        let magnitude = value.magnitude
        guard magnitude < 0x1p64 else { return append(large: magnitude, isNegative: value < 0) }
        let whole = UInt64(magnitude)
        let millionths = Self.millionths(magnitude - Double(whole))
        let carry = millionths / 1_000_000
        append(decimal: whole + carry, millionths: millionths - carry * 1_000_000, isNegative: value < 0)
    }

    /// How many millionths are nearest to a fraction below 1, the even one if two are.
    private static func millionths(_ fraction: Double) -> UInt64 {
        let product = fraction * 1_000_000
        let floor = UInt64(product)
        let rest = product - Double(floor)
        var isUp = rest > 0.5
        if rest == 0.5 {
            // The product is rounded itself, so what it lost decides on which side of the middle the fraction is.
            let lost = (-product).addingProduct(fraction, 1_000_000)
            isUp = lost > 0 || (lost == 0 && floor & 1 == 1)
        }
        return floor + (isUp ? 1 : 0)
    }

    /// Appends `whole` and, unless they are 0, the millionths without trailing zeros; zero has no sign.
    mutating func append(decimal whole: UInt64, millionths: UInt64, isNegative: Bool) {
        // A sign, 20 digits, a point and 6 digits are the most.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 28) { digits in
            var start = digits.count
            func prepend(_ byte: UInt8) {
                start -= 1
                digits[start] = byte
            }
            if millionths > 0 {
                var rest = millionths
                var places = 6
                while rest % 10 == 0 {
                    rest /= 10
                    places -= 1
                }
                for _ in 0..<places {
                    prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                    rest /= 10
                }
                prepend(UInt8(ascii: "."))
            }
            var rest = whole
            repeat {
                prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            if isNegative && (whole > 0 || millionths > 0) { prepend(UInt8(ascii: "-")) }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends a number from 2^64 on: the digits that tell it from other doubles, then zeros instead of an exponent.
    private mutating func append(large magnitude: Double, isNegative: Bool) {
        if isNegative { append(UInt8(ascii: "-")) }
        // The standard library writes such a number as "1.25e+20".
        let parts = magnitude.description.split(separator: "e")
        let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        append(contentsOf: digits)
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, exponent - digits.count + 1)))
    }
}
