import Foundation
import Testing

@testable import DeckEngine

/// The engine's own sine, cosine and exponential function.
///
/// `Vectors/elementary-functions.json` was computed by mpmath with 400 bits. It has arguments of every size, arguments
/// next to multiples of an eighth and a quarter turn, the numbers up to 2^20 that are nearest to a quarter turn,
/// multiples of ln 2 / 2, and the limits beyond which the results leave the range of numbers.
struct ElementaryFunctionsTests {
    struct File: Decodable {
        var sine: [Example]
        var cosine: [Example]
        var exponential: [Example]
    }

    /// An argument, the number nearest to the function's value, and the difference to the value, in units of its last
    /// place.
    struct Example: Decodable {
        var x: String
        var value: String
        var rest: Double

        /// The difference between a result and the function's value, in units of the last place.
        func error(of function: (Double) -> Double) throws -> Double {
            let value = try #require(Double(value))
            let result = function(try #require(Double(x)))
            // The difference of numbers this close is exact.
            return abs((result - value) / value.ulp - rest)
        }
    }

    private static func sine(_ x: Double) -> Double { sineAndCosine(Radians(x)).sine }
    private static func cosine(_ x: Double) -> Double { sineAndCosine(Radians(x)).cosine }

    /// The largest errors that were found among 24 million arguments, rounded up, in units of the last place.
    private static let largestError = (turn: 0.85, power: 0.75)

    @Test func sineAndCosineAreWithinTheirErrorOfTheTrueValues() throws {
        let file = try Vectors.read("elementary-functions", as: File.self)
        #expect(file.sine.count == 259 && file.cosine.count == 259)
        for example in file.sine {
            #expect(try example.error(of: Self.sine) < Self.largestError.turn, "sin \(example.x)")
        }
        for example in file.cosine {
            #expect(try example.error(of: Self.cosine) < Self.largestError.turn, "cos \(example.x)")
        }
    }

    @Test func theExponentialFunctionIsWithinItsErrorOfTheTrueValues() throws {
        let file = try Vectors.read("elementary-functions", as: File.self)
        #expect(file.exponential.count == 192)
        for example in file.exponential {
            let isNormal = try #require(Double(example.value)).isNormal
            let largest = isNormal ? Self.largestError.power : 1.5
            #expect(try example.error(of: exponential) < largest, "exp \(example.x)")
        }
    }

    /// The functions of the C library are correct to within one unit in the last place.
    @Test func theyAgreeWithTheCLibrary() {
        func error(_ result: Double, _ other: Double) -> Double {
            abs(result - other) / other.ulp
        }
        var largest = (turn: 0.0, power: 0.0)
        for number in -50_000...50_000 {
            // A step that does not coincide with multiples of π or ln 2, over angles to ±2^20 and powers from 0 to
            // infinity.
            for angle in [Double(number) * 1.6180339887e-4, Double(number) * 20.97] {
                largest.turn = max(largest.turn, error(Self.sine(angle), sin(angle)))
                largest.turn = max(largest.turn, error(Self.cosine(angle), cos(angle)))
            }
            let power = Double(number) * 0.014161
            largest.power = max(largest.power, error(exponential(power), exp(power)))
        }
        #expect(largest.turn <= Self.largestError.turn + 1)
        #expect(largest.power <= Self.largestError.power + 1)
    }

    /// Results are the same to the last bit on every machine. A change in the order of the steps would change them.
    @Test func theBitsAreTheSameEverywhere() {
        let turns: [(Double, sine: UInt64, cosine: UInt64)] = [
            (0.5, 0x3FDE_AEE8_744B_05F0, 0x3FEC_1528_065B_7D50),
            (-2, 0xBFED_18F6_EAD1_B446, 0xBFDA_A226_5753_7205),
            (3, 0x3FC2_1038_6DB6_D55B, 0xBFEF_AE04_BE85_E5D2),
            (0x1p20, 0x3FD5_26CC_B2FC_8656, 0x3FEE_33AD_A92F_E2AE),
            (0x1p30, 0xBFE3_C123_41C4_DEC9, 0x3FE9_2CB4_7871_4A3E),
        ]
        for (angle, sine, cosine) in turns {
            #expect(Self.sine(angle).bitPattern == sine)
            #expect(Self.cosine(angle).bitPattern == cosine)
        }
        let powers: [(Double, UInt64)] = [
            (-0.25, 0x3FE8_EBEF_9EAC_820B), (1, 0x4005_BF0A_8B14_5769), (709.5, 0x7FE8_1E9B_4B52_D0C9), (-745, 1),
        ]
        for (power, bits) in powers { #expect(exponential(power).bitPattern == bits) }
        // FNV-1a over whole numbers.
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ value: Double) {
            sum = (sum ^ value.bitPattern) &* 0x0000_0100_0000_01B3
        }
        for number in -20_000...20_000 {
            let x = Double(number) * 0x1.8p-7
            let (sine, cosine) = sineAndCosine(Radians(x))
            add(sine)
            add(cosine)
            add(exponential(x))
        }
        #expect(sum == 0x899E_B9E4_5263_C9B4)
    }

    @Test func noTurnIsExact() {
        for zero in [0.0, -0.0] {
            #expect(Self.sine(zero).bitPattern == 0)
            #expect(Self.cosine(zero) == 1)
            #expect(exponential(zero) == 1)
        }
        for small in [Double.leastNonzeroMagnitude, 0x1p-1030, 1e-200, -1e-20] {
            #expect(Self.sine(small) == small)
            #expect(Self.cosine(small) == 1)
            #expect(exponential(small) == 1)
        }
    }

    @Test func everyAngleHasASineAndACosineThatBelongTogether() {
        var angles = [0x1.000001p20, 1e7, 1e9, 0x1p31, 1e15, 0x1p53, 1e100, .greatestFiniteMagnitude]
        angles += angles.map { -$0 }
        for angle in angles {
            let (sine, cosine) = sineAndCosine(Radians(angle))
            #expect(abs(sine * sine + cosine * cosine - 1) < 1e-15, "\(angle)")
            #expect(Self.sine(-angle) == -sine && Self.cosine(-angle) == cosine, "\(angle)")
        }
        // Beyond the range the error grows with the angle.
        for angle in stride(from: 0x1p20, to: 0x1p22, by: 1234.5) {
            #expect(abs(Self.sine(angle) - sin(angle)) < 1e-9)
            #expect(abs(Self.cosine(angle) - cos(angle)) < 1e-9)
        }
        for angle in [Double.infinity, -Double.infinity, Double.nan] {
            #expect(Self.sine(angle).isNaN && Self.cosine(angle).isNaN)
        }
    }

    @Test func powersEndInZeroAndInfinity() {
        #expect(exponential(709.782712893384) < .infinity)
        for power in [709.7827128933841, 710, 1e300, Double.infinity] { #expect(exponential(power) == .infinity) }
        #expect(exponential(-745.133219101941) == .leastNonzeroMagnitude)
        for power in [-745.1332191019413, -746, -1e300, -Double.infinity] { #expect(exponential(power) == 0) }
        #expect(exponential(.nan).isNaN)
    }
}
