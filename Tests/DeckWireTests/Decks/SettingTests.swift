import DeckEngine
import DeckWire
import JSONTesting
import Testing

@Suite struct SettingTests {
    /// The table above names every property that the engine's types have, so one that is added there fails here.
    @Test func theTableHasEverySettingOfTheEngine() {
        func names(_ value: Any) -> [String] {
            Mirror(reflecting: value).children.compactMap(\.label).sorted()
        }
        func names(_ cases: [SettingCase]) -> [String] {
            cases.map(\.name).sorted()
        }
        let settings = DeckSettings()
        let sections = ["appearance", "layout", "loop", "motion", "overlay", "rules"]
        #expect(names(settings) == sections)
        #expect(names(settings.rules) == names(SettingCase.rules))
        #expect(names(settings.motion) == names(SettingCase.motion))
        #expect(names(settings.appearance) == names(SettingCase.appearance))
        #expect(names(settings.overlay) == ["directions", "range"])
        #expect(names(settings.overlay.range) == names(SettingCase.overlay))
        #expect(names(FlipLayout()) == names(SettingCase.flip))
        #expect(names(StackLayout()) == names(SettingCase.stack))
        #expect(names(StretchedLayout()) == names(SettingCase.stretched))
    }

    @Test func aDeckThatSaysNothingHasTheDefaults() throws {
        let got = try JSON(parsing: text(of: deck(#"{"count":0}"#)))
        var expected = ["preset": JSON.string("standard"), "count": .number(0)]
        for (name, cases) in [
            ("rules", SettingCase.rules), ("motion", SettingCase.motion), ("appearance", SettingCase.appearance),
            ("overlay", SettingCase.overlay + [SettingCase.overlayDirections]), ("layout", SettingCase.stack),
        ] {
            var section: [String: JSON] = name == "layout" ? ["type": .string("stack")] : [:]
            for setting in cases { section[setting.name] = try JSON(parsing: setting.standard) }
            expected[name] = .object(section)
        }
        expected["loop"] = .bool(false)
        #expect(got == .object(expected))
    }

    @Test(arguments: SettingCase.all)
    func aSettingIsReadAndWrittenAndChangesNothingElse(setting: SettingCase) throws {
        let standard = try JSON(parsing: text(of: deck(#"{"count":0}"#)))
        for value in [setting.other, setting.standard] + setting.allowed {
            let document = try deck(setting.deck(value))
            let expected = standard.replacing(setting.path, with: try JSON(parsing: value))
            #expect(try JSON(parsing: text(of: document)) == expected, "\(setting) = \(value)")
            #expect(try deck(text(of: document)) == document)
        }
        #expect(try deck(setting.deck(setting.other)) != deck(setting.deck(setting.standard)))
    }

    @Test(arguments: [("stretched", SettingCase.stretched), ("flip", SettingCase.flip)])
    func aSettingOfAnotherLayoutIsReadAndWritten(type: String, settings: [SettingCase]) throws {
        let base = try JSON(parsing: text(of: deck(#"{"count":0,"layout":{"type":"\#(type)"}}"#)))
        for setting in settings {
            for value in [setting.other, setting.standard] + setting.allowed {
                let document = try deck(setting.deck(value, type: type))
                #expect(
                    try JSON(parsing: text(of: document))
                        == base.replacing(setting.path, with: try JSON(parsing: value))
                )
                #expect(try deck(text(of: document)) == document)
            }
            for value in setting.outOfRange {
                #expect(deckRefusal(setting.deck(value, type: type))?.place == .outOfRange(setting.pointer))
            }
            for value in setting.malformed {
                #expect(deckRefusal(setting.deck(value, type: type))?.place == .malformed(setting.pointer))
            }
        }
    }

    @Test(arguments: [
        ("swipeThresholds", #"{"north":1}"#, Place.malformed("/rules/swipeThresholds/north")),
        ("swipeThresholds", #"{"up":-1}"#, .outOfRange("/rules/swipeThresholds/up")),
        ("swipeThresholds", #"{"up":"1"}"#, .malformed("/rules/swipeThresholds/up")),
    ])
    func aThresholdOfADirectionIsReadAsOneOfAll(name: String, value: String, place: Place) {
        #expect(deckRefusal(#"{"count":0,"rules":{"\#(name)":\#(value)}}"#)?.place == place)
    }

    @Test func anOverlayOfADirectionBeginsFromThatOfAll() throws {
        let overlay = #"{"start":0.5,"curve":"ease","directions":{"up":{"end":0.75}}}"#
        let settings = try deck(#"{"count":0,"overlay":\#(overlay)}"#).deck.settings.overlay
        #expect(settings.directions[.up]?.start == 0.5)
        #expect(settings.directions[.up]?.end == 0.75)
        #expect(settings.directions[.up]?.curve == .ease)
        #expect(settings.directions[.down] == nil)
        let wrong = #"{"count":0,"overlay":{"directions":{"up":{"stop":1}}}}"#
        #expect(deckRefusal(wrong)?.place == .malformed("/overlay/directions/up/stop"))
    }

    @Test(arguments: SettingCase.all)
    func aSettingBeyondItsRangeIsRefusedWithItsPlace(setting: SettingCase) {
        for value in setting.outOfRange {
            #expect(deckRefusal(setting.deck(value))?.place == .outOfRange(setting.pointer), "\(setting) = \(value)")
        }
        for value in setting.malformed {
            #expect(deckRefusal(setting.deck(value))?.place == .malformed(setting.pointer), "\(setting) = \(value)")
        }
    }

    @Test(arguments: ["layout", "rules", "motion", "appearance", "overlay"])
    func aSectionIsAnObjectOfKnownMembersEachOnce(section: String) {
        for value in ["null", "1", "[]", #""stack""#] {
            #expect(deckRefusal(#"{"count":0,"\#(section)":\#(value)}"#)?.place == .malformed("/\(section)"))
        }
        let unknown = deckRefusal(#"{"count":0,"\#(section)":{"speling":1}}"#)
        #expect(unknown?.place == .malformed("/\(section)/speling"))
        for setting in SettingCase.all where setting.section == section {
            let pair = #""\#(setting.name)":\#(setting.standard)"#
            let twice = deckRefusal(#"{"count":0,"\#(section)":{\#(pair),\#(pair)}}"#)
            #expect(twice?.place == .malformed(setting.pointer))
        }
    }

    @Test(arguments: [
        (#""rules":{"allowedDirections":["left","sideways"]}"#, Place.outOfRange("/rules/allowedDirections/1")),
        (#""rules":{"allowedDirections":["left","left"]}"#, .outOfRange("/rules/allowedDirections/1")),
        (#""rules":{"deniedDirections":["up",1]}"#, .malformed("/rules/deniedDirections/1")),
        (
            #""rules":{"deniedDirections":["up","up","up","up","up","up","up","up","up"]}"#,
            .outOfRange("/rules/deniedDirections")
        ),
        (#""motion":{"resetSpring":{"bounciness":20.1}}"#, .outOfRange("/motion/resetSpring/bounciness")),
        (#""motion":{"resetSpring":{"speed":-0.1}}"#, .outOfRange("/motion/resetSpring/speed")),
        (#""motion":{"backgroundSpring":{"speed":"9"}}"#, .malformed("/motion/backgroundSpring/speed")),
        (#""motion":{"backgroundSpring":{"mass":1}}"#, .malformed("/motion/backgroundSpring/mass")),
        (#""rules":{"sectors":[{"from":0,"to":1}]}"#, .malformed("/rules/sectors/0/direction")),
        (#""rules":{"sectors":[{"direction":"up","to":1}]}"#, .malformed("/rules/sectors/0/from")),
        (#""rules":{"sectors":[{"direction":"up","from":1}]}"#, .malformed("/rules/sectors/0/to")),
        (#""rules":{"sectors":[{"direction":"up","from":0,"to":1,"by":1}]}"#, .malformed("/rules/sectors/0/by")),
        (#""rules":{"sectors":[{"direction":"north","from":0,"to":1}]}"#, .outOfRange("/rules/sectors/0/direction")),
        (
            #""rules":{"sectors":[{"direction":"up","from":0,"to":1},{"direction":"up","from":1,"to":1}]}"#,
            .outOfRange("/rules/sectors/1/to")
        ),
        (#""rules":{"sectors":[{"direction":"up","from":-6.3,"to":1}]}"#, .outOfRange("/rules/sectors/0/from")),
        (#""rules":{"sectors":[{"direction":"up","from":0,"to":6.3}]}"#, .outOfRange("/rules/sectors/0/to")),
        (#""rules":{"sectors":[{"direction":"up","from":-4,"to":4}]}"#, .outOfRange("/rules/sectors/0/to")),
        (#""layout":{"type":"pile"}"#, .outOfRange("/layout/type")),
        (#""layout":{"type":1}"#, .malformed("/layout/type")),
        (#""layout":{"type":"stack","type":"stack"}"#, .malformed("/layout/type")),
        (#""layout":{"type":"stack","heightRatio":1}"#, .malformed("/layout/heightRatio")),
        (#""layout":{"type":"stretched","scale":1}"#, .malformed("/layout/scale")),
    ])
    func whatIsWrongInsideASettingIsNamed(members: String, place: Place) {
        #expect(deckRefusal(#"{"count":0,\#(members)}"#)?.place == place)
    }

    @Test func halfASpringKeepsTheOtherHalfOfItsPreset() throws {
        let reset = try deck(#"{"count":0,"motion":{"resetSpring":{"speed":12}}}"#).deck.settings.motion
        #expect(reset.resetSpring == SpringSettings(bounciness: 10, speed: 12))
        // A preset without a spring has numbers to start from.
        let background = try deck(#"{"count":0,"motion":{"backgroundSpring":{"speed":5}}}"#).deck.settings.motion
        #expect(background.backgroundSpring == SpringSettings(bounciness: 9, speed: 5))
        let text = #"{"preset":"koloda-background","count":0,"motion":{"backgroundSpring":{"bounciness":3}}}"#
        #expect(try deck(text).deck.settings.motion.backgroundSpring == SpringSettings(bounciness: 3, speed: 16))
    }

    @Test func aLayoutOfAnotherTypeStartsFromThatTypesDefaults() throws {
        let stretched = try deck(#"{"count":0,"layout":{"type":"stretched","topOffset":5}}"#).deck.settings.layout
        var expected = StretchedLayout()
        expected.topOffset = 5
        #expect(stretched == .stretched(expected))
        let text = #"{"preset":"koloda-background","count":0,"layout":{"type":"stack"}}"#
        #expect(try deck(text).deck.settings.layout == .stack(StackLayout()))
        let kept = #"{"preset":"koloda-background","count":0,"layout":{"horizontalOffset":30}}"#
        var offset = StretchedLayout()
        offset.horizontalOffset = 30
        #expect(try deck(kept).deck.settings.layout == .stretched(offset))
    }
}
