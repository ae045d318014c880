import DeckWire
import Foundation
import RandomTesting
import Testing

@Suite struct JSONNumberWritingTests {
    /// The C library's exact conversion to six decimals, with the zeros trimmed.
    private func reference(_ number: Double) -> String {
        var text = String(format: "%.6f", number)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (-0.5, "-0.5"), (375, "375"),
            (1.0 / 3, "0.333333"),
            (2.0 / 3, "0.666667"), (0.000001, "0.000001"), (-0.000001, "-0.000001"), (0.0000004, "0"),
            (-0.0000004, "0"),
            (0.9999995, "1"), (0.99999949, "0.999999"), (-0.9999999, "-1"), (9.9999999, "10"), (99.9999996, "100"),
            (0.1 + 0.2, "0.3"), (1e6, "1000000"), (1e15, "1000000000000000"), (1e-300, "0"), (123456.789, "123456.789"),
            (999999999999999.9, "999999999999999.875"), (0.0078125, "0.007812"), (0.0234375, "0.023438"),
            (2251799813685248.5, "2251799813685248.5"), (0x1p53, "9007199254740992"),
            (0x1p63, "9223372036854775808"), (0x1p64, "18446744073709552000"), (1e21, "1000000000000000000000"),
            (-1.25e22, "-12500000000000000000000"), (.leastNonzeroMagnitude, "0"),
        ] as [(Double, String)]
    )
    func numbersHaveAtMostSixDecimals(number: Double, text: String) {
        #expect(written { $0.number(number) } == text)
    }

    @Test func numbersThatJSONLacksBecomeNull() {
        for number in [Double.nan, .infinity, -.infinity, .signalingNaN] {
            #expect(written { $0.array { $0.number(number) } } == "[null]")
        }
    }

    @Test func randomNumbersOfAllMagnitudesAreWrittenAsTheCLibraryDoes() {
        let seed: UInt64 = 4_711
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<100_000 {
            let exponent = Double.random(in: -9...15, using: &numbers)
            let mantissa = Double.random(in: -1...1, using: &numbers)
            let number = mantissa * pow(10, exponent)
            let text = written { $0.number(number) }
            guard text != reference(number) else { continue }
            Issue.record("\(number) was written as \(text), seed \(seed)")
            return
        }
    }

    @Test func numbersNearTheMiddleOfTwoMillionthsAreRoundedByWhatTheyAre() {
        var numbers = SeededNumbers(seed: 815)
        for _ in 0..<100_000 {
            let whole = Double(Int.random(in: 0...4_000, using: &numbers))
            let middle = whole + (Double(Int.random(in: 0..<1_000_000, using: &numbers)) + 0.5) / 1_000_000
            for number in [middle.nextDown, middle, middle.nextUp, -middle] {
                let text = written { $0.number(number) }
                if text != reference(number) {
                    Issue.record("\(number) was written as \(text)")
                    return
                }
            }
        }
        for tie in 0..<128 {
            let number = Double(tie) / 128
            #expect(written { $0.number(number) } == reference(number))
        }
    }

    @Test func randomBitPatternsAreReadBackToWithinHalfAMillionth() throws {
        var numbers = SeededNumbers(seed: 99)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: numbers.next())
            guard number.isFinite else { continue }
            let text = written { $0.number(number) }
            let back = try read(text) { (value) throws(WireError) in try value.number() }
            #expect(abs(back - number) <= 0.000_000_500_1)
            #expect(!text.contains("e"))
            if abs(number) >= 0x1p53 { #expect(back == number) }
        }
    }
}
