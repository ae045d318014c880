import DeckEngine
import DeckWire

/// An event as a client writes it, and what it asks for.
struct EventCase: Sendable, CustomStringConvertible {
    var text: String
    var action: EventRequest.Action

    init(_ text: String, _ action: EventRequest.Action) {
        self.text = text
        self.action = action
    }

    init(_ text: String, _ event: Event) {
        self.init(text, .event(event))
    }

    var description: String { text }

    static let all: [EventCase] = drags + swipes + reverts + others

    private static let drags = [
        EventCase(#"{"type":"drag","phase":"began"}"#, .drag(DragEvent(.began))),
        EventCase(
            #"{"type":"drag","phase":"began","location":{"x":1,"y":2.5}}"#,
            .drag(DragEvent(.began, location: Vector(x: 1, y: 2.5)))
        ),
        EventCase(
            #"{"type":"drag","phase":"changed","translation":{"x":-3,"y":4e2}}"#,
            .drag(DragEvent(.changed, translation: Vector(x: -3, y: 400)))
        ),
        EventCase(
            #"""
            {"velocity":{"y":-1000000,"x":1000000},"location":{"x":5,"y":6},"translation":{"x":0,"y":0},
             "phase":"ended","type":"drag"}
            """#,
            .drag(
                DragEvent(
                    .ended,
                    translation: Vector(x: 0, y: 0),
                    location: Vector(x: 5, y: 6),
                    velocity: Vector(x: 1e6, y: -1e6)
                )
            )
        ),
        EventCase(#"{"type":"drag","phase":"ended"}"#, .drag(DragEvent(.ended))),
        EventCase(#"{"type":"drag","phase":"cancelled"}"#, .drag(DragEvent(.cancelled))),
    ]

    private static let names: [(String, Direction)] = [
        ("left", .left), ("right", .right), ("up", .up), ("down", .down), ("topLeft", .topLeft),
        ("topRight", .topRight), ("bottomLeft", .bottomLeft), ("bottomRight", .bottomRight),
    ]

    private static let swipes =
        names.map { EventCase(#"{"type":"swipe","direction":"\#($0)"}"#, .swipe($1, force: false)) } + [
            EventCase(#"{"type":"swipe","direction":"up","force":true}"#, .swipe(.up, force: true)),
            EventCase(#"{"type":"swipe","direction":"up","force":false}"#, .swipe(.up, force: false)),
        ]

    private static let reverts =
        names.map { EventCase(#"{"type":"revert","direction":"\#($0)"}"#, .revert(.from($1))) } + [
            EventCase(#"{"type":"revert"}"#, .revert(.fade)),
            EventCase(#"{"type":"revert","direction":"origin"}"#, .revert(.origin)),
        ]

    private static let others = [
        EventCase(#"{"type":"reload"}"#, .reload),
        EventCase(#"{"type":"reset"}"#, .reset),
        EventCase(#"{"type":"tap"}"#, .tap(index: nil)),
        EventCase(#"{"type":"tap","index":10000000}"#, .tap(index: 10_000_000)),
        EventCase(#"{"type":"tick"}"#, .tick),
    ]
}

/// An event that is none, and where it is wrong.
let eventRefusals: [(String, Place)] = [
    ("1", .malformed("")), ("null", .malformed("")), ("[]", .malformed("")), (#""tick""#, .malformed("")),
    ("{}", .malformed("/type")), (#"{"type":1}"#, .malformed("/type")), (#"{"type":null}"#, .malformed("/type")),
    (#"{"type":"fling"}"#, .outOfRange("/type")), (#"{"type":"Tick"}"#, .outOfRange("/type")),
    (#"{"type":"tick","type":"tick"}"#, .malformed("/type")),
    (#"{"type":"tick","direction":"up"}"#, .malformed("/direction")),
    (#"{"type":"reset","count":1}"#, .malformed("/count")), (#"{"type":"reload","deck":"d"}"#, .malformed("/deck")),
    (#"{"type":"tick","at":"1"}"#, .malformed("/at")), (#"{"type":"tick","at":null}"#, .malformed("/at")),
    (#"{"type":"tick","at":-0.001}"#, .outOfRange("/at")),
    (#"{"type":"tick","at":1000000000000.1}"#, .outOfRange("/at")),
    (#"{"type":"tick","at":1,"at":1}"#, .malformed("/at")),
    (#"{"type":"tick","at":1e999}"#, .malformed("")), (#"{"type":"tick","at":NaN}"#, .malformed("")),
    (#"{"type":"drag"}"#, .malformed("/phase")), (#"{"type":"drag","phase":1}"#, .malformed("/phase")),
    (#"{"type":"drag","phase":"moved"}"#, .outOfRange("/phase")),
    (#"{"type":"drag","phase":"changed"}"#, .malformed("/translation")),
    (#"{"type":"drag","phase":"began","translation":null}"#, .malformed("/translation")),
    (#"{"type":"drag","phase":"began","translation":[1,2]}"#, .malformed("/translation")),
    (#"{"type":"drag","phase":"began","translation":{"x":1}}"#, .malformed("/translation/y")),
    (#"{"type":"drag","phase":"began","translation":{"y":1}}"#, .malformed("/translation/x")),
    (#"{"type":"drag","phase":"began","translation":{"x":1,"y":1,"z":1}}"#, .malformed("/translation/z")),
    (#"{"type":"drag","phase":"began","translation":{"x":1000001,"y":1}}"#, .outOfRange("/translation/x")),
    (#"{"type":"drag","phase":"began","location":{"x":1,"y":-1000000.5}}"#, .outOfRange("/location/y")),
    (#"{"type":"drag","phase":"ended","velocity":{"x":true,"y":1}}"#, .malformed("/velocity/x")),
    (#"{"type":"drag","phase":"began","direction":"up"}"#, .malformed("/direction")),
    (#"{"type":"swipe"}"#, .malformed("/direction")), (#"{"type":"swipe","direction":3}"#, .malformed("/direction")),
    (#"{"type":"swipe","direction":"origin"}"#, .outOfRange("/direction")),
    (#"{"type":"swipe","direction":"topleft"}"#, .outOfRange("/direction")),
    (#"{"type":"swipe","direction":"up","force":1}"#, .malformed("/force")),
    (#"{"type":"revert","direction":null}"#, .malformed("/direction")),
    (#"{"type":"revert","direction":"back"}"#, .outOfRange("/direction")),
    (#"{"type":"tap","index":-1}"#, .outOfRange("/index")),
    (#"{"type":"tap","index":10000001}"#, .outOfRange("/index")),
    (#"{"type":"tap","index":0.5}"#, .malformed("/index")), (#"{"type":"tap","index":"0"}"#, .malformed("/index")),
]
