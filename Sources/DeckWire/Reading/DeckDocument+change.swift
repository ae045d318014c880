import DeckEngine

// Changes of a deck that need not contain all of it.
extension DeckDocument {
    private static let patchNames: [StaticString] = ["cards", "count"] + SettingNames(of: DeckSettings()).names

    /// Changes a deck as a merge patch (RFC 7396) says, in which `cards` is an object of the changed cards by their ids.
    ///
    /// Null restores a setting of the preset, and removes a card or a card's member.
    ///
    /// - Throws: the first mistake. An id that no card has is a mistake, too.
    public convenience init(_ document: DeckDocument, patch value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.patchNames)
        var deck = document.deck
        var reader = SettingReader(object, null: .base)
        try deck.settings.visit(&reader, base: DeckSettings(preset: document.preset))
        if let cards = object["cards"] { try deck.cards.apply(patch: cards) }
        if let count = object["count"] { try deck.cards.setCount(count) }
        self.init(preset: document.preset, deck: deck)
    }

    private static let appendedNames: [StaticString] = ["cards", "count"]

    /// Appends cards to a deck: `{"cards": […]}`, or `{"count": …}` if the deck has only a number of cards.
    ///
    /// - Throws: the first mistake. An id that a card of the deck has is a mistake, too.
    public convenience init(_ document: DeckDocument, appending value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.appendedNames)
        var deck = document.deck
        try deck.cards.append(object)
        self.init(preset: document.preset, deck: deck)
    }
}

extension CardList {
    fileprivate mutating func apply(patch value: JSONValue) throws(WireError) {
        guard value.kind == .object else {
            throw value.malformed("must be an object of the changed cards by their ids, not \(value.kind.phrase)")
        }
        guard case .listed(var cards) = self else {
            throw value.outOfRange("must not be present: the deck has a count and no list of cards")
        }
        // A key of the dictionary finds a place; the order of the keys has no effect.
        let places = Dictionary(zip(cards.map(\.id), cards.indices)) { first, _ in first }
        var changed: Set<Int> = []
        var removed: Set<Int> = []
        for (id, patch) in value.members {
            // Strings with other characters can be equal to an id, because they are compared as Unicode text.
            guard isIdentifier(id), let place = places[CardID(id)] else {
                guard patch.key.count > WireLimits.idBytes else {
                    throw patch.outOfRange("is not the id of a card of the deck")
                }
                throw value.outOfRange("has a name of \(patch.key.count) bytes, which is no id of a card")
            }
            guard changed.insert(place).inserted else { throw patch.malformed("appears twice in this object") }
            if patch.isNull { removed.insert(place) } else { try cards[place].apply(patch: patch) }
        }
        if !removed.isEmpty { cards = cards.indices.filter { !removed.contains($0) }.map { cards[$0] } }
        self = .listed(cards)
    }

    fileprivate mutating func setCount(_ value: JSONValue) throws(WireError) {
        guard case .numbered = self else {
            throw value.outOfRange("must not be present: the deck has a list of cards")
        }
        self = .numbered(try value.integer(in: WireLimits.indices))
    }

    /// Appends `cards`, or `count` cards.
    fileprivate mutating func append(_ object: JSONObject) throws(WireError) {
        switch (self, object["cards"], object["count"]) {
        case (_, nil, nil): throw object.value.malformed("needs cards or count")
        case (_, _?, let count?): throw count.malformed("must not be present beside cards")
        case (.listed, nil, let count?):
            throw count.outOfRange("must not be present: the deck has a list of cards; append cards")
        case (.numbered, let cards?, nil):
            throw cards.outOfRange("must not be present: the deck has only a number of cards; append a count")
        case (.listed(let former), let cards?, nil): try append(cards, to: former)
        case (.numbered(let former), nil, let count?):
            let added = try count.integer(in: 1...WireLimits.numberedCards)
            guard added <= WireLimits.numberedCards - former else {
                throw count.outOfRange(
                    "must be at most \(WireLimits.numberedCards - former): a deck can have \(WireLimits.numberedCards) cards"
                )
            }
            self = .numbered(former + added)
        }
    }

    private mutating func append(_ value: JSONValue, to former: [Card]) throws(WireError) {
        let cards = try Self.cards(value, count: 1...WireLimits.inlineCards, beside: Set(former.map(\.id)))
        guard former.count + cards.count <= WireLimits.inlineCards else {
            let room = WireLimits.inlineCards - former.count
            throw value.outOfRange(
                "must have at most \(room) cards: the deck has \(former.count) and can have \(WireLimits.inlineCards)"
            )
        }
        self = .listed(former + cards)
    }
}
