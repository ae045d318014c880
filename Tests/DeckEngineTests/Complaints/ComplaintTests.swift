import Testing

@testable import DeckEngine

/// What users of 32 swipe-card libraries complain about most, and what deckd does instead: the first eight. Each test
/// is named after the users' wish.
struct ComplaintTests {
    @Test(arguments: [Preset.standard, .koloda, .kolodaBackground])
    func swipingFastNeverCrashesDoublesOrFreezes(preset: Preset) throws {
        var session = DeckSession.make(300, preset: preset)
        var told: [Int] = []
        var time = 0.0
        for number in 0..<300 {
            // A whole gesture every 40 ms, twenty times as fast as a card takes to leave.
            time += 40
            let way = Vector.x(number.isMultiple(of: 2) ? 260 : -260)
            let outcome = try session.drag(.ended, way, velocity: .zero, at: Instant(time))
            #expect(outcome.ending == .swiped)
            #expect(outcome.index == number)
            told += outcome.notifications.compactMap(\.swipedIndex)
            #expect(session.shown.placed.count == min(session.settings.layout.visibleCount, 299 - number))
        }
        told += session.advance(to: Instant(time + 2000)).compactMap(\.swipedIndex)
        #expect(told == Array(0..<300))
        #expect(session.isExhausted)
        #expect(session.shown.cards.isEmpty)
    }

    @Test func everyCommandIsAnswered() throws {
        let tenSwipes: (inout DeckSession) throws -> [Outcome] = { session in
            try (0..<10).map { try session.swipe(.right, at: Instant(Double($0) * 30)) }
        }
        var proceeding = DeckSession.make(20)
        #expect(try tenSwipes(&proceeding).allSatisfy { $0.ending == .swiped })
        #expect(proceeding.currentIndex == 10)

        var queueing = DeckSession.make(20) { $0.rules.whileAnimating = .queue }
        let answers = try tenSwipes(&queueing)
        #expect(answers.map(\.ending) == [.swiped] + Array(repeating: .queued, count: 9))
        #expect(answers.map(\.index) == Array(0..<10))
        #expect(queueing.currentIndex == 2)
        #expect(queueing.settled.currentIndex == 10)

        var ignoring = DeckSession.make(20, preset: .koloda)
        #expect(try tenSwipes(&ignoring).map(\.refusal) == [nil] + Array(repeating: .animating, count: 9))
        #expect(ignoring.settled.currentIndex == 1)
    }

    @Test(arguments: BusyPolicy.allCases)
    func aButtonPressedDuringADragDoesNotLockTheDeck(policy: BusyPolicy) throws {
        var session = DeckSession.make(5) { $0.rules.whileAnimating = policy }
        try session.drag(.began, at: 0)
        try session.drag(.changed, .x(40), at: 50)
        let pressed = try session.swipe(.left, at: 60)
        let isIgnored = policy == .ignore
        #expect(pressed.refusal == (isIgnored ? .dragging : nil))
        #expect(session.shown.dragging == isIgnored)
        // The finger moves on, releases the card, and takes the next one as usual.
        try session.drag(.ended, .x(0), velocity: .zero, at: 100)
        let next = try session.drag(.ended, .x(200), velocity: .zero, at: 2000)
        #expect(next.ending == .swiped)
        #expect(next.index == (isIgnored ? 0 : 1))
        #expect(session.settled.shown.placed.first?.interactive == true)
    }

    @Test func undoTakesBackSeveralFromTheSidesTheyLeftBy() throws {
        var session = DeckSession.make(5)
        let sides: [Direction] = [.left, .right, .left, .left, .right]
        for (number, side) in sides.enumerated() { try session.swipe(side, at: Instant(Double(number) * 1000)) }
        #expect(session.isExhausted)
        for index in (0..<5).reversed() {
            let time = session.now + 3000
            let outcome = try session.revert(.origin, at: time)
            #expect(outcome.index == index)
            let isFromLeft = sides[index] == .left
            #expect(try session.front.matrix.tx == (isFromLeft ? -967 : 967))
        }
        #expect(session.currentIndex == 0)
        #expect(try session.revert(.origin, at: 60_000).refusal == .nothingToRevert)
        // All of them again, each reverted at once.
        _ = try session.apply(.command(.redo(count: 5)), at: 61_000)
        #expect(try session.apply(.revert(.origin, count: 5), at: 61_000).verdictChanges.count == 5)
        #expect(session.settled.currentIndex == 0)
    }

