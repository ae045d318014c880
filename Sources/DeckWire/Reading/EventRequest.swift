public import DeckEngine

/// An event as a client sent it.
public struct EventRequest: Sendable, Equatable {
    /// The action of an event.
    public enum Action: Sendable, Equatable {
        /// An event that the engine can apply by itself.
        case event(Event)
        /// The deck is read again. The service must do this first.
        case reload
        /// Some of the deck's cards are read again.
        case refresh(Range<Int>)
    }

    /// The action.
    public var action: Action
    /// Its name on the wire.
    public var type: StaticString
    /// The event as one of those that a player may send; nil: only the owner may send it.
    public private(set) var playerEvent: PlayerEvent?
    /// The id of the card that must be in front; nil: any card.
    public var id: CardID?
    /// The time on the session's clock; nil: now.
    public var at: Instant?
    /// The event's text without whitespace outside strings; nil: the reader did not ask for it.
    public var text: String?
    /// The index of the event in its batch; nil: it was sent alone.
    private var batchIndex: Int?

    /// The event's place in the body as a JSON Pointer.
    public var pointer: String {
        batchIndex.map { "/events/\($0)" } ?? ""
    }

    /// Whether it is a swipe that skips the denied directions.
    public var isForced: Bool {
        if case .event(.command(.swipe(_, force: true, _))) = action { true } else { false }
    }

    /// Events are equal if they request the same. Their places and their texts are not compared.
    public static func == (left: EventRequest, right: EventRequest) -> Bool {
        left.action == right.action && left.id == right.id && left.at == right.at
    }

    /// Reads a body of one event, or of a batch: `{"events": […]}`.
    ///
    /// - Parameter keepingText: whether the text of each event is needed, too, as for a session that records.
    /// - Throws: the first mistake. No event of the batch may then be applied.
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
    /// - Parameter keepingText: whether the event's text is needed, too.
    /// - Throws: the first mistake.
    public init(_ value: JSONValue, keepingText: Bool = false) throws(WireError) {
        guard value.kind == .object else { throw value.malformed("must be an event: an object with a type") }
        guard let type = value.peek("type") else {
            throw WireError(.malformed, at: "\(value.pointer)/type", "is missing")
        }
        let kind = Self.kinds[try type.choice(of: Self.kindNames)]
        let object = try value.object(allowing: kind.members)
        let id = try object["id"].map { id throws(WireError) in CardID(try id.identifier()) }
        let at = try object["at"]?.moment()
        action = try kind.read(object)
        self.type = kind.name
        playerEvent = kind.playerEvent
        self.id = id
        self.at = at
        text = keepingText ? value.compactText : nil
    }

    private static let batchNames: [StaticString] = ["events"]
    private static let kindNames = kinds.map(\.name)
    private static let kinds = EventKind.all
}
