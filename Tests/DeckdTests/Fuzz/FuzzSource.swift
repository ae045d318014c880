import RandomTesting

/// Random decks, settings and events, as JSON. The same seed gives the same ones.
struct FuzzSource {
    var numbers: SeededNumbers

    private static let directions = [
        "left", "right", "up", "down", "topLeft", "topRight", "bottomLeft", "bottomRight",
    ]
    private static let curves = ["linear", "ease", "easeIn", "easeOut", "easeInOut"]

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
    }

    mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

    mutating func chance(_ probability: Double) -> Bool { numbers.chance(probability) }

    /// A number with one decimal.
    private mutating func tenths(_ range: ClosedRange<Int>) -> String {
        let tenths = whole(range)
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    private mutating func flag() -> String { chance(0.5) ? "true" : "false" }

    private mutating func direction() -> String { "\"\(numbers.pick(Self.directions))\"" }

    private mutating func directions() -> String {
        let chosen = (0..<whole(0...4)).map { _ in direction() }
        return "[\(Set(chosen).sorted().joined(separator: ","))]"
    }

    private mutating func spring() -> String {
        #"{"bounciness":\#(whole(0...20)),"speed":\#(whole(0...20))}"#
    }

    private mutating func vector(_ most: Int) -> String {
        #"{"x":\#(tenths(-10 * most...10 * most)),"y":\#(tenths(-10 * most...10 * most))}"#
    }

    // MARK: Decks

    /// A deck of any preset and layout, with random settings.
    mutating func deck() -> String {
        let preset = numbers.pick(["standard", "koloda", "koloda-background", "flip-carousel"])
        var members = [
            #""preset":"\#(preset)""#, chance(0.2) ? #""count":\#(whole(0...3000))"# : #""cards":\#(cards(0...40))"#,
        ]
        if chance(0.5) { members.append(#""loop":\#(flag())"#) }
        if chance(0.6) { members.append(#""layout":\#(layout())"#) }
        return "{\((members + settings()).joined(separator: ","))}"
    }

    private mutating func layout() -> String {
        let sides = ["none", "top", "bottom", "left", "right", "topLeft", "topRight", "bottomLeft", "bottomRight"]
        switch whole(0...2) {
        case 0:
            return #"{"type":"stack","visibleCount":\#(whole(1...8)),"topMargin":\#(tenths(-90...90)),"#
                + #""scale":\#(tenths(5...12)),"from":"\#(numbers.pick(sides))"}"#
        case 1:
            return #"{"type":"stretched","topOffset":\#(whole(-30...60)),"horizontalOffset":\#(whole(0...40)),"#
                + #""heightRatio":\#(tenths(5...20)),"backgroundScale":\#(tenths(5...20)),"visibleCount":\#(whole(1...2))}"#
        default:
            return #"{"type":"flip","cardWidth":\#(whole(50...280)),"cardHeight":\#(whole(50...300)),"#
                + #""spacing":\#(whole(5...60)),"scaleStep":\#(tenths(1...3)),"perspective":\#(whole(500...3000))}"#
        }
    }

    /// Some members with settings, as a deck and a patch have them.
    private mutating func settings() -> [String] {
        var members: [String] = []
        if chance(0.7) { members.append(#""rules":{\#(rules())}"#) }
        if chance(0.5) { members.append(#""motion":{\#(motion())}"#) }
        if chance(0.2) { members.append(#""appearance":{"semiTransparent":\#(tenths(0...10)),"fadeNext":\#(flag())}"#) }
        if chance(0.2) {
            members.append(#""overlay":{"start":0.\#(whole(0...5)),"curve":"\#(numbers.pick(Self.curves))"}"#)
        }
        return members
    }

    private mutating func rules() -> String {
        let all = [
            #""allowedDirections":\#(directions())"#, #""deniedDirections":\#(directions())"#,
            #""dragAxis":"\#(numbers.pick(["free", "horizontal", "vertical", "dominant"]))""#,
            #""swipeThreshold":\#(tenths(1...15))"#,
            #""velocityThreshold":\#(chance(0.3) ? "null" : "\(whole(1...2000))")"#,
            #""whileAnimating":"\#(numbers.pick(["proceed", "queue", "ignore"]))""#, #""refillAt":\#(whole(0...9))"#,
            #""confirm":\#(directions())"#, #""confirmTimeout":\#(whole(1...9000))"#,
            #""undoDirections":\#(directions())"#, #""lookahead":\#(whole(0...9))"#,
            #""pullBackCancels":\#(flag())"#, #""swipeThresholds":{"left":\#(tenths(1...15))}"#,
        ]
        return some(of: all)
    }

    private mutating func motion() -> String {
        let all = [
            #""tracking":"\#(numbers.pick(["finger", "koloda"]))""#, #""dragSpeed":\#(whole(0...1500))"#,
            #""exitFollowsFling":\#(flag())"#, #""exitFollowsFinger":\#(flag())"#,
            #""flipDuration":\#(whole(0...900))"#,
            #""backgroundSpring":\#(chance(0.3) ? "null" : spring())"#, #""backgroundDuration":\#(whole(0...900))"#,
            #""resetSpring":\#(chance(0.5) ? "null" : spring())"#, #""resetEasing":"\#(numbers.pick(Self.curves))""#,
            #""revertDuration":\#(whole(0...900))"#, #""appear":\#(flag())"#, #""appearDuration":\#(whole(0...900))"#,
            #""snapSpring":\#(spring())"#, #""reduced":\#(flag())"#, #""scaleMin":\#(tenths(5...15))"#,
            #""rotationMax":\#(tenths(0...30))"#, #""moveBackground":\#(flag())"#,
        ]
        return some(of: all)
    }

    private mutating func some(of members: [String]) -> String {
        members.filter { _ in chance(0.25) }.joined(separator: ",")
    }

    private mutating func cards(_ count: ClosedRange<Int>) -> String {
        let cards = (0..<whole(count)).map { number in
            var members = [#""id":"c\#(whole(0...9_999_999))-\#(number)""#]
            if chance(0.3) { members.append(#""data":{"n":\#(whole(0...99))}"#) }
            if chance(0.1) { members.append(#""allowedDirections":\#(directions())"#) }
            if chance(0.1) { members.append(#""draggable":\#(flag())"#) }
            if chance(0.1) { members.append(#""undoable":\#(flag())"#) }
            return "{\(members.joined(separator: ","))}"
        }
        return "[\(cards.joined(separator: ","))]"
    }

    /// The body of a patch.
    mutating func patch() -> String {
        "{\(settings().joined(separator: ","))}"
    }

    // MARK: Events

    /// An event at a time; without one where the clock is the server's.
    mutating func event(at time: Int?) -> String {
        let body = chance(0.45) ? gesture() : chance(0.85) ? command() : change()
        return "{\(body)\(time.map { ",\"at\":\($0)" } ?? "")}"
    }

    private mutating func gesture() -> String {
        switch whole(0...11) {
        case 0: return #""type":"tap","count":\#(whole(1...3))"#
        case 1: return #""type":"press""#
        case 2: return #""type":"flip""#
        case 3: return #""type":"nudge","direction":\#(direction())"#
        case 4, 5:
            let phase = numbers.pick(["began", "changed", "ended", "cancelled"])
            let velocity = chance(0.5) ? #","velocity":\#(whole(-2000...2000))"# : ""
            return #""type":"scroll","phase":"\#(phase)","offset":\#(tenths(-9000...9000))\#(velocity)"#
        default: return drag()
        }
    }

    private mutating func drag() -> String {
        let phase = numbers.pick(["began", "changed", "changed", "changed", "ended", "ended", "cancelled"])
        let location = phase == "began" ? #","location":\#(vector(200))"# : ""
        let velocity = phase == "ended" && chance(0.4) ? #","velocity":\#(vector(1500))"# : ""
        return #""type":"drag","phase":"\#(phase)","translation":\#(vector(260))\#(location)\#(velocity)"#
    }

    private mutating func command() -> String {
        switch whole(0...19) {
        case 0: return #""type":"confirm""#
        case 1: return #""type":"deny""#
        case 2...5:
            let style = chance(0.5) ? #","direction":\#(chance(0.5) ? "\"origin\"" : direction())"# : ""
            return #""type":"revert"\#(style),"count":\#(whole(1...3))"#
        case 6, 7: return #""type":"redo","count":\#(whole(1...2))"#
        case 8: return #""type":"move","to":\#(whole(0...45))"#
        case 9: return #""type":"sendToBack""#
        case 10: return #""type":"putBack""#
        default:
            let force = chance(0.3) ? #","force":\#(flag())"# : ""
            let duration =
                chance(0.2) ? #","duration":\#(whole(0...2000)),"easing":"\#(numbers.pick(Self.curves))""# : ""
            let id = chance(0.05) ? #","id":"c\#(whole(0...9))""# : ""
            return #""type":"swipe","direction":\#(direction())\#(force)\#(duration)\#(id)"#
        }
    }

    private mutating func change() -> String {
        let from = whole(0...40)
        switch whole(0...9) {
        case 0: return #""type":"reload""#
        case 1: return #""type":"reset""#
        case 2, 3: return #""type":"insert","index":\#(whole(0...30)),"cards":\#(cards(1...4))"#
        case 4: return #""type":"remove","from":\#(from),"to":\#(from + whole(1...4))"#
        case 5: return #""type":"refresh","from":\#(from),"to":\#(from + whole(1...9))"#
        case 6: return #""type":"shuffle","seed":\#(whole(0...999))"#
        case 7: return #""type":"appear""#
        case 8: return #""type":"resize","viewport":{"width":\#(whole(200...500)),"height":\#(whole(200...700))}"#
        default: return #""type":"tick""#
        }
    }
}
