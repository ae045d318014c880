import Testing

@testable import DeckEngine

/// Decks that run out, and loops.
struct LoopTests {
    @Test func theLastCardRunsTheDeckOutAtOnce() throws {
        var session = DeckSession.make(1)
        let outcome = try session.drag(.ended, .x(200), at: 0)
        #expect(
            outcome.trace == [
                "panBegan 0", "thresholdCrossed 0 right", "didSwipe 0 right", "didRunOut", "panFinished 0",
            ]
        )
        #expect(session.isExhausted)
        #expect(session.currentIndex == 1)
        #expect(session.shown.cards.map(\.role) == [.leaving])
        #expect(session.frame(at: 800).cards.isEmpty)
        #expect(session.advance(to: 9000).isEmpty)
        #expect(try session.swipe(.right, at: 9000).refusal == .noCard)
    }

    @Test func theSecondToLastIsFollowedByTheLast() throws {
        var session = DeckSession.make(2) { $0.rules.refillAt = 0 }
        #expect(session.visibleIndices == [0, 1])
        try session.swipe(.left, at: 0)
        #expect(session.advance(to: 300).trace == ["didSwipe 0 left", "didShow 1"])
        #expect(try session.swipe(.right, at: 1000).trace == ["didSwipe 1 right", "didRunOut", "needsCards 0"])
    }

    @Test func anEmptyDeckHasRunOutFromTheBeginning() throws {
        for loop in [false, true] {
            let deck = Deck(cards: .numbered(0))
            var (session, told) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400))
            #expect(told.trace == ["needsCards 0"])
            try session.reload(0, at: 0) { $0.loop = loop }
            #expect(session.isExhausted)
            #expect(session.shown.cards.isEmpty)
            #expect(try session.swipe(.left, at: 0).refusal == .noCard)
            #expect(try session.revert(at: 0).refusal == .nothingToRevert)
        }
    }

    @Test func moreCardsAreAskedForOnceAsTheyBecomeFew() throws {
        var session = DeckSession.make(6) { $0.rules.refillAt = 3 }
        var told: [[String]] = []
        for index in 0..<6 { told.append(try session.swipe(.right, at: Instant(Double(index) * 1000)).trace) }
        let asked = told.map { $0.filter { $0.hasPrefix("needsCards") } }
        #expect(asked == [[], [], ["needsCards 3"], [], [], []])
        try session.reload(12, at: 9000)
        for time: Instant in [10_000, 11_000] {
            #expect(try !session.swipe(.right, at: time).trace.contains { $0.hasPrefix("needsCards") })
        }
        #expect(try session.swipe(.right, at: 12_000).trace.contains("needsCards 3"))
    }

    @Test func aLoopNeverAsksAndNeverRunsOut() throws {
        var session = DeckSession.make(4) { $0.loop = true }
        var told: [String] = []
        for index in 0..<9 { told += try session.swipe(.right, at: Instant(Double(index) * 1000)).trace }
        told += session.advance(to: 20_000).trace
        #expect(session.currentIndex == 1)
        #expect(!session.isExhausted)
        #expect(told.allSatisfy { !$0.hasPrefix("needsCards") && $0 != "didRunOut" })
        #expect(told.count { $0 == "didLoop" } == 2)
        #expect(told.filter { $0.hasPrefix("didSwipe") }.count == 9)
    }

    @Test func theSeamIsToldBetweenTheLastCardAndTheFirst() throws {
        var session = DeckSession.make(5, from: 3) { $0.loop = true }
        #expect(session.visibleIndices == [3, 4, 0])
        try session.swipe(.left, at: 0)
        #expect(session.visibleIndices == [4, 0, 1])
        try session.swipe(.left, at: 1000)
        #expect(session.visibleIndices == [0, 1, 2])
        #expect(session.advance(to: 2000).trace == ["didSwipe 4 left", "didLoop", "didShow 0"])
    }

    @Test(arguments: [1, 2])
    func loopsOfOneOrTwoCardsGoRound(count: Int) throws {
        var session = DeckSession.make(count) { $0.loop = true }
        for round in 0..<7 {
            let time = Instant(Double(round) * 100)
            let outcome = try session.drag(.ended, .x(200), at: time)
            #expect(outcome.ending == .swiped)
            #expect(outcome.index == round % count)
            #expect(session.currentIndex == (round + 1) % count)
            #expect(session.shown.faults == [])
        }
        let rest = session.settled.shown
        #expect(rest.cards.map(\.opacity) == [1, 0.7].prefix(count).map(\.self))
        #expect(rest.cards.count == count)
    }

    @Test(arguments: [(0, 0), (4, 4), (5, 0), (7, 2), (-3, 0)])
    func aLoopBeginsModuloItsCount(start: Int, index: Int) {
        let session = DeckSession.make(5, from: start) { $0.loop = true }
        #expect(session.currentIndex == index)
        #expect(!session.isExhausted)
        #expect(session.shown.faults == [])
    }

    @Test(arguments: [(0, 0), (4, 4), (5, 5), (7, 5), (-3, 0)])
    func aDeckBeginsAtItsNearestCard(start: Int, index: Int) {
        let session = DeckSession.make(5, from: start)
        #expect(session.currentIndex == index)
        #expect(session.isExhausted == (index == 5))
        #expect(session.shown.faults == [])
    }

    @Test func theBeginningShowsTheFirstCard() {
        let deck = Deck(cards: .numbered(5))
        let (session, told) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400), startIndex: 2)
        #expect(told.trace == ["didShow 2", "needsCards 3"])
        #expect(session.shown.screenful == ["2 front", "3 background", "4 background"])
        #expect(session.version == 0)
    }
}

extension Frame {
    fileprivate var screenful: [String] { cards.map { "\($0.index) \($0.role)" } }
}
