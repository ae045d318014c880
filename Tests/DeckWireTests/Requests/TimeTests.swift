import DeckEngine
import DeckWire
import RandomTesting
import Testing

/// Times as they are read and written again.
@Suite struct TimeTests {
    private func time(_ text: String) throws -> Instant? {
        try read(#"{"type":"tick","at":\#(text)}"#) { (value) throws(WireError) in try EventRequest.read(value) }[0].at
    }

    private func text(_ time: Instant) -> String {
        written { $0.number(time.milliseconds) }
    }

    /// A double has six decimals up to 2^33 and no more than that from there on; both sides of the edge are among these.
    @Test(arguments: [1.0, 1000, 0x1p31, 0x1p32, 0x1p33, 0x1p34, 1e12])
    func aTimeThatIsWrittenIsReadAsTheSame(largest: Double) throws {
        var numbers = SeededNumbers(seed: UInt64(largest))
        for _ in 0..<2000 {
            let sent = Double.random(in: largest / 2...largest, using: &numbers)
            let time = try #require(try time("\(sent)"))
            #expect(abs(time.milliseconds - sent) <= 1e-6)
            #expect(try self.time(text(time)) == time, "\(sent)")
            #expect(time.roundedToNanoseconds == time)
        }
    }

    @Test(arguments: [
        ("0", 0.0), ("12.5", 12.5), ("0.0000004", 0), ("0.0000006", 0.000001), ("1.9999999", 2), ("1e12", 1e12),
        ("899.1234564999", 899.123456),
    ])
    func aTimeHasSixDecimals(text: String, milliseconds: Double) throws {
        #expect(try time(text) == Instant(milliseconds))
    }

    @Test func whatIsNoTimeStaysNone() {
        #expect(Instant(.nan).roundedToNanoseconds.milliseconds.isNaN)
        #expect(Instant(.infinity).roundedToNanoseconds == Instant(.infinity))
    }
}
