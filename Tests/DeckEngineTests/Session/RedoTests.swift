import Testing

@testable import DeckEngine

/// Reverted swipes that are redone.
struct RedoTests {
    private func redo(_ count: Int = 1) -> Event {
        .command(.redo(count: count))
    }

    @Test func aRedoneSwipeIsANewVerdictInTheSameDirection() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        try session.revert(.origin, at: 1000)
        #expect(session.redoableCount == 1)
        let outcome = try session.apply(redo(), at: 2000)
        let verdict = Verdict(sequence: 2, at: 2000, index: 0, cardID: "0", direction: .left)
        #expect(outcome.verdictChanges == [.given(verdict)])
        #expect(outcome.ending == .swiped)
        #expect(session.advance(to: 2200).trace.last == "didShow 1")
        #expect(session.redoableCount == 0)
        #expect(session.revertibleCount == 1)
        // It leaves to its side, in the same way as after a swipe by call.
        let leaving = try #require(session.frame(at: 2799.9).leaving.first)
        #expect(abs(leaving.matrix.tx + 967) < 0.01)
    }

    @Test func theNotificationSaysThatItWasARedo() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        try session.revert(at: 1000)
        _ = try session.apply(redo(), at: 3000)
        let kinds = session.advance(to: 3200).map(\.kind)
        #expect(kinds == [.didRedo(index: 0, .left), .didShow(index: 1)])
    }

    @Test func severalAreDoneAgainInTheirOrderAllOrNone() throws {
        var session = DeckSession.make(9)
        let directions: [Direction] = [.left, .right, .right, .left]
        for (number, direction) in directions.enumerated() {
            try session.swipe(direction, at: Instant(Double(number) * 1000))
        }
        _ = try session.apply(.revert(.origin, count: 4), at: 5000)
        #expect(try session.apply(redo(5), at: 6000).refusal == .nothingToRedo)
        #expect(try session.apply(redo(0), at: 6000).refusal == .nothingToRedo)
        #expect(session.currentIndex == 0)
        let outcome = try session.apply(redo(3), at: 6000)
        let again = outcome.verdictChanges.compactMap { change -> Direction? in
            if case .given(let verdict) = change { verdict.direction } else { nil }
        }
        #expect(again == [.left, .right, .right])
        #expect(session.currentIndex == 3)
        #expect(session.redoableCount == 1)
    }

    @Test func aNewSwipeForgetsWhatCouldBeRedone() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        try session.swipe(.left, at: 1000)
        _ = try session.apply(.revert(.fade, count: 2), at: 2000)
        _ = try session.apply(redo(), at: 3000)
        #expect(session.redoableCount == 1)
        try session.swipe(.right, at: 4000)
        #expect(session.redoableCount == 0)
        #expect(try session.apply(redo(), at: 5000).refusal == .nothingToRedo)
    }

    @Test func aRefusedSwipeForgetsNothing() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        try session.revert(at: 1000)
        #expect(try session.swipe(.up, at: 2000).refusal == .directionNotAllowed)
        try session.drag(.ended, .x(20), velocity: .zero, at: 2000)
        #expect(session.redoableCount == 1)
    }

    @Test func itGoesAcrossTheSeamOfALoop() throws {
        var session = DeckSession.make(3, from: 2) { $0.loop = true }
        try session.swipe(.right, at: 0)
        #expect(session.currentIndex == 0)
        try session.revert(.origin, at: 1000)
        #expect(session.currentIndex == 2)
        let outcome = try session.apply(redo(), at: 2000)
        #expect(outcome.index == 2)
        #expect(session.currentIndex == 0)
        #expect(session.advance(to: 2200).map(\.kind).contains(.didLoop))
    }

    @Test func theCardComesToTheFrontFromWhereverThePlaceIsNow() throws {
        var session = DeckSession.make(9)
        try session.swipe(.left, at: 0)
        try session.revert(at: 1000)
        _ = try session.apply(.command(.move(to: 6)), at: 3000)
        let outcome = try session.apply(redo(), at: 5000)
        #expect(outcome.index == 0)
        #expect(session.settled.visibleIndices == [1, 2, 3])
    }

    @Test func itFollowsItsCardWhenOthersArePutInBeforeIt() throws {
        var session = DeckSession.make(4)
        try session.swipe(.left, at: 0)
        try session.revert(at: 1000)
        _ = try session.apply(.insert(.listed([Card(id: "new")]), at: 0), at: 3000)
        let outcome = try session.apply(redo(), at: 4000)
        #expect(outcome.index == 1)
        guard case .given(let verdict) = try #require(outcome.verdictChanges.first) else { return }
        #expect(verdict.cardID == "0")
        #expect(verdict.index == session.deck.cards.index(of: "0"))
    }

    /// Only the card that is redone moves.
    @Test func theCardsInTheirSlotsStaySeen() throws {
        var session = DeckSession.make(6)
        try session.swipe(.right, at: 1000)
        try session.revert(at: 3000)
        _ = try session.apply(.command(.move(to: 1)), at: 5000)
        let before = session.settled.shown.cards
        _ = try session.apply(redo(), at: 7000)
        for card in before {
            let after = try #require(session.shown.cards.first { $0.id == card.id })
            #expect(after.opacity == card.opacity && after.frame == card.frame, "\(card.id)")
        }
        #expect(session.shown.cards.last.map { $0.role == .leaving && $0.opacity == 1 } == true)
    }

    @Test func theCardsInTheirSlotsStaySeenWhenSeveralAreRedone() throws {
        var session = DeckSession.make(60)
        try session.swipe(.left, at: 0)
        _ = try session.apply(.command(.move(to: 50)), at: 1000)
        try session.swipe(.left, at: 3000)
        _ = try session.apply(.revert(.fade, count: 2), at: 5000)
        _ = try session.apply(.command(.move(to: 51)), at: 7000)
        let before = session.settled.shown.cards
        #expect(before.map(\.index) == [51, 52, 53])
        _ = try session.apply(redo(2), at: 9000)
        #expect(session.shown.placed == before)
        #expect(session.shown.leaving.map(\.opacity) == [1, 1])
    }
}

extension CardList {
    fileprivate func index(of name: String) -> Int? {
        (0..<count).first { self[$0].id.text == name }
    }
}
