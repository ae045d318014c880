import Testing

@testable import DeckEngine

/// Inserting, removing, reloading and shuffling cards while the session runs.
struct CardListTests {
    private func names(_ session: DeckSession) -> String {
        (0..<session.deck.cards.count).map { session.deck.cards[$0].id.text }.joined(separator: " ")
    }

    private func listed(_ names: String...) -> CardList {
        .listed(names.map { Card(id: CardID($0)) })
    }

    @Test func aCardPutInAtTheFrontIsTheFrontCard() throws {
        var session = DeckSession.make(5, from: 2)
        let outcome = try session.apply(.insert(listed("new"), at: 2), at: 0)
        #expect(names(session) == "0 1 new 2 3 4")
        #expect(session.currentIndex == 2)
        #expect(outcome.trace == ["didShow 2"])
        #expect(session.shown.placed.map(\.id) == ["new", "2", "3"])
        // The former front card moves back from its current place; the card that has lost its slot fades.
        #expect(session.shown.placed[1].frame == Rect(x: 0, y: 0, width: 300, height: 392))
        #expect(session.shown.leaving.map(\.id) == ["4"])
        #expect(session.settled.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
    }

    @Test func cardsPutInBeforeMoveThePlaceOnAndTellNothing() throws {
        var session = DeckSession.make(5, from: 2)
        let outcome = try session.apply(.insert(listed("a", "b"), at: 1), at: 0)
        #expect(session.currentIndex == 4)
        #expect(outcome.notifications.isEmpty)
        #expect(try session.front.id == "2")
        #expect(!session.shown.animating)
    }

    @Test func numberedCardsGoOnCounting() throws {
        var session = DeckSession.make(3)
        _ = try session.apply(.insert(.numbered(2), at: 3), at: 0)
        #expect(session.deck.cards == .numbered(5))
        _ = try session.apply(.insert(.numbered(2), at: 1), at: 0)
        #expect(names(session) == "0 5 6 1 2 3 4")
        var named = DeckSession.make([Card(id: "x"), Card(id: "7"), Card(id: "-3")])
        _ = try named.apply(.insert(.numbered(2), at: 0), at: 0)
        #expect(names(named) == "8 9 x 7 -3")
    }

    @Test func aNumberBeyondAllCountingIsANameLikeAnyOther() throws {
        var session = DeckSession.make([Card(id: CardID(Int.max)), Card(id: CardID(EngineLimits.cards - 1))])
        _ = try session.apply(.insert(.numbered(2), at: 2), at: 0)
        #expect(session.deck.cards.count == 4)
        #expect(session.deck.cards[2].id == CardID(EngineLimits.cards))
        var close = DeckSession.make([Card(id: "9999999"), Card(id: "10000001")])
        _ = try close.apply(.insert(.numbered(3), at: 2), at: 0)
        #expect(names(close) == "9999999 10000001 10000002 10000003 10000004")
    }

    @Test func anIdIsGivenOnce() throws {
        var session = DeckSession.make(3)
        #expect(try session.apply(.insert(listed("2"), at: 0), at: 0).refusal == .duplicateID)
        #expect(try session.apply(.insert(listed("a", "a"), at: 0), at: 0).refusal == .duplicateID)
        #expect(try session.apply(.insert(listed("a"), at: 4), at: 0).refusal == .indexOutOfRange)
        #expect(try session.apply(.insert(listed("a"), at: -1), at: 0).refusal == .indexOutOfRange)
        #expect(session.version == 0)
    }

    @Test func aFrontCardThatIsTakenOutFadesAndTheNextMovesUp() throws {
        var session = DeckSession.make(5)
        let outcome = try session.apply(.remove(0..<2), at: 0)
        #expect(outcome.trace == ["didShow 0", "needsCards 3"])
        #expect(session.shown.placed.map(\.id) == ["2", "3", "4"])
        // The front card fades above the others.
        #expect(session.shown.leaving.map(\.id) == ["0", "1"])
        #expect(session.shown.leaving.allSatisfy { $0.matrix == .identity })
        // The card that moves up starts from its former place.
        #expect(try session.front.frame.difference(from: Expected.slots[2]) < 1e-9)
        #expect(session.settled.shown.cards.map(\.id) == ["2", "3", "4"])
        #expect(session.lastVerdict == 0)
    }

    @Test func takingOutTheRestRunsOut() throws {
        var session = DeckSession.make(3, from: 1)
        #expect(try session.apply(.remove(1..<3), at: 0).trace == ["didRunOut"])
        #expect(session.isExhausted)
        #expect(session.currentIndex == 1)
        var loop = DeckSession.make(3, from: 1) { $0.loop = true }
        #expect(try loop.apply(.remove(1..<3), at: 0).trace == ["didShow 0"])
        #expect(loop.currentIndex == 0)
    }

    @Test(arguments: [0..<0, -1..<1, 2..<4, 3..<5])
    func aRangeOutsideTheDeckIsRefused(range: Range<Int>) throws {
        var session = DeckSession.make(3)
        #expect(try session.apply(.remove(range), at: 0).refusal == .indexOutOfRange)
        #expect(try session.apply(.refresh(range, from: session.deck), at: 0).refusal == .indexOutOfRange)
    }

    @Test func refreshingReadsCardsByTheirNames() throws {
        var session = DeckSession.make([Card(id: "a"), Card(id: "b"), Card(id: "c")])
        var fresh = ["c", "b", "d"].map(Card.init)
        for index in fresh.indices { fresh[index].label = "new \(fresh[index].id)" }
        let outcome = try session.apply(.refresh(0..<2, from: Deck(cards: .listed(fresh))), at: 0)
        #expect(outcome.isApplied)
        let labels = (0..<3).map { session.deck.cards[$0].label }
        #expect(labels == [nil, "new b", nil])
        #expect(names(session) == "a b c")
    }

