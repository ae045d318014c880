import DeckEngine
import DeckWire
import Testing

@Suite struct CardTests {
    private func card(_ members: String) throws(WireError) -> Card {
        try deck(#"{"cards":[{"id":"first"},{\#(members)}]}"#).deck.cards[1]
    }

    private static func a(_ change: (inout Card) -> Void) -> Card {
        var card = Card(id: "a")
        change(&card)
        return card
    }

    private func place(_ members: String) -> Place? {
        deckRefusal(#"{"cards":[{"id":"first"},{\#(members)}]}"#)?.place
    }

    private func place(ofCard card: String) -> Place? {
        deckRefusal(#"{"cards":[\#(card)]}"#)?.place
    }

    @Test func aCardNeedsNothingButItsID() throws {
        let plain = try card(#""id":"a""#)
        #expect(plain == Card(id: "a"))
        #expect(written { writer in writer.object { $0.members(of: plain) } } == #"{"id":"a"}"#)
    }

    @Test(arguments: [
        (#""data":{"b":1}"#, Self.a { $0.data = #"{"b":1}"# }),
        (#""label":"L""#, Self.a { $0.label = "L" }),
        (#""label":"""#, Self.a { $0.label = "" }),
        (#""allowedDirections":[]"#, Self.a { $0.allowedDirections = [] }),
        (#""allowedDirections":["topLeft","down"]"#, Self.a { $0.allowedDirections = [.topLeft, .down] }),
        (#""deniedDirections":["up"]"#, Self.a { $0.deniedDirections = [.up] }),
        (#""dragDirections":["left"]"#, Self.a { $0.dragDirections = [.left] }),
        (#""draggable":false"#, Self.a { $0.draggable = false }),
        (#""draggable":true"#, Self.a { $0.draggable = true }),
        (#""undoable":false"#, Self.a { $0.undoable = false }),
    ])
    func aMemberIsReadAndWrittenBack(member: String, expected: Card) throws {
        let card = try card(#""id":"a",\#(member)"#)
        #expect(card == expected)
        #expect(written { writer in writer.object { $0.members(of: card) } } == #"{"id":"a",\#(member)}"#)
    }

    @Test func theTestsHaveEveryMemberOfACard() {
        let names = Mirror(reflecting: Card(id: "a")).children.compactMap(\.label)
        #expect(
            names == [
                "id", "data", "label", "allowedDirections", "deniedDirections", "dragDirections", "draggable",
                "undoable",
            ],
            "A member that is added needs a line above, and the round trip of a whole deck."
        )
    }

    @Test(arguments: [
        (#""data":1"#, Place.malformed("/cards/1/id")),
        (#""id":1"#, .malformed("/cards/1/id")), (#""id":null"#, .malformed("/cards/1/id")),
        (#""id":"""#, .outOfRange("/cards/1/id")), (#""id":"a b""#, .outOfRange("/cards/1/id")),
        (#""id":"é""#, .outOfRange("/cards/1/id")), (#""id":"a/b""#, .outOfRange("/cards/1/id")),
        (#""id":"first""#, .outOfRange("/cards/1/id")),
        (#""id":"\u0066irst""#, .outOfRange("/cards/1/id")),
        (#""id":"a","id":"a""#, .malformed("/cards/1/id")),
        (#""id":"a","ID":"b""#, .malformed("/cards/1/ID")),
        (#""id":"a","data":1,"data":1"#, .malformed("/cards/1/data")),
        (#""id":"a","label":1"#, .malformed("/cards/1/label")),
        (#""id":"a","label":null"#, .malformed("/cards/1/label")),
        (#""id":"a","draggable":1"#, .malformed("/cards/1/draggable")),
        (#""id":"a","undoable":null"#, .malformed("/cards/1/undoable")),
        (#""id":"a","allowedDirections":"left""#, .malformed("/cards/1/allowedDirections")),
        (#""id":"a","allowedDirections":["left","north"]"#, .outOfRange("/cards/1/allowedDirections/1")),
        (#""id":"a","deniedDirections":["up","up"]"#, .outOfRange("/cards/1/deniedDirections/1")),
        (#""id":"a","a~b/c":1"#, .malformed("/cards/1/a~0b~1c")),
    ])
    func aCardThatIsNoneIsRefusedWithItsPlace(members: String, place: Place) {
        #expect(self.place(members) == place)
    }

    @Test(arguments: ["1", "null", #""a""#, "[]", "true"])
    func aCardIsAnObject(card: String) {
        #expect(place(ofCard: card) == .malformed("/cards/0"))
    }

    @Test func anIDOf64BytesIsReadAnd65AreRefused() throws {
        let long = String(repeating: "x", count: 64)
        #expect(try card(#""id":"\#(long)""#).id.text == long)
        #expect(place(#""id":"\#(long)x""#) == .outOfRange("/cards/1/id"))
    }

    @Test func aLabelOf1024BytesIsReadAndOneMoreIsRefused() throws {
        // Bytes count, not characters: é has two.
        let long = String(repeating: "é", count: 512)
        #expect(try card(#""id":"a","label":"\#(long)""#).label == long)
        #expect(place(#""id":"a","label":"\#(long)x""#) == .outOfRange("/cards/1/label"))
    }

    @Test(arguments: [
        #"{"a":[1,2]}"#, #""\u00e9\/ \ud83d\ude00""#, "1.50e+2", "123456789012345678901234567890", "-0",
        "0.10", "null", "true", "[]", #""é😀""#, #"{"a":1,"a":2}"#, "\"\u{7f}\"", #"{"":{"~":"/"}}"#,
    ])
    func dataIsKeptByteForByte(data: String) throws {
        // Written between other members with space around it, which is not part of it.
        let card = try card(#""id":"a", "data" : \#(data) , "label":"l""#)
        #expect(card.data.map { Array($0.utf8) } == Array(data.utf8))
        let document = try deck(#"{"cards":[{"id":"a","data":\#(data)}]}"#)
        #expect(text(of: document).contains(#""data":\#(data)}"#))
        #expect(try deck(text(of: document)) == document)
    }

    @Test(arguments: [
        (#"{ "a" :\#t[ 1 ,\#r\#n  2 ]\#n}"#, #"{"a":[1,2]}"#), ("[\n]", "[]"), ("{ \r }", "{}"),
        (#"[ " a\t b " , "\" , \\" , "\\" , "]" ]"#, #"[" a\t b ","\" , \\","\\","]"]"#),
        (#"{ "a b" : "{ : }" }"#, #"{"a b":"{ : }"}"#), (#"" ""#, #"" ""#), ("[ true , null , -0 ]", "[true,null,-0]"),
        (#"[ "é 😀" ]"#, #"["é 😀"]"#),
    ])
    func dataLosesTheWhitespaceOutsideStringsAndNothingElse(data: String, kept: String) throws {
        #expect(try card(#""id":"a","data":\#(data)"#).data == kept)
    }

    @Test func dataOf16KibibytesIsReadAndOneByteMoreIsRefused() throws {
        let longest = "\"\(String(repeating: "x", count: (16 << 10) - 2))\""
        #expect(try card(#""id":"a","data":   \#(longest)   "#).data == longest)
        let longer = "[ \(String(repeating: " ", count: (16 << 10) - 3))]"
        #expect(longer.utf8.count == (16 << 10))
        // What counts is the text as it was sent.
        #expect(try card(#""id":"a","data":\#(longer)"#).data == "[]")
        #expect(place(#""id":"a","data":[ \#(longer.dropFirst())"#) == .outOfRange("/cards/1/data"))
    }

    @Test func dataCountsToTheNestingOfItsDocument() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        // The deck, the list of cards and the card are three levels.
        #expect(try card(#""id":"a","data":\#(nested(29))"#).data == nested(29))
        #expect(place(#""id":"a","data":\#(nested(30))"#) == .malformed(""))
    }
}
