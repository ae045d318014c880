import DeckEngine
import DeckWire
import JSONTesting
import Testing

@Suite struct DeckDocumentTests {
    /// A deck in which nothing is as the preset has it.
    private func unlikeThePreset(layout: [SettingCase], type: String) -> String {
        func section(_ name: String, _ cases: [SettingCase], _ first: [String] = []) -> String {
            let members = first + cases.map { #""\#($0.name)":\#($0.other)"# }
            return #""\#(name)":{\#(members.joined(separator: ","))}"#
        }
        let card = #"""
            {"id":"a-Z_9","data":{"k":[1, 2.50]},"label":"One \"card\"","allowedDirections":["down","up"],
             "deniedDirections":["down"],"draggable":false,"undoable":false}
            """#
        let sections = [
            section("rules", SettingCase.rules), section("motion", SettingCase.motion),
            section("appearance", SettingCase.appearance),
            section("overlay", SettingCase.overlay + [SettingCase.overlayDirections]),
            section("layout", layout, [#""type":"\#(type)""#]),
        ]
        return #"{"preset":"koloda","cards":[\#(card)],"loop":true,\#(sections.joined(separator: ","))}"#
    }

    @Test func aDeckOfWhichEveryMemberIsSetIsWrittenAsItWasRead() throws {
        for (layout, type) in [
            (SettingCase.stack, "stack"), (SettingCase.stretched, "stretched"), (SettingCase.flip, "flip"),
        ] {
            let source = unlikeThePreset(layout: layout, type: type)
            let document = try deck(source)
            let got = text(of: document)
            #expect(try deck(got) == document)
            #expect(try text(of: deck(got)) == got)
            #expect(try JSON(parsing: got) == JSON(parsing: source))
        }
    }

    @Test(arguments: Preset.allCases)
    func puttingWhatWasGotChangesNothing(preset: Preset) throws {
        let document = try deck(#"{"preset":"\#(preset.name)","count":12}"#)
        #expect(
            document == DeckDocument(preset: preset, deck: Deck(cards: .numbered(12), settings: .init(preset: preset)))
        )
        #expect(try deck(text(of: document)) == document)
        #expect(try JSON(parsing: text(of: document))["preset"] == .string("\(preset.name)"))
    }

    @Test func aMemberOverridesThePresetOnly() throws {
        let document = try deck(#"{"preset":"koloda","count":1,"rules":{"refillAt":9}}"#)
        var expected = DeckSettings(preset: .koloda)
        expected.rules.refillAt = 9
        #expect(document.deck.settings == expected)
    }

    @Test(arguments: [
        (#"{}"#, Place.malformed("")), (#"[]"#, .malformed("")), ("null", .malformed("")), ("7", .malformed("")),
        (#"{"preset":"standard"}"#, .malformed("")),
        (#"{"cards":[],"count":0}"#, .malformed("/count")),
        (#"{"count":0,"count":0}"#, .malformed("/count")),
        (#"{"cards":[],"cards":[]}"#, .malformed("/cards")),
        (#"{"count":0,"id":"x"}"#, .malformed("/id")),
        (#"{"count":0,"preset":"flip"}"#, .outOfRange("/preset")),
        (#"{"count":0,"preset":null}"#, .malformed("/preset")),
        (#"{"count":0,"preset":"koloda","preset":"koloda"}"#, .malformed("/preset")),
        (#"{"count":-1}"#, .outOfRange("/count")),
        (#"{"count":10000001}"#, .outOfRange("/count")),
        (#"{"count":1e300}"#, .outOfRange("/count")),
        (#"{"count":1.5}"#, .malformed("/count")),
        (#"{"count":"1"}"#, .malformed("/count")),
        (#"{"count":null}"#, .malformed("/count")),
        (#"{"cards":{}}"#, .malformed("/cards")),
        (#"{"cards":null}"#, .malformed("/cards")),
        (#"{"cards":10}"#, .malformed("/cards")),
    ])
    func aDeckThatIsNoneIsRefusedWithItsPlace(text: String, place: Place) {
        #expect(deckRefusal(text)?.place == place)
    }

    @Test func aCountStandsForNumberedCards() throws {
        #expect(try deck(#"{"count":0}"#).deck.cards == .numbered(0))
        #expect(try deck(#"{"count":10000000}"#).deck.cards == .numbered(10_000_000))
        #expect(try deck(#"{"count":3.0}"#).deck.cards == .numbered(3))
    }

    @Test func tenThousandCardsAreReadAndOneMoreIsRefused() throws {
        func cards(_ count: Int) -> String {
            #"{"cards":[\#((0..<count).map { #"{"id":"c\#($0)"}"# }.joined(separator: ","))]}"#
        }
        let document = try deck(cards(10_000))
        #expect(document.deck.cards.count == 10_000)
        #expect(document.deck.cards[9_999].id == "c9999")
        #expect(deckRefusal(cards(10_001))?.place == .outOfRange("/cards"))
    }
}
