import Testing

@testable import DeckEngine

/// Ids are texts, even those that are stored as numbers.
struct CardIDTests {
    static let texts = [
        "0", "7", "10", "999999999", "1000000000", "4294967296", "9223372036854775807", "99999999999999999999",
        "", "07", "00", "+7", "-7", "-0", " 7", "7 ", "7.0", "7e1", "0x7", "٧", "７", "a", "card-7", "7a",
    ]

    @Test(arguments: texts)
    func anIDHasTheTextThatItWasMadeFrom(text: String) throws {
        #expect(CardID(text).text == text)
        var writer = SnapshotWriter()
        writer.write(CardID(text))
        var expected = SnapshotWriter()
        expected.write(text)
        #expect(writer.bytes == expected.bytes)
        var reader = SnapshotReader(writer.bytes[...], format: .first)
        #expect(try reader.read(CardID.self) == CardID(text))
    }

    @Test func idsAreEqualIfTheirTextsAre() {
        for (first, second) in Self.texts.flatMap({ first in Self.texts.map { (first, $0) } }) {
            #expect((CardID(first) == CardID(second)) == (first == second), "\(first), \(second)")
        }
        #expect(Set(Self.texts.map { CardID($0) }).count == Self.texts.count)
    }

    @Test(arguments: [0, 7, 10, 999_999_999, 1_000_000_000, .max, -1, .min])
    func theIDOfANumberIsItsText(number: Int) {
        #expect(CardID(number) == CardID(String(number)))
        #expect(CardID(number).text == String(number))
        #expect(CardID(number).number == (0..<EngineLimits.countedIDs ~= number ? number : nil))
    }
}
