public import DeckEngine

/// A request to create a session.
public struct SessionRequest: Sendable, Equatable {
    /// The source of the cards.
    public enum Source: Sendable, Equatable {
        /// A stored deck, by its id.
        case named(String)
        /// A deck in the request.
        case inline(DeckDocument)
    }

    /// The source of the cards.
    public var source: Source
    /// The deck's size.
    public var viewport: Size
    /// The size of the area that a swiped card must leave; nil: that of the viewport.
    public var screen: Size?
    /// The index of the first card to show.
    public var startIndex = 0
    /// Whether the deck grows into view.
    public var appears = false
    /// The kind of the session's clock.
    public var clock = ClockKind.server
    /// Whether the session records its events.
    public var records = false
    /// The application's name for the person who plays; nil: none.
    public var user: String?
    /// Data of the application about the session, as compact JSON; nil: none.
    public var metadata: String?

    private static let names: [StaticString] = [
        "deck", "viewport", "screen", "startIndex", "appear", "clock", "record", "user", "metadata",
    ]

    /// Reads the body of a request to create a session (`docs/api.md`, "Sessions").
    ///
    /// - Throws: the first mistake. Whether the deck exists and has a card at `startIndex` is checked later.
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
        if let value = object["user"], !value.isNull { user = try value.userName() }
        if let value = object["metadata"], !value.isNull { metadata = try value.metadata() }
    }

    private static func inline(_ value: JSONValue) throws(WireError) -> DeckDocument {
        guard value.kind == .object else { throw value.malformed("must be a deck's id or a deck") }
        return try DeckDocument(value)
    }
}

extension JSONValue {
    /// A string of 1 to 128 characters (Unicode scalars), without control characters.
    fileprivate func userName() throws(WireError) -> String {
        let name = try string(maxBytes: 4 * WireLimits.userLengths.upperBound)
        let scalars = name.unicodeScalars
        guard WireLimits.userLengths.contains(scalars.count) else {
            throw outOfRange("must have 1 to \(WireLimits.userLengths.upperBound) characters, not \(scalars.count)")
        }
        guard !name.hasControlCharacters else {
            throw outOfRange("must not contain control characters")
        }
        return name
    }

    /// JSON of a limited length. The limit is for the text as it was sent, so that a client can check it.
    fileprivate func metadata() throws(WireError) -> String {
        guard rawBytes.count <= WireLimits.metadataBytes else {
            throw outOfRange("must be at most \(WireLimits.metadataBytes) bytes long, not \(rawBytes.count)")
        }
        return compactText
    }
}

/// Whether a string can be the name of a user: 1 to 128 characters (Unicode scalars), without control characters.
public func isUserName(_ name: String) -> Bool {
    WireLimits.userLengths.contains(name.unicodeScalars.count) && !name.hasControlCharacters
}

extension String {
    fileprivate var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// The kinds of clocks.
public enum ClockKind: UInt8, NamedChoice {
    /// Time passes by itself.
    case server
    /// Only the times of events move the clock.
    case manual

    /// The clock's name in requests and answers.
    public var name: StaticString {
        switch self {
        case .server: "server"
        case .manual: "manual"
        }
    }
}
