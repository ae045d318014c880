public import DeckEngine

/// A deck as a client sent it. It is large and never changes, so it is shared.
public final class DeckDocument: Sendable, Equatable {
    /// The preset that its settings started from.
    public let preset: Preset
    /// Its cards and settings.
    public let deck: Deck

    /// A deck whose settings started from a preset.
    public init(preset: Preset, deck: Deck) {
        self.preset = preset
        self.deck = deck
    }

    /// Whether both are the same deck with the same settings.
    public static func == (one: DeckDocument, other: DeckDocument) -> Bool {
        one === other || one.preset == other.preset && one.deck == other.deck
    }

    private static let names: [StaticString] = ["preset", "cards", "count"] + SettingNames(of: DeckSettings()).names

    /// Reads a deck (`docs/api.md`, "Decks").
    ///
    /// - Throws: the first mistake. Unknown members and repeated card ids are mistakes, too.
    public init(_ value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        preset = try object["preset"].map { preset throws(WireError) in try preset.choice() } ?? .standard
        var settings = DeckSettings(preset: preset)
        var reader = SettingReader(object, null: .error)
        try settings.visit(&reader, base: settings)
        deck = Deck(cards: try CardList(object), settings: settings)
    }
}

extension CardList {
    /// Reads `cards`, or `count` instead.
    init(_ object: JSONObject) throws(WireError) {
        switch (object["cards"], object["count"]) {
        case (let cards?, nil): self = .listed(try Self.cards(cards))
        case (nil, let count?): self = .numbered(try count.integer(in: WireLimits.indices))
        case (nil, nil): throw object.value.malformed("needs cards or count")
        case (_?, let count?): throw count.malformed("must not be present beside cards")
        }
    }

    /// Reads a list of cards whose ids are all different.
    ///
    /// - Parameter taken: ids that no card may have.
    static func cards(
        _ value: JSONValue,
        count: ClosedRange<Int> = 0...WireLimits.inlineCards,
        beside taken: Set<CardID> = []
    ) throws(WireError) -> [Card] {
        let elements = try value.array(count: count)
        var cards: [Card] = []
        cards.reserveCapacity(elements.count)
        // The order of the set has no effect.
        var ids = taken
        for element in elements {
            let card = try Card(element)
            guard ids.insert(card.id).inserted else {
                throw (element.peek("id") ?? element).outOfRange("is also the id of another card")
            }
            cards.append(card)
        }
        return cards
    }
}

extension Card {
    private static let names: [StaticString] = ["id"] + changeableNames
    private static let changeableNames: [StaticString] = [
        "data", "label", "allowedDirections", "deniedDirections", "dragDirections", "draggable", "undoable",
    ]

    init(_ value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        self.init(id: CardID(try object.required("id").identifier()))
        try read(object, isPatch: false)
    }

    /// Changes the card as a merge patch (RFC 7396) says. `data` is replaced as a whole.
    mutating func apply(patch value: JSONValue) throws(WireError) {
        try read(try value.object(allowing: Self.changeableNames), isPatch: true)
    }

    /// Reads the members that an object has. In a patch, null removes a member.
    private mutating func read(_ object: JSONObject, isPatch: Bool) throws(WireError) {
        func isRemoved(_ value: JSONValue) -> Bool { isPatch && value.isNull }
        if let value = object["data"] { data = isRemoved(value) ? nil : try Self.data(value) }
        if let value = object["label"] {
            label = isRemoved(value) ? nil : try value.string(maxBytes: WireLimits.labelBytes)
        }
        if let value = object["allowedDirections"] {
            allowedDirections = isRemoved(value) ? nil : try value.directions()
        }
        if let value = object["deniedDirections"] {
            deniedDirections = isRemoved(value) ? nil : try value.directions()
        }
        if let value = object["dragDirections"] { dragDirections = isRemoved(value) ? nil : try value.directions() }
        if let value = object["draggable"] { draggable = isRemoved(value) ? nil : try value.bool() }
        if let value = object["undoable"] { undoable = isRemoved(value) ? true : try value.bool() }
    }

    private static func data(_ value: JSONValue) throws(WireError) -> String {
        // The limit is for the text as it was sent, so that a client can check it.
        guard value.rawBytes.count <= WireLimits.cardDataBytes else {
            throw value.outOfRange("must be at most \(WireLimits.cardDataBytes) bytes long")
        }
        return value.compactText
    }
}
