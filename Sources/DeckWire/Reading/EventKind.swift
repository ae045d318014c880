import DeckEngine

/// An event's name, its allowed members, and how to read them.
struct EventKind {
    var name: StaticString
    var members: [StaticString]
    /// The event as one of those that a player may send; nil: only the owner may send it.
    var playerEvent: PlayerEvent?
    var read: @Sendable (JSONObject) throws(WireError) -> EventRequest.Action

    private init(
        _ name: StaticString,
        _ members: [StaticString],
        _ read: @escaping @Sendable (JSONObject) throws(WireError) -> EventRequest.Action
    ) {
        self.name = name
        playerEvent = PlayerEvent.allCases.first { "\($0.name)" == "\(name)" }
        self.members = ["type", "at"] + members
        self.read = read
    }

    /// All events.
    static let all = gestures + commands + cards + views

    private static let gestures = [
        EventKind("drag", ["id", "phase", "translation", "location", "velocity"]) { object throws(WireError) in
            .event(.drag(try DragEvent(object)))
        },
        EventKind("scroll", ["phase", "offset", "velocity"]) { object throws(WireError) in
            .event(.scroll(try ScrollEvent(object)))
        },
        EventKind("tap", ["id", "index", "count"]) { object throws(WireError) in
            let count = try object["count"]?.integer(in: EventLimits.tapCounts) ?? 1
            return .event(.tap(index: try object.index(), count: count))
        },
        EventKind("press", ["id", "index"]) { object throws(WireError) in
            .event(.press(index: try object.index()))
        },
        EventKind("flip", ["id"]) { _ throws(WireError) in .event(.flip) },
        EventKind("nudge", ["id", "direction"]) { object throws(WireError) in
            .event(.nudge(try object.required("direction").choice()))
        },
    ]

    private static let commands = [
        EventKind("swipe", ["id", "direction", "force", "duration", "easing", "toward"]) { object throws(WireError) in
            let direction = try object.required("direction").choice(Direction.self)
            let force = try object["force"]?.bool() ?? false
            return .event(.swipe(direction, force: force, try SwipeOptions(object)))
        },
        EventKind("confirm", ["id"]) { _ throws(WireError) in .event(.confirm) },
        EventKind("deny", ["id"]) { _ throws(WireError) in .event(.deny) },
        EventKind("revert", ["direction", "count"]) { object throws(WireError) in
            .event(.revert(try RevertStyle(object), count: try object.undoCount()))
        },
        EventKind("redo", ["count"]) { object throws(WireError) in
            .event(.command(.redo(count: try object.undoCount())))
        },
        EventKind("move", ["to"]) { object throws(WireError) in
            .event(.command(.move(to: try object.required("to").integer(in: EventLimits.indices))))
        },
        EventKind("sendToBack", ["id"]) { _ throws(WireError) in .event(.command(.sendToBack)) },
        EventKind("putBack", []) { _ throws(WireError) in .event(.command(.putBack)) },
    ]

    private static let cards = [
        EventKind("reload", []) { _ throws(WireError) in .reload },
        EventKind("reset", []) { _ throws(WireError) in .event(.reset) },
        EventKind("insert", ["index", "cards", "count"]) { object throws(WireError) in
            let index = try object.required("index").integer(in: EventLimits.indices)
            return .event(.insert(try CardList(object), at: index))
        },
        EventKind("remove", ["from", "to"]) { object throws(WireError) in .event(.remove(try object.range())) },
        EventKind("refresh", ["from", "to"]) { object throws(WireError) in .refresh(try object.range()) },
        EventKind("shuffle", ["seed"]) { object throws(WireError) in
            .event(.shuffle(seed: try object.seed()))
        },
    ]

    private static let views = [
        EventKind("appear", []) { _ throws(WireError) in .event(.appear) },
        EventKind("resize", ["viewport", "screen"]) { object throws(WireError) in
            let viewport = try object["viewport"]?.size()
            let screen = try object["screen"]?.size()
            guard viewport != nil || screen != nil else { throw object.value.malformed("needs viewport or screen") }
            return .event(.resize(viewport: viewport, screen: screen))
        },
        EventKind("tick", []) { _ throws(WireError) in .event(.tick) },
    ]
}

extension JSONObject {
    /// The index of the event's card.
    fileprivate func index() throws(WireError) -> Int? {
        try self["index"]?.integer(in: EventLimits.indices)
    }

    /// How many swipes an event reverts or redoes.
    fileprivate func undoCount() throws(WireError) -> Int {
        try self["count"]?.integer(in: EventLimits.undoCounts) ?? 1
    }

    /// The seed of a shuffle.
    fileprivate func seed() throws(WireError) -> UInt64 {
        UInt64(try required("seed").integer(in: 0...Int(EventLimits.seeds.upperBound)))
    }

    /// `from` and `to`, half open.
    fileprivate func range() throws(WireError) -> Range<Int> {
        let from = try required("from").integer(in: EventLimits.indices)
        let to = try required("to")
        let end = try to.integer(in: EventLimits.indices)
        guard from < end else { throw to.outOfRange("must be greater than from, which is \(from)") }
        return from..<end
    }
}

extension DragEvent {
    fileprivate init(_ object: JSONObject) throws(WireError) {
        self.init(try object.required("phase").choice())
        if let value = object["translation"] { translation = try value.vector() }
        if let value = object["location"] { location = try value.vector() }
        if let value = object["velocity"] { velocity = try value.vector() }
        guard phase != .changed || translation != nil else {
            throw WireError(.malformed, at: "\(object.value.pointer)/translation", "is missing")
        }
    }
}

extension ScrollEvent {
    fileprivate init(_ object: JSONObject) throws(WireError) {
        self.init(try object.required("phase").choice())
        if let value = object["offset"] { offset = try value.number(in: EventLimits.coordinates) }
        if let value = object["velocity"] { velocity = try value.number(in: EventLimits.coordinates) }
        guard phase != .changed || offset != nil else {
            throw WireError(.malformed, at: "\(object.value.pointer)/offset", "is missing")
        }
    }
}

extension SwipeOptions {
    fileprivate init(_ object: JSONObject) throws(WireError) {
        self.init()
        if let value = object["duration"] { duration = try value.duration() }
        if let value = object["easing"] { easing = try value.curve() }
        guard let value = object["toward"] else { return }
        let toward = try value.vector()
        guard toward != .zero else { throw value.outOfRange("must not have the length 0") }
        self.toward = toward
    }
}

extension RevertStyle {
    /// The names of all directions, and the last place for the origin.
    private static let directions = Direction.allCases.map(\.name) + ["origin"]

    fileprivate init(_ object: JSONObject) throws(WireError) {
        guard let direction = object["direction"] else {
            self = .fade
            return
        }
        let place = try direction.choice(of: Self.directions)
        self = place < Direction.allCases.count ? .from(Direction.allCases[place]) : .origin
    }
}
