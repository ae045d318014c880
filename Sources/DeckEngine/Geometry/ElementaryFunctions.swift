// Sine, cosine and the exponential function.
//
// A session must look the same to the last bit on every machine, but C libraries differ in the last bit. These
// functions therefore call no library. They add, subtract, multiply and look at bit patterns, which IEEE 754 defines
// exactly, in a fixed order. Swift never fuses a product with a sum.
//
// The method is that of W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980. An argument is
// reduced to a small one by a multiple of π/2 or ln 2 that is subtracted in parts, the first ones so short that their
// products are exact. A polynomial then gives the function. The coefficients are those of the least largest error, found
// by Remez's exchange and rounded.
//
// The error is below one unit in the last place: for sine and cosine up to 2^20 radians, for the exponential function
// where the result is a normal number. The largest errors found among 24 million arguments are 0.84 and 0.71 units.

/// The sine and the cosine of an angle, exactly 0 and 1 for no turn, so that a card at rest has the identity matrix.
///
/// Beyond 2^20 radians the angle is first reduced by multiples of the floating-point number nearest to 2π, whose
/// relative error is 4e-17. For an infinite angle and for NaN, both results are NaN.
func sineAndCosine(_ angle: Radians) -> (sine: Double, cosine: Double) {
    guard angle.value != 0 else { return (0, 1) }
    let (quadrant, rest) = Reduced.byQuarterTurns(withinRange(angle.value))
    let (sine, cosine) = (rest.sine, rest.cosine)
    switch quadrant {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
}

/// e to the power of `exponent`: 0 and infinity beyond the range of numbers, NaN for NaN.
///
/// A result below the normal numbers, at an exponent less than -708.4, is rounded twice: its error is below 1.5 units in
/// the last place.
func exponential(_ exponent: Double) -> Double {
    guard exponent > -746 else { return exponent.isNaN ? exponent : 0 }
    guard exponent < 710 else { return exponent.isNaN ? exponent : .infinity }
    let (count, multiple) = nearestInteger(exponent * 0x1.71547652b82fep+0)
    // ln 2 is the sum of both. The first has 42 bits, and a count has at most 11.
    let high = exponent - multiple * 0x1.62e42fefa3800p-1
    let low = multiple * 0x1.ef35793c76730p-45
    let rest = Reduced(high, -low)
    let power = rest.exponential
    // A factor beyond the range of normal numbers is applied in two halves.
    if count > 1023 || count < -1022 {
        let half = count / 2
        return power * twoToThePower(of: half) * twoToThePower(of: count - half)
    }
    return power * twoToThePower(of: count)
}

/// A reduced argument, as the sum of a number and its rounding error.
private struct Reduced {
    var value: Double
    var remainder: Double

    /// The sum of two numbers, of which the first is the larger.
    @inline(__always)
    init(_ large: Double, _ small: Double) {
        value = large + small
        remainder = (large - value) + small
    }

    /// Subtracts multiples of a quarter turn.
    ///
    /// - Returns: the number of quarter turns, without whole turns, and the remaining angle: at most an eighth of a
    ///   turn.
    @inline(__always)
    static func byQuarterTurns(_ angle: Double) -> (quadrant: Int32, rest: Reduced) {
        let (count, multiple) = nearestInteger(angle * 0x1.45f306dc9c883p-1)
        // π/2 is the sum of all four. The first three have at most 33 bits, and a count has at most 20: these products
        // are exact, and so is the first difference.
        let first = angle - multiple * 0x1.921fb54400000p+0
        let second = difference(first, multiple * 0x1.0b4611a600000p-34)
        let third = difference(second.value, multiple * 0x1.3198a2e000000p-69)
        let low = second.error + third.error - multiple * 0x1.b839a252049c1p-104
        return (count & 3, Reduced(third.value, low))
    }

    /// sin r = r + r³ S(r²); the polynomial's error is below 2^-57 of the sine.
    @inline(__always)
    var sine: Double {
        let square = value * value
        let fourth = square * square
        let low = -0x1.5555555555549p-3 + square * 0x1.111111110f8d1p-7
        let middle = -0x1.a01a019c1aa26p-13 + square * 0x1.71de357e8774fp-19
        let high = -0x1.ae5e6b02078a4p-26 + square * 0x1.5d944519b226ep-33
        let series = low + fourth * (middle + fourth * high)
        // The remainder counts by the slope of the sine, the cosine.
        return value + (value * square * series + remainder * (1 - 0.5 * square))
    }

    /// cos r = 1 - r²/2 + r⁴ C(r²); the polynomial's error is below 2^-63.
    @inline(__always)
    var cosine: Double {
        let square = value * value
        let fourth = square * square
        let low = 0x1.555555555554ep-5 - square * 0x1.6c16c16c15523p-10
        let middle = 0x1.a01a019d01459p-16 - square * 0x1.27e4f83d48ba6p-22
        let high = 0x1.1eea0ba1b28d8p-29 - square * 0x1.8fbdbafbfc6a0p-37
        let series = low + fourth * (middle + fourth * high)
        let first = Reduced(1, -0.5 * square)
        return first.value + (first.remainder + (fourth * series - value * remainder))
    }

    /// e^r = 1 + r + r² E(r); the polynomial's error is below 2^-57.
    @inline(__always)
    var exponential: Double {
        let square = value * value
        let fourth = square * square
        let zeroth = 0x1.000000000000bp-1 + value * 0x1.5555555555561p-3
        let second = 0x1.55555555503e0p-5 + value * 0x1.111111110d7b8p-7
        let fourthUp = 0x1.6c16c18501140p-10 + value * 0x1.a01a01ba745c1p-13
        let sixth = 0x1.a0199811bae17p-16 + value * 0x1.71dde0a24a807p-19
        let eighth = 0x1.28af1437db655p-22 + value * 0x1.af8459060ac5fp-26
        let series = (zeroth + square * second) + fourth * ((fourthUp + square * sixth) + fourth * eighth)
        let first = Reduced(1, value)
        return first.value + (first.remainder + (square * series + remainder * (1 + value)))
    }
}

/// A difference and its rounding error (D. E. Knuth, The Art of Computer Programming, volume 2, section 4.2.2).
@inline(__always)
private func difference(_ left: Double, _ right: Double) -> (value: Double, error: Double) {
    let value = left - right
    let taken = left - value
    let kept = value + taken
    return (value, (left - kept) + (taken - right))
}

/// The integer nearest to a number below 2^31, in two types. Adding 1.5 · 2^52 rounds the fraction away, and the lowest
/// bits of the sum are then the integer.
@inline(__always)
private func nearestInteger(_ number: Double) -> (count: Int32, value: Double) {
    let shifted = number + 0x1.8p52
    return (Int32(truncatingIfNeeded: shifted.bitPattern), shifted - 0x1.8p52)
}

/// 2 to a power, for -1022…1023.
@inline(__always)
private func twoToThePower(of exponent: Int32) -> Double {
    Double(bitPattern: UInt64(UInt32(1023 + exponent)) << 52)
}

/// The angle itself up to 2^20 either way; a larger one without its whole turns. These are subtracted in powers of two,
/// the largest first. Each difference is exact.
private func withinRange(_ angle: Double) -> Double {
    if angle.magnitude <= 0x1p20 { return angle }
    guard angle.isFinite else { return .nan }
    let turn = 0x1.921fb54442d18p+2
    var rest = angle.magnitude
    var part = turn * 0x1p1021
    while part >= turn {
        if rest >= part { rest -= part }
        part *= 0.5
    }
    return angle < 0 ? -rest : rest
}
