import RandomTesting
import Testing

@testable import DeckEngine

/// Cards have identities that do not depend on their index.
struct IdentityTests {
    private func cards(_ ids: String) -> [Card] {
        ids.split(separator: " ").map { Card(id: CardID(String($0))) }
    }

    private func make(_ ids: String, swipes: Int, change: (inout DeckSettings) -> Void = { _ in }) throws -> DeckSession
    {
        var session = DeckSession.make(cards(ids), change: change)
        for _ in 0..<swipes { try session.swipe(.left, at: session.now + 1000) }
        _ = session.advance(to: session.now + 5000)
        return session
    }

    private func reload(_ session: inout DeckSession, _ ids: String) throws {
        let deck = Deck(cards: .listed(cards(ids)), settings: session.settings)
        _ = try session.apply(.reload(deck), at: session.now + 100)
        _ = session.advance(to: session.now + 5000)
    }

    private func ids(_ session: DeckSession) -> String {
        (0..<session.cards.count).map { session.cards[$0].id.text }.joined(separator: " ")
    }

    /// All cards that are not swiped yet, in order.
    private func rest(_ session: DeckSession) throws -> [CardID] {
        var session = session
        var rest: [CardID] = []
        while !session.isExhausted {
            let outcome = try session.swipe(.right, at: session.now + 1000)
            rest += outcome.verdictChanges.map(\.verdict.cardID)
        }
        return rest
    }

    @Test func noSwipedCardIsShownAgain() throws {
        var session = try make("a b c d e", swipes: 2)
        try reload(&session, "new a b c d e")
        #expect(try session.front.id == "c")
        #expect(try rest(session) == ["c", "new", "d", "e"])
        // A revert withdraws the verdict of the card that it shows.
        for id: CardID in ["b", "a"] {
            let outcome = try session.revert(.origin, at: session.now + 1000)
            #expect(outcome.verdictChanges.map(\.verdict.cardID) == [id])
            #expect(try session.front.id == id)
        }
    }

    @Test func noCardIsSkippedWhenOneBeforeItIsGone() throws {
        var session = try make("a b c d e", swipes: 2)
        try reload(&session, "b c d e")
        #expect(try session.front.id == "c")
        #expect(session.revertibleCount == 1)
        #expect(try rest(session) == ["c", "d", "e"])
    }

    @Test(arguments: [
        ("e d c b a", "a b", ["c", "e", "d"]), ("x y", "", ["x", "y"]), ("d e", "", ["d", "e"]), ("c a", "a", ["c"]),
        ("a b", "a b", []), ("d x a", "a", ["d", "x"]),
    ])
    func cardsThatWereDecidedOnComeFirst(new: String, passed: String, left: [CardID]) throws {
        var session = try make("a b c d e", swipes: 2)
        try reload(&session, new)
        #expect(try rest(session) == left)
        let count = session.currentIndex
        let passedIDs = cards(passed).map(\.id)
        #expect(Set((0..<count).map { session.cards[$0].id }) == Set(passedIDs))
        #expect(session.revertibleCount == passedIDs.count)
    }

    @Test func beforeTheFirstSwipeTheNewOrderIsTakenAsItIs() throws {
        var session = try make("a b c", swipes: 0)
        try reload(&session, "x c a")
        #expect(ids(session) == "x c a")
        #expect(try session.front.id == "x")
    }

    @Test func aLoopKeepsTheOrderAndItsFrontCard() throws {
        var session = try make("a b c d", swipes: 2) { $0.loop = true }
        try reload(&session, "x d c b a")
        #expect(ids(session) == "x d c b a")
        #expect(try session.front.id == "c")
        try reload(&session, "x y")
        #expect(session.currentIndex == 0)
    }

    @Test func undoAndRedoFollowTheirCardsThroughEveryChange() throws {
        var session = try make("a b c d e f", swipes: 4)
        try session.revert(.origin, at: session.now + 1000)
        _ = try session.apply(.insert(.listed(cards("p q")), at: 0), at: session.now + 5000)
        _ = try session.apply(.remove(2..<3), at: session.now + 1000)
        _ = try session.apply(.shuffle(seed: 9), at: session.now + 1000)
        try reload(&session, "f e d c b a q p z")
        #expect(session.revertibleCount == 2)
        let redo = try session.apply(.command(.redo(count: 1)), at: session.now + 1000)
        #expect(redo.verdictChanges.map(\.verdict.cardID) == ["d"])
        let reverts = try session.apply(.revert(.origin, count: 3), at: session.now + 5000)
        #expect(reverts.verdictChanges.map(\.verdict.cardID) == ["d", "c", "b"])
    }

    @Test func aCountedIDIsNeverGivenAgain() throws {
        var session = DeckSession.make(3)
        _ = try session.apply(.remove(2..<3), at: 0)
        _ = try session.apply(.insert(.numbered(2), at: 2), at: 10)
        #expect(ids(session) == "0 1 3 4")
        _ = try session.apply(.remove(0..<4), at: 20)
        _ = try session.apply(.insert(.numbered(1), at: 0), at: 30)
        #expect(ids(session) == "5")
        // Neither after a snapshot nor after a reload.
        session = try DeckSession(snapshot: session.snapshot(withCards: true))
        _ = try session.apply(.reload(Deck(cards: .numbered(2))), at: 40)
        _ = try session.apply(.insert(.numbered(1), at: 2), at: 50)
        #expect(ids(session) == "0 1 6")
    }

    @Test func cardsKeepTheirIdentitiesThroughRandomChanges() throws {
        var random = SeededNumbers(seed: 77)
        var session = DeckSession.make(cards("a b c d e f g h i j k l"))
        var known: [CardIdentity: CardID] = [:]
        for _ in 0..<400 {
            let count = session.cards.count
            let event: Event =
                switch Int.random(in: 0..<5, using: &random) {
                case 0: .shuffle(seed: UInt64.random(in: 0...999, using: &random))
                case 1: .command(.sendToBack)
                case 2: .insert(.numbered(2), at: Int.random(in: 0...count, using: &random))
                case 3 where count > 4: .remove(1..<3)
                default: .swipe(.left)
                }
            _ = try session.apply(event, at: session.now + 50)
            for index in 0..<session.cards.count {
                let identity = session.pile.identity(at: index)
                #expect(session.pile.index(of: identity) == index)
                #expect(known[identity] ?? session.cards[index].id == session.cards[index].id)
                known[identity] = session.cards[index].id
            }
        }
    }
}
