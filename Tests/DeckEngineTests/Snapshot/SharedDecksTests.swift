import Testing

@testable import DeckEngine

/// Sessions that are read from snapshots share equal settings and cards.
struct SharedDecksTests {
    private static func deck(_ number: Int, cards: Int = 3, labelBytes: Int = 20) -> Deck {
        let cards = (0..<cards).map { index in
            var card = Card(id: "deck \(number), card \(index)")
            card.label = String(repeating: "a", count: labelBytes)
            return card
        }
        var settings = DeckSettings()
        settings.rules.swipeThreshold = 0.1 + Double(number) / 10_000
        return Deck(cards: .listed(cards), settings: settings)
    }

    /// A session as the service reads it: from a snapshot, and cards that were stored separately.
    private static func restored(_ deck: Deck, swipes: Int = 0) throws -> DeckSession {
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 375, height: 600))
        for _ in 0..<swipes { _ = try session.apply(.swipe(.left), at: session.now + 1000) }
        return try DeckSession(snapshot: session.snapshot(withCards: false), cards: session.cardsSnapshot(), edits: [])
    }

    private static func settingsAddress(_ session: DeckSession) -> UnsafePointer<DeckSettings> {
        session.scene.sharedSettings.address
    }

    private static func cardsAddress(_ session: DeckSession) -> UnsafePointer<Card>? {
        guard case .listed(let cards) = session.cards else { return nil }
        return cards.withUnsafeBufferPointer { $0.baseAddress }
    }

    @Test func equalSettingsAndCardsAreShared() throws {
        var decks = SharedDecks()
        var first = try Self.restored(Self.deck(1))
        var second = try Self.restored(Self.deck(1), swipes: 2)
        let copy = second
        #expect(Self.settingsAddress(first) != Self.settingsAddress(second))
        #expect(Self.cardsAddress(first) != Self.cardsAddress(second))
        decks.share(&first)
        decks.share(&second)
        #expect(second == copy)
        #expect(Self.settingsAddress(first) == Self.settingsAddress(second))
        #expect(Self.cardsAddress(first) == Self.cardsAddress(second))
    }

    @Test func aChangeOfOneSessionIsNotSeenInAnother() throws {
        var decks = SharedDecks()
        var first = try Self.restored(Self.deck(1))
        var second = try Self.restored(Self.deck(1))
        decks.share(&first)
        decks.share(&second)
        let copy = first
        _ = try second.apply(.remove(0..<1), at: 0)
        var settings = second.settings
        settings.loop = true
        _ = try second.apply(.configure(settings), at: 0)
        #expect(second.cards.count == 2)
        #expect(second.settings.loop)
        #expect(first == copy)
        #expect(first.cards.count == 3)
    }

    @Test func otherSettingsAndCardsAreSeparate() throws {
        var decks = SharedDecks()
        var sessions = try (0..<10).map { try Self.restored(Self.deck($0)) }
        let copies = sessions
        for index in sessions.indices { decks.share(&sessions[index]) }
        #expect(sessions == copies)
        #expect(Set(sessions.map(Self.settingsAddress)).count == 10)
        #expect(Set(sessions.map(Self.cardsAddress)).count == 10)
    }

    @Test func thereAreNoMoreThanTheCapacity() throws {
        var decks = SharedDecks()
        for number in 0..<3 * SharedDecks.capacity + 5 {
            var session = try Self.restored(Self.deck(number))
            decks.share(&session)
            #expect(decks.settings.count <= SharedDecks.capacity)
            #expect(decks.cards.count <= SharedDecks.capacity)
        }
        #expect(decks.settings.count == 5)
        #expect(decks.cards.count == 5)
    }

    @Test func theContentOfTheCardsIsLimited() throws {
        var decks = SharedDecks()
        let third = SharedDecks.byteCapacity / 3 + 1
        for number in 0..<7 {
            var session = try Self.restored(Self.deck(number, cards: 1, labelBytes: third))
            decks.share(&session)
            #expect(decks.cards.count == 1 + number % 2)
        }
        var large = try Self.restored(Self.deck(9, cards: 1, labelBytes: SharedDecks.byteCapacity))
        decks.share(&large)
        #expect(decks.cards.count == 1)
        #expect(large.cards.count == 1)
    }

    /// Such cards are equal, but a client that reads them gets other bytes.
    @Test func textsWithOtherBytesAreSeparate() throws {
        var decks = SharedDecks()
        func deck(_ label: String) -> Deck {
            var card = Card(id: "a")
            card.label = label
            return Deck(cards: .listed([card]), settings: DeckSettings())
        }
        for label in ["\u{E9}", "e\u{301}", "\u{E9}"] {
            var session = try Self.restored(deck(label))
            decks.share(&session)
            #expect(session.cards[0].label.map { Array($0.utf8) } == Array(label.utf8))
        }
    }

    @Test func theMemoryOfCardsWithoutContentIsLimited() throws {
        var decks = SharedDecks()
        let count = 50_000
        for seed in 0..<8 {
            var (session, _) = DeckSession.begin(
                deck: Deck(cards: .numbered(count), settings: DeckSettings()),
                viewport: Size(width: 375, height: 600)
            )
            _ = try session.apply(.shuffle(seed: UInt64(seed)), at: 0)
            decks.share(&session)
        }
        #expect(decks.cards.count >= 1)
        #expect(decks.cards.count * count * MemoryLayout<Card>.stride <= SharedDecks.byteCapacity)
    }
}
