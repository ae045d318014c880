import DeckEngine
import RandomTesting
import Testing

@testable import DeckWire

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

    /// From 2^32 on the next double is almost a millionth away.
    @Test(arguments: [1.0, 1000, 0x1p31, 0x1p32, 0x1p33, 0x1p34, 1e12])
    func anEndIsRoundedUp(largest: Double) throws {
        var numbers = SeededNumbers(seed: UInt64(largest))
        for _ in 0..<20_000 {
            let end = Instant(Double.random(in: largest / 2...largest, using: &numbers))
            let rounded = end.roundedUpToNanoseconds
            #expect(rounded >= end && rounded.milliseconds - end.milliseconds < 2e-6, "\(end)")
            #expect(rounded.roundedToNanoseconds == rounded)
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
