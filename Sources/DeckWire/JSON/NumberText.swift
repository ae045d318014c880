// Numbers as JSON.
extension TextBuffer {
    /// The room that a number needs: a sign, 20 digits, a point and the eight bytes that are written for its decimals. One with
    /// more digits makes more room for itself.
    static var numberRoom: Int { 32 }

    /// Appends a number with at most six decimals, rounded to the nearest (a tie to the even one), without trailing zeros,
    /// without an exponent and without a sign if it is zero. NaN and infinity, which JSON lacks, become null.
    mutating func append(_ value: Double) {
        let magnitude = value.magnitude
        guard magnitude < Self.millionthsLimit else { return append(large: value) }
        let (whole, millionths) = Self.millionths(magnitude).quotientAndRemainder(dividingBy: 1_000_000)
        append(decimal: whole, millionths: UInt32(truncatingIfNeeded: millionths), isNegative: value < 0)
    }

    /// Appends a whole number.
    mutating func append(_ value: Int) {
        append(decimal: UInt64(value.magnitude), millionths: 0, isNegative: value < 0)
    }

    /// Appends a number from ``millionthsLimit`` on. From 2^64 on it has the digits that distinguish it from other doubles, then
    /// zeros instead of an exponent.
    private mutating func append(large value: Double) {
        guard value.isFinite else { return append("null") }
        guard value.magnitude >= 0x1p64 else {
            var whole = UInt64(value.magnitude)
            var millionths = Self.millionths(value.magnitude - Double(whole))
            if millionths == 1_000_000 { (whole, millionths) = (whole + 1, 0) }
            return append(decimal: whole, millionths: UInt32(millionths), isNegative: value < 0)
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

    /// Below this, a number in millionths is below 2^51.
    private static var millionthsLimit: Double { 2_000_000_000 }

    /// A number from 0 to ``millionthsLimit`` in millionths, rounded to the nearest, or to the even one of two.
    ///
    /// A double from 2^52 to 2^53 has no fraction. So if 2^52 is added to the product, the processor rounds it, and its last bits
    /// are the result. The product is rounded, too. That matters only if it is in the middle of two whole numbers: then its
    /// rounding error decides.
    @inline(__always)
    private static func millionths(_ number: Double) -> UInt64 {
        let product = number * 1_000_000
        let shifted = product + 0x1p52
        let rounded = shifted.bitPattern & 0x000F_FFFF_FFFF_FFFF
        let rest = product - (shifted - 0x1p52)
        guard rest.magnitude == 0.5 else { return rounded }
        let lost = (-product).addingProduct(number, 1_000_000)
        if lost == 0 { return rounded }
        return UInt64(product) + (lost > 0 ? 1 : 0)
    }

    /// Appends `whole` and, unless they are 0, the millionths without trailing zeros. Zero has no sign.
    @inline(__always)
    private mutating func append(decimal whole: UInt64, millionths: UInt32, isNegative: Bool) {
        let triples = triples
        append(room: Self.numberRoom) { start in
            var end = start
            if isNegative && (whole > 0 || millionths > 0) {
                end.pointee = UInt8(ascii: "-")
                end += 1
            }
            end = triples.write(whole, at: end)
            return millionths > 0 ? triples.write(millionths: millionths, at: end) : end
        }
    }
}

/// The decimal digits of the numbers below 1,000. To look them up takes half of the time of computing them.
struct DigitTriples: @unchecked Sendable {
    /// Where a byte is written.
    typealias Place = UnsafeMutablePointer<UInt8>

    /// The table, which is never changed and never freed. A caller that writes many numbers keeps it, because each access to a
    /// global value is a call.
    static let all = DigitTriples()

    /// For each number three digits, each in a byte, the first in the lowest byte.
    private let triples: UnsafeMutablePointer<UInt32>

    private init() {
        triples = .allocate(capacity: 1_000)
        for number in 0..<UInt32(1_000) {
            let digits = number / 100 | (number / 10 % 10) << 8 | (number % 10) << 16
            triples.advanced(by: Int(number)).initialize(to: digits)
        }
    }

    /// Writes a point and six decimals without trailing zeros, and returns the place after them.
    @inline(__always)
    func write(millionths: UInt32, at start: Place) -> Place {
        let (thousandths, others) = millionths.quotientAndRemainder(dividingBy: 1_000)
        let digits = UInt64(triples[Int(thousandths)]) | UInt64(triples[Int(others)]) << 24
        start.pointee = UInt8(ascii: ".")
        write(text: digits | 0x3030_3030_3030, at: start + 1)
        return start + 1 + (8 - digits.leadingZeroBitCount / 8)
    }

    /// Writes a whole number, and returns the place after it.
    @inline(__always)
    func write(_ number: UInt64, at start: Place) -> Place {
        guard number >= 10 else {
            start.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
            return start + 1
        }
        guard number < 1_000 else { return write(long: number, at: start) }
        let digits = triples[Int(truncatingIfNeeded: number)] | 0x30_3030
        let zeros = number < 100 ? 1 : 0
        write(text: UInt64(digits >> (8 * UInt32(zeros))), at: start)
        return start + (3 - zeros)
    }

    /// Writes a number of four digits or more, and returns the place after it.
    @inline(never)
    private func write(long number: UInt64, at start: Place) -> Place {
        let (high, low) = number.quotientAndRemainder(dividingBy: 1_000)
        let end = write(high, at: start)
        write(text: UInt64(triples[Int(low)] | 0x30_3030), at: end)
        return end + 3
    }

    /// Writes eight bytes, of which the first is the lowest. Those after the text are overwritten by what follows.
    @inline(__always)
    private func write(text: UInt64, at place: Place) {
        UnsafeMutableRawPointer(place).storeBytes(of: text.littleEndian, as: UInt64.self)
    }
}
