import Testing

@testable import DeckEngine

/// Reload and reset.
struct ReloadTests {
    @Test func aReloadInTheMiddleKeepsThePlaceAndRefreshesTheContent() throws {
        var session = DeckSession.make(8)
        try session.swipe(.right, at: 0)
        try session.swipe(.right, at: 100)
        _ = session.advance(to: 2000)
        var new = (0..<9).map { Card(id: CardID($0)) }
        for index in new.indices { new[index].data = "\"new-\(index)\"" }
        let outcome = try session.apply(
            .reload(Deck(cards: .listed(new), settings: session.deck.settings)),
            at: 3000
        )
        #expect(outcome.trace == [])
        #expect(outcome.version == 3)
        #expect(session.shown.cards.map(\.id) == ["2", "3", "4"])
        let data = session.shown.cards.map { session.cards.content(of: $0)?.data }
        #expect(data == ["\"new-2\"", "\"new-3\"", "\"new-4\""])
        #expect(session.shown.cards.map(\.frame) == Expected.slots)
        #expect(session.shown.cards.map(\.opacity) == [1, 0.7, 0.7])
        #expect(session.shown.cardCount == 9)
        #expect(!session.shown.animating)
        #expect(session.revertibleCount == 2)
    }

    @Test func aReloadAtTheFirstCardBuildsAnewAndAppears() throws {
        var session = DeckSession.make()
        try session.drag(.ended, .x(60), at: 0)
        let outcome = try session.reload(4, at: 50)
        #expect(outcome.trace == ["didShow 0"])
        #expect(session.shown.cards.allSatisfy { $0.opacity == 0 })
        #expect(session.advance(to: 5000).trace == ["didAppear"])
        #expect(session.shown.cards.map(\.frame) == Expected.slots)
    }

    @Test func aReloadAppearsWhereTheNewReadingSaysSo() throws {
        var session = DeckSession.make { $0.motion.appear = false }
        try session.reload(5, at: 0)
        #expect(try session.front.opacity == 1)
        try session.reload(5, at: 100) { $0.motion.appear = true }
        #expect(try session.front.opacity == 0)
        try session.reload(5, at: 5000) { $0.motion.appear = false }
        #expect(try session.front.opacity == 1)
    }

