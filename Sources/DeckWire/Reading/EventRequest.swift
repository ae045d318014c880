public import DeckEngine

/// One event as a client sent it.
public struct EventRequest: Sendable, Equatable {
    /// What is to be done.
    public enum Action: Sendable, Equatable {
        /// Something the engine can do by itself.
        case event(Event)
        /// The deck is read again, which is the service's to do first.
        case reload
        /// Some of its cards are.
        case refresh(Range<Int>)
    }

    /// What is to be done.
    public var action: Action
    /// Its name on the wire.
    public var type: StaticString
    /// The card that has to be in front for it, by its name; nil: whichever is.
    public var id: String?
    /// When, on the session's clock; nil: now.
    public var at: Instant?
    /// The event as it was sent, without whitespace outside strings; nil: it was not asked for.
    public var text: String?
    /// Which event of its batch it is; nil: it was sent alone.
    private var batchIndex: Int?

    /// Where the event stands in the body, as a JSON Pointer.
    public var pointer: String {
        batchIndex.map { "/events/\($0)" } ?? ""
    }

    /// Two events are equal if they ask for the same; their place in a body, and how they were written, do not count.
    public static func == (left: EventRequest, right: EventRequest) -> Bool {
        left.action == right.action && left.id == right.id && left.at == right.at
    }

    /// Reads a body of one event, or of a batch: `{"events": […]}`.
    ///
    /// - Parameter keepingText: whether each event's text is needed too, as it is for a session that records.
    /// - Throws: what is wrong and where; then no event of the batch must be applied.
    public static func read(_ value: JSONValue, keepingText: Bool = false) throws(WireError) -> [EventRequest] {
        guard value.peek("events") != nil else { return [try EventRequest(value, keepingText: keepingText)] }
        let batch = try value.object(allowing: batchNames)
        let elements = try batch.required("events").array(count: WireLimits.batchSizes)
        var requests: [EventRequest] = []
        requests.reserveCapacity(elements.count)
        for element in elements {
            var request = try EventRequest(element, keepingText: keepingText)
            request.batchIndex = requests.count
            requests.append(request)
        }
        return requests
    }

    /// Reads one event.
    ///
    /// - Parameter keepingText: whether the event's text is needed too.
    /// - Throws: what is wrong and where.
    public init(_ value: JSONValue, keepingText: Bool = false) throws(WireError) {
        guard value.kind == .object else { throw value.malformed("must be an event: an object with a type") }
        guard let type = value.peek("type") else {
            throw WireError(.malformed, at: "\(value.pointer)/type", "is missing")
        }
        let kind = Self.kinds[try type.choice(of: Self.kindNames)]
        let object = try value.object(allowing: kind.members)
        self.type = kind.name
        text = keepingText ? value.compactText : nil
        id = try object["id"].map { id throws(WireError) in try id.identifier() }
        at = try object["at"]?.moment()
        action = try kind.read(object)
    }

    private static let batchNames: [StaticString] = ["events"]
    private static let kindNames = kinds.map(\.name)
    private static let kinds = EventKind.all
}