    @Test func aReloadRefreshesWhatIsSeenAndKeepsThePlace() throws {
        func cards(_ data: String) -> Deck {
            Deck(
                cards: .listed(
                    (0..<6).map { number in
                        var card = Card(id: "card\(number)")
                        card.data = data
                        return card
                    }
                )
            )
        }
        var (session, _) = DeckSession.begin(deck: cards("old"), viewport: Size(width: 300, height: 400))
        try session.swipe(.right, at: 0)
        try session.swipe(.right, at: 1000)
        _ = try session.apply(.reload(cards("new")), at: 3000)
        #expect(session.currentIndex == 2)
        #expect(session.visibleIndices == [2, 3, 4])
        #expect(session.visibleIndices.allSatisfy { session.deck.cards[$0].data == "new" })
        try session.reset(at: 4000)
        #expect(session.currentIndex == 0)
        #expect(session.settled.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
    }

    @Test func cardsAppendedToADeckThatRanOutAreTheNextToBeSeen() throws {
        var session = DeckSession.make(5)
        for number in 0..<5 { try session.swipe(.right, at: Instant(Double(number) * 1000)) }
        #expect(session.settled.isExhausted)
        let outcome = try session.apply(.insert(.numbered(5), at: 5), at: 10_000)
        #expect(outcome.trace == ["didShow 5"])
        #expect(session.visibleIndices == [5, 6, 7])
        #expect(session.stage.appear == nil)
        #expect(try session.swipe(.left, at: 11_000).index == 5)
    }

    @Test func cardsCanBePutInAndTakenOutBeforeTheFrontOne() throws {
        var session = DeckSession.make(8)
        for number in 0..<3 { try session.swipe(.right, at: Instant(Double(number) * 1000)) }
        // The card just swiped, as in the libraries' own examples.
        _ = try session.apply(.remove(2..<3), at: 4000)
        #expect(session.currentIndex == 2)
        #expect(try session.front.id == "3")
        _ = try session.apply(.insert(.listed([Card(id: "a"), Card(id: "b")]), at: 0), at: 5000)
        #expect(session.currentIndex == 4)
        #expect(try session.front.id == "3")
        // The swipe of a card that was removed cannot be reverted; the others can, wherever their cards are now.
        #expect(session.revertibleCount == 2)
        #expect(try session.revert(at: 6000).index == 3)
        #expect(try session.front.id == "1")
        _ = try session.apply(.remove(0..<9), at: 7000)
        #expect(session.isExhausted)
    }

    @Test func aLoopHasNoSeamAndAsManyCardsAsThereAre() throws {
        var session = DeckSession.make(3) { $0.loop = true }
        for number in 0..<7 {
            #expect(session.settled.visibleIndices == [number % 3, (number + 1) % 3, (number + 2) % 3])
            try session.swipe(number.isMultiple(of: 2) ? .left : .right, at: Instant(Double(number) * 1000))
        }
        for number in (0..<7).reversed() {
            #expect(try session.revert(.origin, at: session.now + 1000).index == number % 3)
        }
        // More slots than cards: every card is shown once.
        var small = DeckSession.make(2) { $0.loop = true }
        #expect(small.visibleIndices == [0, 1])
        try small.swipe(.right, at: 0)
        #expect(small.settled.visibleIndices == [1, 0])
    }
}

extension DeckNotification {
    /// The card of a `didSwipe`.
    fileprivate var swipedIndex: Int? {
        if case .didSwipe(let index, _) = kind { index } else { nil }
    }
}
