// Numbers as JSON.
extension TextBuffer {
    /// Where a byte is written.
    private typealias Place = UnsafeMutablePointer<UInt8>

    /// The room that a number needs: a sign, 20 digits, a point and the eight bytes that are written for its decimals. One with
    /// more digits makes more room for itself.
    static var numberRoom: Int { 32 }

    /// Appends a number with at most six decimals, rounded to the nearest (a tie to the even one), without trailing zeros,
    /// without an exponent and without a sign if it is zero. NaN and infinity, which JSON lacks, become null.
    mutating func append(_ value: Double) {
        let magnitude = value.magnitude
        // Up to there a number fits into a signed integer, into which a processor converts it in one step.
        guard magnitude < 0x1p63 else { return value.isFinite ? append(large: value) : append("null") }
        var whole = UInt64(Int64(magnitude))
        let fraction = magnitude - Double(Int64(whole))
        var millionths: UInt32 = 0
        if fraction > 0 {
            millionths = Self.millionths(fraction)
            if millionths == 1_000_000 { (whole, millionths) = (whole + 1, 0) }
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
    @inline(__always)
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
    @inline(__always)
    mutating func append(decimal whole: UInt64, millionths: UInt32, isNegative: Bool) {
        // A sign, 20 digits, a point and 6 digits. Digits are written eight at a time, so the last ones may be beyond these.
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
        // The first two of the eight digits are zeros.
        let digits = digits(of: millionths) >> 16
        write(digits: digits, at: start + 1)
        return start + 1 + (8 - digits.leadingZeroBitCount / 8)
    }

    /// Writes a whole number, and returns the place after it.
    @inline(__always)
    private static func write(_ number: UInt64, at start: Place) -> Place {
        guard number >= 10 else {
            start.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
            return start + 1
        }
        guard number < 100_000_000 else { return write(long: number, at: start) }
        let digits = digits(of: UInt32(truncatingIfNeeded: number))
        let zeros = digits.trailingZeroBitCount / 8
        write(digits: digits >> (8 * zeros), at: start)
        return start + (8 - zeros)
    }

    /// Writes a number of nine digits or more, and returns the place after it.
    @inline(never)
    private static func write(long number: UInt64, at start: Place) -> Place {
        let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
        let end = write(high, at: start)
        write(digits: digits(of: UInt32(truncatingIfNeeded: low)), at: end)
        return end + 8
    }

    /// Writes eight digits, of which the first is in the lowest byte.
    @inline(__always)
    private static func write(digits: UInt64, at place: Place) {
        let text = digits | 0x3030_3030_3030_3030
        UnsafeMutableRawPointer(place).storeBytes(of: text.littleEndian, as: UInt64.self)
    }

    /// The eight digits of a number below 100,000,000, each in a byte, the first in the lowest byte. The digits are computed at
    /// the same time: the number is divided into two halves, these into four quarters, and these into digits.
    ///
    /// The factors divide by 100 and by 10: 10,486 / 2^20 is exact for numbers below 10,000, and 103 / 2^10 for those below 100.
    @inline(__always)
    private static func digits(of number: UInt32) -> UInt64 {
        let (high, low) = number.quotientAndRemainder(dividingBy: 10_000)
        let halves = UInt64(high) | UInt64(low) << 32
        let hundreds = (halves &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let quarters = hundreds | (halves &- 100 &* hundreds) << 16
        let tens = (quarters &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (quarters &- 10 &* tens) << 8
    }
}
