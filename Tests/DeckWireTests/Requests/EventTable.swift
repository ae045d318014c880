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

    static let all: [EventCase] = drags + swipes + reverts + others + commands + cards + views

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
            EventCase(
                #"{"type":"swipe","direction":"up","duration":60000,"easing":"easeInOut","toward":{"x":0,"y":-1}}"#,
                .swipe(
                    .up,
                    SwipeOptions(duration: 60_000, easing: .easeInOut, toward: Vector(x: 0, y: -1))
                )
            ),
            EventCase(
                #"{"type":"swipe","direction":"up","duration":0,"easing":"linear"}"#,
                .swipe(.up, SwipeOptions(duration: 0, easing: .linear))
            ),
        ]

    private static let reverts =
        names.map { EventCase(#"{"type":"revert","direction":"\#($0)"}"#, .revert(.from($1))) } + [
            EventCase(#"{"type":"revert"}"#, .revert(.fade)),
            EventCase(#"{"type":"revert","direction":"origin"}"#, .revert(.origin)),
            EventCase(#"{"type":"revert","count":1}"#, .revert(.fade, count: 1)),
            EventCase(#"{"type":"revert","direction":"up","count":1000}"#, .revert(.from(.up), count: 1000)),
        ]

    private static let commands = [
        EventCase(#"{"type":"redo"}"#, .command(.redo(count: 1))),
        EventCase(#"{"type":"redo","count":7}"#, .command(.redo(count: 7))),
        EventCase(#"{"type":"move","to":0}"#, .command(.move(to: 0))),
        EventCase(#"{"type":"confirm"}"#, .confirm),
        EventCase(#"{"type":"deny"}"#, .deny),
        EventCase(#"{"type":"sendToBack"}"#, .command(.sendToBack)),
        EventCase(#"{"type":"putBack"}"#, .command(.putBack)),
    ]

    private static let cards = [
        EventCase(#"{"type":"insert","index":2,"count":5}"#, .insert(.numbered(5), at: 2)),
        EventCase(#"{"type":"insert","index":0,"cards":[{"id":"a"}]}"#, .insert(.listed([Card(id: "a")]), at: 0)),
        EventCase(#"{"type":"remove","from":0,"to":1}"#, .remove(0..<1)),
        EventCase(#"{"type":"refresh","from":3,"to":10000000}"#, .refresh(3..<10_000_000)),
        EventCase(#"{"type":"shuffle","seed":9007199254740991}"#, .shuffle(seed: 9_007_199_254_740_991)),
    ]

    private static let views = [
        EventCase(#"{"type":"appear"}"#, .appear),
        EventCase(#"{"type":"nudge","direction":"topLeft"}"#, .nudge(.topLeft)),
        EventCase(
            #"{"type":"resize","viewport":{"width":1,"height":2}}"#,
            .resize(viewport: Size(width: 1, height: 2), screen: nil)
        ),
        EventCase(
            #"{"type":"resize","viewport":{"width":1,"height":2},"screen":{"width":3,"height":4}}"#,
            .resize(viewport: Size(width: 1, height: 2), screen: Size(width: 3, height: 4))
        ),
        EventCase(
            #"{"type":"resize","screen":{"width":3,"height":4}}"#,
            .resize(viewport: nil, screen: Size(width: 3, height: 4))
        ),
        EventCase(#"{"type":"scroll","phase":"ended"}"#, .scroll(ScrollEvent(.ended))),
        EventCase(
            #"{"type":"scroll","phase":"changed","offset":-30,"velocity":1e3}"#,
            .scroll(ScrollEvent(.changed, offset: -30, velocity: 1000))
        ),
    ]

    private static let others = [
        EventCase(#"{"type":"reload"}"#, .reload),
        EventCase(#"{"type":"reset"}"#, .reset),
        EventCase(#"{"type":"tap"}"#, .tap(index: nil)),
        EventCase(#"{"type":"tap","index":10000000}"#, .tap(index: 10_000_000)),
        EventCase(#"{"type":"tap","count":1}"#, .tap(index: nil, count: 1)),
        EventCase(#"{"type":"tap","count":3,"index":0}"#, .tap(index: 0, count: 3)),
        EventCase(#"{"type":"press"}"#, .press(index: nil)),
        EventCase(#"{"type":"press","index":2}"#, .press(index: 2)),
        EventCase(#"{"type":"flip"}"#, .flip),
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
    (#"{"type":"swipe","direction":"up","id":1}"#, .malformed("/id")),
    (#"{"type":"swipe","direction":"up","id":""}"#, .outOfRange("/id")),
    (#"{"type":"swipe","direction":"up","id":"a b"}"#, .outOfRange("/id")),
    (#"{"type":"revert","id":"a"}"#, .malformed("/id")), (#"{"type":"move","to":1,"id":"a"}"#, .malformed("/id")),
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
    (#"{"type":"revert","count":0}"#, .outOfRange("/count")),
    (#"{"type":"revert","count":1001}"#, .outOfRange("/count")),
    (#"{"type":"redo","count":1.5}"#, .malformed("/count")),
    (#"{"type":"redo","direction":"up"}"#, .malformed("/direction")),
    (#"{"type":"move"}"#, .malformed("/to")), (#"{"type":"move","to":-1}"#, .outOfRange("/to")),
    (#"{"type":"insert","count":1}"#, .malformed("/index")), (#"{"type":"insert","index":0}"#, .malformed("")),
    (#"{"type":"insert","index":0,"cards":[],"count":1}"#, .malformed("/count")),
    (#"{"type":"insert","index":0,"cards":[{"id":"a"},{"id":"a"}]}"#, .outOfRange("/cards/1/id")),
    (#"{"type":"remove","from":2,"to":2}"#, .outOfRange("/to")), (#"{"type":"remove","from":0}"#, .malformed("/to")),
    (#"{"type":"refresh","to":2}"#, .malformed("/from")), (#"{"type":"shuffle"}"#, .malformed("/seed")),
    (#"{"type":"shuffle","seed":9007199254740992}"#, .outOfRange("/seed")),
    (#"{"type":"shuffle","seed":-1}"#, .outOfRange("/seed")),
    (#"{"type":"nudge"}"#, .malformed("/direction")), (#"{"type":"resize"}"#, .malformed("")),
    (#"{"type":"resize","viewport":{"width":0,"height":1}}"#, .outOfRange("/viewport/width")),
    (#"{"type":"scroll","phase":"changed"}"#, .malformed("/offset")),
    (#"{"type":"scroll","phase":"ended","offset":{"x":1}}"#, .malformed("/offset")),
    (#"{"type":"tap","count":0}"#, .outOfRange("/count")), (#"{"type":"tap","count":4}"#, .outOfRange("/count")),
    (#"{"type":"press","count":1}"#, .malformed("/count")), (#"{"type":"press","index":-1}"#, .outOfRange("/index")),
    (#"{"type":"flip","direction":"up"}"#, .malformed("/direction")),
    (#"{"type":"confirm","direction":"up"}"#, .malformed("/direction")),
    (#"{"type":"deny","at":-1}"#, .outOfRange("/at")),
    (#"{"type":"swipe","direction":"up","duration":60001}"#, .outOfRange("/duration")),
    (#"{"type":"swipe","direction":"up","duration":null}"#, .malformed("/duration")),
    (#"{"type":"swipe","direction":"up","easing":"spring"}"#, .outOfRange("/easing")),
    (#"{"type":"swipe","direction":"up","easing":""}"#, .outOfRange("/easing")),
    (#"{"type":"swipe","direction":"up","toward":{"x":0,"y":0}}"#, .outOfRange("/toward")),
    (#"{"type":"swipe","direction":"up","toward":{"x":-0.0,"y":0}}"#, .outOfRange("/toward")),
    (#"{"type":"swipe","direction":"up","toward":{"x":1}}"#, .malformed("/toward/y")),
    (#"{"type":"tap","index":-1}"#, .outOfRange("/index")),
    (#"{"type":"tap","index":10000001}"#, .outOfRange("/index")),
    (#"{"type":"tap","index":0.5}"#, .malformed("/index")), (#"{"type":"tap","index":"0"}"#, .malformed("/index")),
]
