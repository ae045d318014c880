import DeckEngine

/// One setting of a deck as `product.md` has it: what it is by default, another value, and the values at and beyond
/// the ends of its range.
struct SettingCase: Sendable, CustomStringConvertible {
    var section: String
    var name: String
    var standard: String
    var other: String
    var allowed: [String] = []
    var outOfRange: [String] = []
    var malformed: [String]

    var description: String { "\(section).\(name)" }
    var path: [String] { section.isEmpty ? [name] : [section, name] }
    var pointer: String { "/" + path.joined(separator: "/") }

    /// A deck without cards that says only this.
    func deck(_ value: String, type: String? = nil) -> String {
        guard !section.isEmpty else { return #"{"count":0,"\#(name)":\#(value)}"# }
        let kind = type.map { #""type":"\#($0)","# } ?? ""
        return #"{"count":0,"\#(section)":{\#(kind)"\#(name)":\#(value)}}"#
    }
}

extension SettingCase {
    private static func number(
        _ section: String,
        _ name: String,
        _ standard: String,
        other: String,
        _ low: (at: String, below: String),
        _ high: (at: String, above: String),
        nullable: Bool = false
    ) -> SettingCase {
        SettingCase(
            section: section,
            name: name,
            standard: standard,
            other: other,
            allowed: [low.at, high.at] + (nullable ? ["null"] : []),
            outOfRange: [low.below, high.above],
            malformed: [#""1""#, "true", "[]", "{}"] + (nullable ? [] : ["null"])
        )
    }

    private static func whole(
        _ section: String,
        _ name: String,
        _ standard: String,
        other: String,
        _ low: (at: String, below: String),
        _ high: (at: String, above: String)
    ) -> SettingCase {
        var result = number(section, name, standard, other: other, low, high)
        result.malformed.append("1.5")
        return result
    }

    private static func fraction(_ section: String, _ name: String, _ standard: String, other: String) -> SettingCase {
        number(section, name, standard, other: other, ("0", "-1e-9"), ("1", "1.0000001"))
    }

    private static func duration(_ name: String, _ standard: String, other: String) -> SettingCase {
        number("motion", name, standard, other: other, ("0", "-0.001"), ("60000", "60000.001"))
    }

    private static func flag(_ section: String, _ name: String, _ standard: Bool) -> SettingCase {
        SettingCase(
            section: section,
            name: name,
            standard: "\(standard)",
            other: "\(!standard)",
            malformed: ["0", "null", #""true""#, "[]"]
        )
    }

    private static func choice(
        _ section: String,
        _ name: String,
        _ standard: String,
        other: String,
        more: [String] = []
    ) -> SettingCase {
        SettingCase(
            section: section,
            name: name,
            standard: #""\#(standard)""#,
            other: #""\#(other)""#,
            allowed: more.map { #""\#($0)""# },
            outOfRange: [#""sideways""#, #""""#, #""\#(standard.uppercased())""#],
            malformed: ["1", "null", "true", "[]"]
        )
    }

    private static func directions(
        _ name: String,
        _ standard: String,
        other: String,
        nullable: Bool = false
    ) -> SettingCase {
        let every = #"["left","right","up","down","topLeft","topRight","bottomLeft","bottomRight"]"#
        return SettingCase(
            section: "rules",
            name: name,
            standard: standard,
            other: other,
            allowed: ["[]", every] + (nullable ? ["null"] : []),
            malformed: [#""left""#, "{}"] + (nullable ? [] : ["null"])
        )
    }

    private static func spring(_ name: String, _ standard: String, other: String, nullable: Bool) -> SettingCase {
        SettingCase(
            section: "motion",
            name: name,
            standard: standard,
            other: other,
            allowed: [#"{"bounciness":0,"speed":0}"#, #"{"bounciness":20,"speed":20}"#] + (nullable ? ["null"] : []),
            malformed: ["10", "true", "[]"] + (nullable ? [] : ["null"])
        )
    }

    static let top = [flag("", "loop", false)]

    static let rules = [
        directions("allowedDirections", #"["left","right"]"#, other: #"["up","bottomRight"]"#),
        directions("deniedDirections", "[]", other: #"["topLeft"]"#),
        directions("dragDirections", "null", other: #"["up","left"]"#, nullable: true),
        choice("rules", "dragAxis", "free", other: "dominant", more: ["horizontal", "vertical"]),
        flag("rules", "draggable", true),
        SettingCase(
            section: "rules",
            name: "swipeThresholds",
            standard: "{}",
            other: #"{"left":0.25,"bottomRight":1}"#,
            allowed: [#"{"up":0}"#, #"{"up":100}"#],
            malformed: ["0.5", "null", "[]", "true"]
        ),
        flag("rules", "pullBackCancels", true),
        number("rules", "swipeThreshold", "0.5", other: "0.123456789", ("0", "-0.000001"), ("100", "100.1")),
        number(
            "rules",
            "velocityThreshold",
            "750",
            other: "333.25",
            ("0", "-1"),
            ("1000000", "1000000.5"),
            nullable: true
        ),
        choice("rules", "whileAnimating", "proceed", other: "queue", more: ["ignore"]),
        whole("rules", "refillAt", "3", other: "7", ("0", "-1"), ("10000000", "10000001")),
        SettingCase(
            section: "rules",
            name: "sectors",
            standard: "[]",
            other: #"[{"direction":"up","from":-2.2,"to":-0.9},{"direction":"right","from":-0.9,"to":0.1}]"#,
            allowed: [sectors(count: 16), #"[{"direction":"left","from":-3.141592653589793,"to":3.141592653589793}]"#],
            outOfRange: [sectors(count: 17)],
            malformed: ["1", "null", "{}", #""up""#]
        ),
        directions("confirm", "[]", other: #"["right"]"#),
        number("rules", "confirmTimeout", "10000", other: "1500.5", ("0", "-1"), ("3600000", "3600001")),
        directions("undoDirections", "[]", other: #"["down"]"#),
        SettingCase(
            section: "rules",
            name: "playerEvents",
            standard: everyPlayerEvent,
            other: #"["drag","tick"]"#,
            allowed: ["[]", everyPlayerEvent],
            malformed: ["1", "null", "{}", #""drag""#]
        ),
        whole("rules", "lookahead", "3", other: "0", ("0", "-1"), ("100", "101")),
    ]

    private static let everyPlayerEvent =
        #"["drag","scroll","swipe","revert","redo","tap","press","flip","nudge","resize","tick"]"#

    private static func sectors(count: Int) -> String {
        let sector = #"{"direction":"down","from":0.1,"to":1.5}"#
        return "[\(Array(repeating: sector, count: count).joined(separator: ","))]"
    }

    static let motion = [
        choice("motion", "tracking", "finger", other: "koloda"),
        number("motion", "rotationMax", "1", other: "0.3", ("0", "-0.1"), ("100", "100.5")),
        number("motion", "rotationAngle", "\(Double.pi / 10)", other: "1e-7", ("-100", "-100.1"), ("100", "100.1")),
        number("motion", "scaleMin", "0.8", other: "1.2", ("0", "-1e-9"), ("4", "4.0000001")),
        duration("dragSpeed", "800", other: "401"),
        duration("backgroundDuration", "200", other: "202"),
        flag("motion", "appear", true),
        duration("appearDuration", "800", other: "803"),
        duration("revertDuration", "300", other: "304"),
        duration("revertFadeDuration", "1000", other: "1005"),
        spring(
            "resetSpring",
            #"{"bounciness":10,"speed":20}"#,
            other: #"{"bounciness":4,"speed":12}"#,
            nullable: true
        ),
        duration("resetDuration", "200", other: "206"),
        choice("motion", "resetEasing", "ease", other: "easeInOut", more: ["linear", "easeIn", "easeOut"]),
        spring("backgroundSpring", "null", other: #"{"bounciness":1,"speed":2}"#, nullable: true),
        flag("motion", "moveBackground", true),
        flag("motion", "exitFollowsFling", true),
        flag("motion", "exitFollowsFinger", false),
        duration("flipDuration", "400", other: "407"),
        spring("snapSpring", #"{"bounciness":4,"speed":12}"#, other: #"{"bounciness":5,"speed":6}"#, nullable: false),
        flag("motion", "reduced", false),
    ]

    static let appearance = [
        fraction("appearance", "opaque", "1", other: "0.95"),
        fraction("appearance", "semiTransparent", "0.7", other: "0.6"),
        fraction("appearance", "transparent", "0", other: "0.05"),
        flag("appearance", "fadeNext", true),
    ]

    static let overlay = [
        fraction("overlay", "start", "0", other: "0.2"),
        fraction("overlay", "end", "1", other: "0.7"),
        choice("overlay", "curve", "linear", other: "easeInOut", more: ["ease", "easeIn", "easeOut"]),
    ]

    static let overlayDirections = SettingCase(
        section: "overlay",
        name: "directions",
        standard: "{}",
        other: #"{"up":{"start":0.25,"end":0.5,"curve":"ease"}}"#,
        malformed: ["1", "null", "[]"]
    )

    static let stack = [
        whole("layout", "visibleCount", "3", other: "5", ("1", "0"), ("32", "33")),
        number("layout", "topMargin", "4", other: "-6.5", ("-1000", "-1000.1"), ("1000", "1000.1")),
        number("layout", "scale", "0.95", other: "0.75", ("0.01", "0.0099"), ("2", "2.01")),
        choice(
            "layout",
            "from",
            "bottom",
            other: "top",
            more: ["none", "left", "right", "topLeft", "topRight", "bottomLeft", "bottomRight"]
        ),
    ]

    static let stretched = [
        whole("layout", "visibleCount", "2", other: "1", ("1", "0"), ("2", "3")),
        number("layout", "topOffset", "20", other: "21", ("-10000", "-10001"), ("10000", "10001")),
        number("layout", "horizontalOffset", "10", other: "11", ("0", "-1"), ("10000", "10001")),
        number("layout", "heightRatio", "1.25", other: "1.5", ("0.01", "0.0099"), ("100", "100.1")),
        number("layout", "backgroundScale", "1.5", other: "1.75", ("0.01", "0.0099"), ("100", "100.1")),
        number("layout", "backgroundMargin", "0.25", other: "0.5", ("-100", "-100.1"), ("100", "100.1")),
    ]

    static let flip = [
        number("layout", "cardWidth", "300", other: "301", ("1", "0.9"), ("100000", "100001")),
        number("layout", "cardHeight", "200", other: "201", ("1", "0.9"), ("100000", "100001")),
        number("layout", "spacing", "30", other: "31", ("1", "0.9"), ("100000", "100001")),
        number("layout", "scaleStep", "0.1", other: "0.25", ("0.03125", "0.03"), ("1", "1.1")),
        number("layout", "perspective", "2000", other: "900.5", ("1", "0.9"), ("100000", "100001")),
    ]

    /// Every setting of a deck with the stack layout.
    static let all = top + rules + motion + appearance + overlay + [overlayDirections] + stack
}