    @Test func aReloadDuringASwipeTellsOfItFirst() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        #expect(try session.reload(5, at: 100).trace == ["didSwipe 0 left", "didShow 1"])
        #expect(session.advance(to: 5000).isEmpty)
        #expect(session.shown.cards.map(\.frame) == Expected.slots)
    }

    @Test func aGrownDeckFillsItsPlaces() throws {
        var session = DeckSession.make(2, from: 1)
        #expect(session.visibleIndices == [1])
        #expect(try session.reload(9, at: 0).trace == [])
        #expect(session.visibleIndices == [1, 2, 3])
        #expect(session.shown.cards.map(\.opacity) == [1, 0, 0])
        #expect(session.frame(at: 200).cards.map(\.opacity) == [1, 0.7, 0.7])
    }

    @Test func aShrunkenDeckKeepsAsMuchAsThereIs() throws {
        var session = DeckSession.make(9)
        for index in 0..<5 { try session.swipe(.right, at: Instant(Double(index) * 1000)) }
        _ = session.advance(to: 8000)
        #expect(try session.reload(6, at: 9000).trace == ["needsCards 1"])
        #expect(session.visibleIndices == [5])
        #expect(session.revertibleCount == 5)
        #expect(try session.reload(3, at: 9100).trace == ["didRunOut"])
        #expect(session.isExhausted)
        #expect(session.currentIndex == 3)
        #expect(session.revertibleCount == 3)
        #expect(try session.reload(3, at: 9200).trace == [])
        #expect(try session.revert(at: 9300).index == 2)
    }

    @Test(arguments: [0, 2])
    func aCardThatLeftFliesOnInADeckThatHasItNoMore(count: Int) throws {
        let cards = (0..<5).map { Card(id: "old-\($0)") }
        var session = DeckSession.make(cards)
        for index in 0..<4 { try session.swipe(.right, at: Instant(Double(index) * 100)) }
        let flying = session.frame(at: 350).leaving
        try session.reload(count, at: 350)
        #expect(session.shown.leaving.map(\.id) == flying.map(\.id))
        #expect(session.shown.leaving.map(\.matrix) == flying.map(\.matrix))
        #expect(session.shown.leaving.map(\.opacity) == flying.map(\.opacity))
        #expect(session.frame(at: 1100).cards.filter { $0.role == .leaving }.isEmpty)
    }

    @Test func anEmptyReadingRunsTheDeckOutWhereverItWas() throws {
        for start in [0, 2] {
            var session = DeckSession.make(5, from: start)
            #expect(try session.reload(0, at: 0).trace.first == "didRunOut")
            #expect(session.currentIndex == 0)
            #expect(session.shown.cards.isEmpty)
            #expect(try session.reload(0, at: 10).trace == [])
            #expect(try session.reload(3, at: 20).trace == ["didShow 0"])
            #expect(session.visibleIndices == [0, 1, 2])
        }
    }

    @Test func anAppendToARunOutDeckShowsTheFirstNewCard() throws {
        var session = DeckSession.make(2)
        try session.swipe(.right, at: 0)
        try session.swipe(.right, at: 1000)
        #expect(try session.reload(5, at: 5000).trace == ["didShow 2"])
        #expect(session.visibleIndices == [2, 3, 4])
        #expect(try session.front.interactive)
        #expect(session.advance(to: 9000).trace == ["didAppear"])
        #expect(session.revertibleCount == 2)
    }

    @Test func aRunOutDeckThatBecomesALoopBeginsAgain() throws {
        var session = DeckSession.make(2)
        try session.swipe(.right, at: 0)
        try session.swipe(.right, at: 1000)
        #expect(try session.reload(2, at: 5000) { $0.loop = true }.trace == ["didShow 0"])
        #expect(session.visibleIndices == [0, 1])
    }

    @Test func aResetStartsFromTheFirstCardWithoutAPast() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        try session.swipe(.left, at: 1000)
        let outcome = try session.reset(at: 1050)
        #expect(outcome.trace == ["didSwipe 1 left", "didShow 2", "didShow 0"])
        #expect(session.visibleIndices == [0, 1, 2])
        #expect(session.revertibleCount == 0)
        #expect(session.lastVerdict == 2)
        #expect(session.advance(to: 9000).trace == ["didAppear"])
        #expect(session.shown.cards.map(\.matrix) == [.identity, .identity, .identity])
    }

    @Test func aResetLeavesNothingToWaitFor() throws {
        var session = DeckSession.make {
            $0.rules.whileAnimating = .ignore
            $0.motion.appear = false
        }
        try session.drag(.changed, .x(60), at: 0)
        try session.reset(at: 10)
        #expect(try session.swipe(.right, at: 10).ending == .swiped)
    }

    @Test func aResetDuringADragEndsIt() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(140), at: 0)
        #expect(try session.reset(at: 10).trace == ["didReset 0", "panFinished 0", "didShow 0"])
        #expect(!session.shown.dragging)
        #expect(try session.drag(.cancelled, at: 20).refusal == .notDragging)
    }

    /// Each card of a session has its own number, and there are 2^32 - 1 of them.
    @Test func aReloadIsRefusedWhenItsCardsCannotBeNumbered() throws {
        var session = DeckSession.make(1)
        let one = Event.reload(Deck(cards: .listed([Card(id: "a")]), settings: session.deck.settings))
        var count = 0
        while try session.apply(one, at: 0).isApplied, try session.reload(EngineLimits.cards, at: 0).isApplied {
            count += 1
            try #require(count < 500)
        }
        #expect(count == 429)
        let former = session
        #expect(try session.reload(EngineLimits.cards, at: 0).refusal == .tooManyCards)
        #expect(session.shown.cards == former.shown.cards)
        #expect(try session.reload(3, at: 0).isApplied)
    }

    @Test func inALoopTheNextCardFollowsTheFrontOne() throws {
        func deck(_ names: String) -> Deck {
            var settings = DeckSettings()
            settings.loop = true
            return Deck(cards: .listed(names.map { Card(id: CardID(String($0))) }), settings: settings)
        }
        var session = DeckSession.begin(deck: deck("abcde"), viewport: Size(width: 300, height: 400), startIndex: 3)
            .session
        _ = try session.apply(.reload(deck("bcef")), at: 0)
        #expect(session.cardID(at: session.currentIndex) == "e")
    }

    /// The cards behind keep moving, and those that are there do not start again.
    @Test func moreCardsAtTheEndChangeNoMotion() throws {
        var session = DeckSession.make(5)
        try session.swipe(.left, at: 1000)
        let undisturbed = session
        _ = try session.apply(.insert(.numbered(1), at: 5), at: 1100)
        for time in [1100, 1150, 1200] as [Instant] {
            #expect(session.frame(at: time).cards == undisturbed.frame(at: time).cards)
        }
    }
}
