import Testing

@testable import DeckEngine

/// Reverts.
struct RevertTests {
    @Test func aCardFadesInOverOneSecond() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        let outcome = try session.revert(at: 2000)
        #expect(outcome.index == 0)
        #expect(outcome.direction == .right)
        #expect(outcome.ending == nil)
        let verdict = Verdict(sequence: 1, at: 2000, index: 0, cardID: "0", direction: .right)
        #expect(outcome.verdictChanges == [.reverted(verdict)])
        #expect(session.currentIndex == 0)
        #expect(session.revertibleCount == 0)
        let half = session.frame(at: 2500).cards[0]
        #expect(half.role == .returning)
        #expect(half.matrix == .identity)
        #expect(half.frame == Expected.slots[0])
        #expect(abs(half.opacity - Expected.ease(0.5)) < 1e-7)
        #expect(session.advance(to: 2999.9).isEmpty)
        #expect(session.advance(to: 3000).trace == ["didRewind 0", "didShow 0"])
        #expect(try session.front.role == .front)
    }

    @Test(arguments: Direction.allCases)
    func aCardFliesInFromASideOrFromWhereItWent(direction: Direction) throws {
        let exit = try #require(Expected.exits[direction])
        let turn = try #require(Expected.turns[direction])
        for style in [RevertStyle.from(direction), .origin] {
            var session = DeckSession.make { $0.rules.allowedDirections = Directions(Direction.allCases) }
            try session.swipe(style == .origin ? direction : .left, at: 0)
            try session.revert(style, at: 2000)
            let begin = try session.front
            #expect(begin.matrix.tx == exit.x)
            #expect(begin.matrix.ty == exit.y)
            #expect(abs(begin.matrix.degrees - turn) < 1e-9)
            #expect(begin.opacity == 0)
            let rest = 1 - Expected.ease(1.0 / 3)
            let later = session.frame(at: 2100).cards[0]
            #expect(abs(later.matrix.tx - rest * exit.x) < 1e-4)
            #expect(abs(later.matrix.ty - rest * exit.y) < 1e-4)
            #expect(abs(later.matrix.degrees - rest * turn) < 1e-4)
            #expect(abs(later.opacity - (1 - rest)) < 1e-6)
            #expect(session.frame(at: 2300).cards[0].matrix == .identity)
            #expect(session.advance(to: 2300).trace == ["didRewind 0", "didShow 0"])
        }
    }

    @Test func theOthersMoveBackByOnePlace() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        try session.revert(at: 2000)
        let (begin, end) = (session.frame(at: 2000).cards, session.frame(at: 2200).cards)
        #expect(begin.map(\.index) == [0, 1, 2])
        #expect(begin[1].frame == Expected.slots[0])
        #expect(begin[1].opacity == 1)
        #expect(end.dropFirst().map(\.frame) == Array(Expected.slots.dropFirst()))
        #expect(end.dropFirst().map(\.opacity) == [0.7, 0.7])
        #expect(end.map(\.interactive) == [true, false, false])
    }

    @Test(arguments: [RevertStyle.fade, .origin, .from(.up)])
    func aCardThatStillFliesTurnsRoundAndIsNotDoubled(style: RevertStyle) throws {
        var session = DeckSession.make()
        try session.drag(.ended, Vector(x: 120, y: -30), at: 0)
        let flying = try #require(session.frame(at: 300).leaving.first)
        #expect(try session.revert(style, at: 300).trace == ["didSwipe 0 right", "didShow 1"])
        #expect(session.shown.cards.filter { $0.index == 0 }.count == 1)
        let returning = try session.front
        #expect(returning.role == .returning)
        #expect(returning.difference(from: flying) < 1e-9)
        #expect(returning.opacity == 1)
        #expect(returning.overlay == flying.overlay)
        let end = session.now + (style == .fade ? 1000 : 300)
        #expect(session.frame(at: end).cards[0].matrix == .identity)
        #expect(session.frame(at: end).cards[0].overlay == nil)
        #expect(session.advance(to: end).trace == ["didRewind 0", "didShow 0"])
    }

    @Test func anEarlyRevertTellsOfTheSwipeFirst() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        #expect(try session.revert(at: 50).trace == ["didSwipe 0 left", "didShow 1"])
        #expect(try session.swipe(.right, at: 100).trace == ["didRewind 0", "didShow 0"])
        #expect(session.advance(to: 5000).trace == ["didSwipe 0 right", "didShow 1"])
    }

    @Test func severalAreTakenBackInARow() throws {
        var session = DeckSession.make(6)
        let directions: [Direction] = [.left, .right, .right, .left]
        for (index, direction) in directions.enumerated() {
            try session.swipe(direction, at: Instant(Double(index) * 10))
        }
        for index in (0..<4).reversed() {
            let outcome = try session.revert(.origin, at: Instant(100 + Double(4 - index)))
            #expect(outcome.index == index)
            #expect(outcome.direction == directions[index])
        }
        #expect(session.currentIndex == 0)
        #expect(session.shown.leaving.isEmpty)
        #expect(session.shown.faults == [])
        #expect(try session.revert(at: 200).refusal == .nothingToRevert)
    }

    @Test func aRevertDuringADragEndsItWithAResetFirst() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        try session.drag(.changed, .x(60), at: 2000)
        let held = session.shown.cards[0]
        let outcome = try session.revert(.origin, at: 2010)
        #expect(outcome.trace == ["didReset 1", "panFinished 1"])
        #expect(session.shown.cards.map(\.index) == [0, 1, 2])
        // The held card goes back from its current place.
        #expect(session.shown.cards[1].difference(from: held) < 1e-9)
        #expect(!session.shown.dragging)
        #expect(session.settled.shown.cards.map(\.matrix) == [.identity, .identity, .identity])
        #expect(session.advance(to: 5000).trace == ["didRewind 0", "didShow 0"])
    }

    @Test func aRunOutDeckCanBeReverted() throws {
        var session = DeckSession.make(2)
        try session.swipe(.right, at: 0)
        try session.swipe(.left, at: 10)
        #expect(session.isExhausted)
        #expect(try session.revert(.origin, at: 2000).index == 1)
        #expect(!session.isExhausted)
        #expect(session.shown.cards.map(\.index) == [1])
        #expect(session.advance(to: 2300).trace == ["didRewind 1", "didShow 1"])
    }

    @Test func aRevertCrossesTheSeamOfALoop() throws {
        var session = DeckSession.make(4, from: 3) { $0.loop = true }
        try session.swipe(.right, at: 0)
        #expect(session.currentIndex == 0)
        #expect(try session.revert(.origin, at: 1000).index == 3)
        #expect(session.currentIndex == 3)
        #expect(session.shown.cards.map(\.index) == [3, 0, 1])
    }

    @Test func theOnlyCardOfALoopComesBackToo() throws {
        var session = DeckSession.make(1) { $0.loop = true }
        try session.swipe(.right, at: 0)
        try session.swipe(.right, at: 50)
        let later = try #require(session.frame(at: 200).leaving.first)
        try session.revert(at: 200)
        // The last card that left is the one that returns.
        #expect(try session.front.difference(from: later) < 1e-9)
        #expect(session.shown.cards.map(\.role) == [.returning, .leaving])
        try session.revert(at: 230)
        #expect(session.shown.cards.map(\.role) == [.returning])
        #expect(try session.revert(at: 240).refusal == .nothingToRevert)
    }

    @Test func aCardCanForbidIt() throws {
        var kept = Card(id: "kept")
        kept.undoable = false
        var session = DeckSession.make([Card(id: "free"), kept, Card(id: "last")])
        try session.swipe(.right, at: 0)
        try session.swipe(.right, at: 1000)
        try session.drag(.changed, .x(30), at: 2000)
        #expect(try session.revert(at: 2000).refusal == .notUndoable)
        #expect(session.shown.dragging)
        #expect(session.revertibleCount == 2)
    }

    @Test func aBeginningHasNothingToRevert() throws {
        var session = DeckSession.make(from: 3)
        #expect(try session.revert(at: 0).refusal == .nothingToRevert)
        #expect(session.shown.canRevert == 0)
    }

    @Test func aReturningCardThatIsTakenIsToldOfAndIsTheFrontCard() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        try session.revert(at: 2000)
        #expect(try session.drag(.changed, .x(10), at: 2100).trace == ["didRewind 0", "didShow 0", "panBegan 0"])
        #expect(try session.front.role == .front)
        #expect(try session.front.opacity < 0.5)
        #expect(session.frame(at: 3000).cards[0].opacity == 1)
    }

    @Test func theCardsInTheirSlotsStaySeenWhenSeveralAreReverted() throws {
        var session = DeckSession.make(60)
        try session.swipe(.left, at: 0)
        _ = try session.apply(.command(.move(to: 50)), at: 1000)
        try session.swipe(.left, at: 3000)
        _ = try session.apply(.command(.move(to: 1)), at: 5000)
        let before = session.settled.shown.cards
        #expect(before.map(\.index) == [1, 2, 3])
        _ = try session.apply(.revert(.fade, count: 2), at: 10_000)
        let after = session.shown.cards
        #expect(after.map(\.index) == [0, 1, 2])
        #expect(after.dropFirst().map(\.opacity) == before.dropLast().map(\.opacity))
        #expect(after.dropFirst().map(\.frame) == before.dropLast().map(\.frame))
    }

    @Test func everyRevertedCardComesBackFromItsSide() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        try session.swipe(.right, at: 1000)
        _ = try session.apply(.revert(.origin, count: 2), at: 3000)
        let cards = session.shown.cards
        #expect(cards.map(\.index) == [0, 1, 2])
        #expect(cards[0].matrix.tx < -900 && cards[1].matrix.tx > 900)
        let rest = session.settled.shown.cards
        #expect(rest.map(\.matrix) == [.identity, .identity, .identity])
        #expect(rest.map(\.frame) == Array(Expected.slots.prefix(3)))
    }
}
