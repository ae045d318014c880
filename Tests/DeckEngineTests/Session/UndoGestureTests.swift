import Testing

@testable import DeckEngine

/// Directions in which a release reverts the last swipe.
struct UndoGestureTests {
    private func make(_ cards: [Card]) -> DeckSession {
        DeckSession.make(cards) { $0.rules.undoDirections = [.down] }
    }

    private let cards = (0..<5).map { Card(id: "card-\($0)") }

    @Test func aReleasePastTheThresholdRevertsTheLastSwipe() throws {
        var session = make(cards)
        try session.swipe(.left, at: 0)
        try session.drag(.changed, .y(150), at: 2000)
        #expect(session.shown.drag?.decision == .reverts(.down))
        let outcome = try session.drag(.ended, velocity: .zero, at: 2500)
        #expect(outcome.ending == .reverted)
        #expect(outcome.index == 0)
        let verdict = Verdict(sequence: 1, at: 2500, index: 0, cardID: "card-0", direction: .left)
        #expect(outcome.verdictChanges == [.reverted(verdict)])
        #expect(outcome.trace == ["didReset 1", "panFinished 1"])
        #expect(session.advance(to: 9000).trace == ["didRewind 0", "didShow 0"])
        #expect(session.settled.shown.placed.map(\.id) == ["card-0", "card-1", "card-2"])
        #expect(session.settled.shown.placed.allSatisfy { $0.matrix == .identity })
        #expect(session.redoableCount == 1)
    }

    @Test func belowTheThresholdItGoesBack() throws {
        var session = make(cards)
        try session.swipe(.left, at: 0)
        #expect(try session.drag(.ended, .y(60), velocity: .zero, at: 2000).ending == .reset(.belowThreshold))
        #expect(session.revertibleCount == 1)
    }

    @Test func withoutASwipeToRevertItSaysWhy() throws {
        var session = make(cards)
        #expect(try session.drag(.ended, .y(150), velocity: .zero, at: 0).ending == .reset(.nothingToRevert))
        var final = cards
        final[0].undoable = false
        session = make(final)
        try session.swipe(.left, at: 0)
        #expect(try session.drag(.ended, .y(150), velocity: .zero, at: 2000).ending == .reset(.notUndoable))
        #expect(session.lastVerdict == 1 && session.revertibleCount == 1)
    }

    @Test func theOtherDirectionsSwipeAsBefore() throws {
        var session = make(cards)
        #expect(try session.drag(.ended, .x(140), velocity: .zero, at: 0).ending == .swiped)
        #expect(try session.swipe(.down, at: 1000).refusal == .directionNotAllowed)
    }
}