    /// A card that is pushed out of its slot fades behind the others, and does not flash in front of them.
    @Test func aCardThatLosesItsSlotBehindFadesBelowTheOthers() throws {
        for (change, index) in [(.insert(.numbered(1), at: 0), 3), (.remove(1..<2), 1)] as [(Event, Int)] {
            var session = DeckSession.make(8)
            _ = try session.apply(change, at: 1000)
            #expect(session.shown.leaving.map(\.index) == [index], "\(change)")
            #expect(session.shown.cards.map(\.z) == [3, 2, 1, 0], "\(change)")
        }
        var session = DeckSession.make(8)
        _ = try session.apply(.command(.sendToBack), at: 1000)
        // The front card is in front of the others while it fades.
        #expect(session.shown.leaving.map(\.z) == [3])
    }

    @Test func aDragContinuesIfItsCardStaysInFront() throws {
        for change: Event in [.insert(.numbered(1), at: 5), .insert(.numbered(1), at: 1), .remove(1..<3)] {
            var session = DeckSession.make(9)
            try session.drag(.changed, .x(40), at: 0)
            let before = session.shown.cards[0]
            #expect(try session.apply(change, at: 100).trace.isEmpty, "\(change)")
            #expect(session.shown.dragging && session.shown.cards[0].matrix == before.matrix)
            try session.drag(.changed, .x(41), at: 116)
            #expect(session.shown.cards[0].matrix.tx == 41)
        }
    }

    /// A client reloads a deck that has got more cards, or has them replaced, while a finger holds a card.
    @Test func aDragContinuesThroughAReloadIfItsCardStaysInFront() throws {
        let cards = (0..<8).map { Card(id: CardID($0)) }
        var session = DeckSession.make(Array(cards.prefix(5)))
        for time in [0, 1000] as [Instant] { try session.swipe(.left, at: time) }
        try session.drag(.changed, .x(40), at: 3000)
        #expect(try session.apply(.reload(Deck(cards: .listed(cards))), at: 3100).trace.isEmpty)
        #expect(session.shown.dragging && session.shown.cardCount == 8 && session.shown.cards[0].matrix.tx == 40)
        // Another card comes to the front.
        let others = cards.filter { $0.id != CardID(2) }
        let outcome = try session.apply(.reload(Deck(cards: .listed(others))), at: 3200)
        #expect(outcome.trace.starts(with: ["didReset 2", "panFinished 2"]) && !session.shown.dragging)
    }

    @Test func aDragEndsFirst() throws {
        for change: Event in [.insert(.numbered(1), at: 0), .remove(0..<3), .shuffle(seed: 1)] {
            var session = DeckSession.make(5)
            try session.drag(.changed, .x(40), at: 0)
            let outcome = try session.apply(change, at: 100)
            #expect(outcome.trace.starts(with: ["didReset 0", "panFinished 0"]), "\(change)")
            #expect(!session.shown.dragging)
        }
    }

    // MARK: Shuffling

    @Test func shufflingMovesOnlyWhatIsNotSwipedYet() throws {
        var session = DeckSession.make(40)
        for number in 0..<4 { try session.swipe(.left, at: Instant(Double(number) * 1000)) }
        var again = session
        _ = try session.apply(.shuffle(seed: 7), at: 5000)
        let order = (0..<40).map { session.deck.cards[$0].id }
        #expect(order.prefix(4) == ["0", "1", "2", "3"])
        #expect(order != (0..<40).map { CardID($0) })
        #expect(Set(order).count == 40)
        #expect(session.currentIndex == 4)
        #expect(session.revertibleCount == 4)
        _ = try again.apply(.shuffle(seed: 7), at: 5000)
        #expect(again == session)
        _ = try again.apply(.shuffle(seed: 8), at: 5000)
        #expect(again.deck.cards != session.deck.cards)
    }

    @Test func everyOrderIsAsLikely() throws {
        var counts: [String: Int] = [:]
        for seed in 0..<6000 {
            var session = DeckSession.make(3)
            _ = try session.apply(.shuffle(seed: UInt64(seed)), at: 0)
            counts[names(session), default: 0] += 1
        }
        #expect(counts.count == 6)
        // A thousand each; five standard deviations are 145.
        #expect(counts.values.allSatisfy { abs($0 - 1000) < 145 }, "\(counts)")
    }

    @Test func aDeckTooLargeToRearrangeOnlyGrowsAtItsEnd() throws {
        let count = EngineLimits.rearrangeableCards + 1
        var session = DeckSession.make(count)
        #expect(try session.apply(.shuffle(seed: 1), at: 0).refusal == .tooManyCards)
        #expect(try session.apply(.remove(0..<1), at: 0).refusal == .tooManyCards)
        #expect(try session.apply(.refresh(0..<1, from: session.deck), at: 0).refusal == .tooManyCards)
        #expect(try session.apply(.insert(listed("a"), at: 0), at: 0).refusal == .tooManyCards)
        #expect(try session.apply(.insert(.numbered(5), at: count), at: 0).isApplied)
        let most = EngineLimits.cards - session.deck.cards.count
        #expect(try session.apply(.insert(.numbered(most + 1), at: count + 5), at: 0).refusal == .tooManyCards)
        #expect(try session.apply(.insert(.numbered(most), at: count + 5), at: 0).isApplied)
    }
}
