public import DeckEngine

/// One event as a client sent it.
public struct EventRequest: Sendable, Equatable {
    /// What is to be done.
    public enum Action: Sendable, Equatable {
        /// Something the engine can do by itself.
        case event(Event)
        /// The deck is read again, which is the service's to do first.
        case reload
    }

    /// What is to be done.
    public var action: Action
    /// Its name on the wire.
    public var type: StaticString
    /// When, on the session's clock; nil: now.
    public var at: Milliseconds?
    /// Where the event stands in the body, as a JSON Pointer.
    public var pointer: String

    /// Two events are equal if they ask for the same; their place in a body does not count.
    public static func == (left: EventRequest, right: EventRequest) -> Bool {
        left.action == right.action && left.at == right.at
    }

    /// Reads a body of one event, or of a batch: `{"events": […]}`.
    ///
    /// - Throws: what is wrong and where; then no event of the batch is to be applied.
    public static func read(_ value: JSONValue) throws(WireError) -> [EventRequest] {
        guard value.peek("events") != nil else { return [try EventRequest(value)] }
        let batch = try value.object(allowing: batchNames)
        var requests: [EventRequest] = []
        for element in try batch.required("events").array(count: 1...WireLimits.eventsPerBatch) {
            requests.append(try EventRequest(element))
        }
        return requests
    }

    init(_ value: JSONValue) throws(WireError) {
        guard value.kind == .object else { throw value.malformed("must be an event: an object with a type") }
        guard let type = value.peek("type") else {
            throw WireError(.malformed, at: "\(value.pointer)/type", "is missing")
        }
        let kind = Self.kinds[try type.choice(of: Self.kindNames)]
        let object = try value.object(allowing: kind.members)
        self.type = kind.name
        pointer = value.pointer
        at = try object["at"].map { at throws(WireError) in Milliseconds(try at.number(in: WireLimits.moments)) }
        action = try kind.read(object)
    }

    /// An event's name, the members it may have, and how they are read.
    private struct Kind {
        var name: StaticString
        var members: [StaticString]
        var read: @Sendable (JSONObject) throws(WireError) -> Action

        init(
            _ name: StaticString,
            _ members: [StaticString],
            _ read: @escaping @Sendable (JSONObject) throws(WireError) -> Action
        ) {
            self.name = name
            self.members = ["type", "at"] + members
            self.read = read
        }
    }

    private static let batchNames: [StaticString] = ["events"]
    private static let kindNames = kinds.map(\.name)
    private static let kinds: [Kind] = [
        Kind("drag", ["phase", "translation", "location", "velocity"]) { object throws(WireError) in
            .event(.drag(try DragEvent(object)))
        },
        Kind("swipe", ["direction", "force"]) { object throws(WireError) in
            let direction = try object.required("direction").choice(Direction.self)
            return .event(.swipe(direction, force: try object["force"]?.bool() ?? false))
        },
        Kind("revert", ["direction"]) { object throws(WireError) in .event(.revert(try RevertStyle(object))) },
        Kind("reload", []) { _ throws(WireError) in .reload },
        Kind("reset", []) { _ throws(WireError) in .event(.reset) },
        Kind("tap", ["index"]) { object throws(WireError) in
            .event(.tap(index: try object["index"]?.integer(in: 0...WireLimits.numberedCards)))
        },
        Kind("tick", []) { _ throws(WireError) in .event(.tick) },
    ]
}

extension DragEvent {
    init(_ object: JSONObject) throws(WireError) {
        self.init(try object.required("phase").choice())
        if let value = object["translation"] { translation = try value.vector() }
        if let value = object["location"] { location = try value.vector() }
        if let value = object["velocity"] { velocity = try value.vector() }
        guard phase != .changed || translation != nil else {
            throw WireError(.malformed, at: "\(object.value.pointer)/translation", "is missing")
        }
    }
}

extension RevertStyle {
    init(_ object: JSONObject) throws(WireError) {
        guard let direction = object["direction"] else {
            self = .fade
            return
        }
        self = direction.matches("origin") ? .origin : .from(try direction.choice())
    }
}
