public import DeckEngine

/// What a client asks for when it begins a session.
public struct SessionRequest: Sendable, Equatable {
    /// Where the cards come from.
    public enum Source: Sendable, Equatable {
        /// A deck that was put before, by its id.
        case named(String)
        /// A deck of the session's own.
        case inline(DeckDocument)
    }

    /// Where the cards come from.
    public var source: Source
    /// The deck's size.
    public var viewport: Size
    /// What a swiped card has to leave; nil: the viewport.
    public var screen: Size?
    /// The first card to show.
    public var startIndex = 0
    /// Whether the deck grows into view.
    public var appears = false
    /// How the session's time runs.
    public var clock = ClockKind.server
    /// Whether every event is kept.
    public var records = false

    private static let names: [StaticString] = [
        "deck", "viewport", "screen", "startIndex", "appear", "clock", "record",
    ]

    /// Reads the body that begins a session (`docs/api.md`, "Sessions").
    ///
    /// - Throws: what is wrong and where. Whether the deck exists, and `startIndex` lies within it, is not known here.
    public init(_ value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        let deck = try object.required("deck")
        source = deck.kind == .string ? .named(try deck.identifier()) : .inline(try Self.inline(deck))
        viewport = try object.required("viewport").size()
        screen = try object["screen"].map { screen throws(WireError) in try screen.size() }
        if let value = object["startIndex"] { startIndex = try value.integer(in: WireLimits.indices) }
        if let value = object["appear"] { appears = try value.bool() }
        if let value = object["clock"] { clock = try value.choice() }
        if let value = object["record"] { records = try value.bool() }
    }

    private static func inline(_ value: JSONValue) throws(WireError) -> DeckDocument {
        guard value.kind == .object else { throw value.malformed("must be a deck's id or a deck") }
        return try DeckDocument(value)
    }
}

/// How a session's time runs.
public enum ClockKind: UInt8, NamedChoice {
    /// By itself.
    case server
    /// By the times of its events only.
    case manual

    /// The clock's name in requests and answers.
    public var name: StaticString {
        switch self {
        case .server: "server"
        case .manual: "manual"
        }
    }
}
