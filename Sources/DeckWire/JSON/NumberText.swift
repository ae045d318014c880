// Numbers as JSON.
extension TextBuffer {
    /// Where a byte is written.
    private typealias Place = UnsafeMutablePointer<UInt8>

    /// The room that a number needs. One with more digits makes more room for itself.
    static var numberRoom: Int { 28 }

    /// Appends a number with at most six decimals, rounded to the nearest (a tie to the even one), without trailing zeros,
    /// without an exponent and without a sign if it is zero. NaN and infinity, which JSON lacks, become null.
    mutating func append(_ value: Double) {
        let magnitude = value.magnitude
        // Up to there a number fits into a signed integer, into which a processor converts it in one step.
        guard magnitude < 0x1p63 else { return value.isFinite ? append(large: value) : append("null") }
        let whole = UInt64(Int64(magnitude))
        let fraction = magnitude - Double(Int64(whole))
        guard fraction > 0 else { return append(decimal: whole, millionths: 0, isNegative: value < 0) }
        let millionths = Self.millionths(fraction)
        guard millionths < 1_000_000 else {
            return append(decimal: whole + 1, millionths: 0, isNegative: value < 0)
        }
        append(decimal: whole, millionths: millionths, isNegative: value < 0)
    }

    /// Appends a whole number.
    mutating func append(_ value: Int) {
        append(decimal: UInt64(value.magnitude), millionths: 0, isNegative: value < 0)
    }

    /// Appends a number from 2^63 on. From 2^64 on it has the digits that distinguish it from other doubles, then zeros instead
    /// of an exponent.
    private mutating func append(large value: Double) {
        guard value.magnitude >= 0x1p64 else {
            return append(decimal: UInt64(value.magnitude), millionths: 0, isNegative: value < 0)
        }
        // The standard library writes such a number as "1.25e+20".
        let parts = value.magnitude.description.split(separator: "e")
        let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        // The room for what follows stays.
        reserve(freeCount + 1 + exponent + 1)
        if value < 0 { append(UInt8(ascii: "-")) }
        for digit in digits { append(digit) }
        for _ in 0..<max(0, exponent - digits.count + 1) { append(UInt8(ascii: "0")) }
    }

    /// A fraction below 1 in millionths, rounded to the nearest, or to the even one of two.
    private static func millionths(_ fraction: Double) -> UInt32 {
        let product = fraction * 1_000_000
        let floor = UInt32(product)
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
    mutating func append(decimal whole: UInt64, millionths: UInt32, isNegative: Bool) {
        // A sign, 20 digits, a point and 6 digits.
        append(room: Self.numberRoom) { start in
            var end = start
            if isNegative && (whole > 0 || millionths > 0) {
                end.pointee = UInt8(ascii: "-")
                end += 1
            }
            end = Self.write(whole, at: end)
            return millionths > 0 ? Self.write(millionths: millionths, at: end) : end
        }
    }

    /// Writes a point and six decimals without trailing zeros, and returns the place after them.
    @inline(__always)
    private static func write(millionths: UInt32, at start: Place) -> Place {
        start.pointee = UInt8(ascii: ".")
        let (first, others) = millionths.quotientAndRemainder(dividingBy: 10_000)
        let (second, third) = others.quotientAndRemainder(dividingBy: 100)
        writePair(first, at: start + 1)
        writePair(second, at: start + 3)
        writePair(third, at: start + 5)
        var end = start + (third > 0 ? 7 : second > 0 ? 5 : 3)
        if (end - 1).pointee == UInt8(ascii: "0") { end -= 1 }
        return end
    }

    /// Writes a whole number, and returns the place after it.
    @inline(__always)
    private static func write(_ number: UInt64, at start: Place) -> Place {
        guard number < 10_000 else { return write(long: number, at: start) }
        let number = UInt32(truncatingIfNeeded: number)
        guard number >= 100 else { return write(short: number, at: start) }
        let (high, low) = number.quotientAndRemainder(dividingBy: 100)
        let end = write(short: high, at: start)
        writePair(low, at: end)
        return end + 2
    }

    /// Writes a number below 100, and returns the place after it.
    @inline(__always)
    private static func write(short number: UInt32, at start: Place) -> Place {
        guard number >= 10 else {
            start.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
            return start + 1
        }
        writePair(number, at: start)
        return start + 2
    }

    /// Writes a number of five digits or more, and returns the place after it.
    @inline(never)
    private static func write(long number: UInt64, at start: Place) -> Place {
        let (high, low) = number.quotientAndRemainder(dividingBy: 10_000)
        let end = write(high, at: start)
        let (first, second) = UInt32(truncatingIfNeeded: low).quotientAndRemainder(dividingBy: 100)
        writePair(first, at: end)
        writePair(second, at: end + 2)
        return end + 4
    }

    /// Writes a number below 100 with two digits.
    @inline(__always)
    private static func writePair(_ number: UInt32, at place: Place) {
        let tens = number / 10
        place[0] = UInt8(truncatingIfNeeded: tens) + UInt8(ascii: "0")
        place[1] = UInt8(truncatingIfNeeded: number - 10 * tens) + UInt8(ascii: "0")
    }
}
