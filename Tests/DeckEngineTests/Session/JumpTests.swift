import Testing

@testable import DeckEngine

/// Bringing another card to the front without a verdict.
struct JumpTests {
    private func move(_ index: Int) -> Event {
        .command(.move(to: index))
    }

    @Test func theCardComesInAndIsShownOnce() throws {
        var session = DeckSession.make(20)
        let outcome = try session.apply(move(9), at: 0)
        #expect(outcome.index == 9)
        #expect(outcome.notifications.isEmpty)
        #expect(session.currentIndex == 9)
        // A card that was not visible fades in at its slot; cards that have lost their slot are gone.
        #expect(session.shown.placed.map(\.index) == [9, 10, 11])
        #expect(session.shown.placed.map(\.opacity) == [0, 0, 0])
        #expect(session.advance(to: 199.9).isEmpty)
        #expect(session.advance(to: 200).trace == ["didShow 9"])
        #expect(session.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
        #expect(session.lastVerdict == 0)
        #expect(session.revertibleCount == 0)
    }

    @Test func aCardThatIsSeenMovesFromItsPlace() throws {
        var session = DeckSession.make(20)
        _ = try session.apply(move(2), at: 0)
        #expect(try session.front.frame.difference(from: Expected.slots[2]) < 1e-9)
        let half = try #require(session.frame(at: 100).placed.first).frame
        let part = Expected.ease(0.5)
        #expect(abs(half.width - (Expected.slots[2].width + part * (300 - Expected.slots[2].width))) < 1e-6)
        #expect(session.settled.shown.placed[0].frame == Rect(x: 0, y: 0, width: 300, height: 392))
    }

    @Test func aJumpToTheFrontCardChangesNothing() throws {
        var session = DeckSession.make(5, from: 2)
        let before = session
        let outcome = try session.apply(move(2), at: 0)
        #expect(outcome.isApplied)
        #expect(outcome.index == 2)
        #expect(!session.shown.animating)
        #expect(session.shown.cards == before.shown.cards)
        #expect(session.version == 1)
    }

    @Test(arguments: [-1, 5, Int.max, Int.min])
    func anIndexOutsideTheDeckIsRefused(index: Int) throws {
        var session = DeckSession.make(5)
        #expect(try session.apply(move(index), at: 0).refusal == .indexOutOfRange)
        #expect(session.version == 0)
    }

    @Test func aDragEndsWithAReset() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(100), at: 0)
        let outcome = try session.apply(move(3), at: 100)
        #expect(outcome.trace == ["didReset 0", "panFinished 0", "needsCards 2"])
        #expect(!session.shown.dragging)
    }

    @Test func aDeckThatRanOutGoesOnFromThere() throws {
        var session = DeckSession.make(3, from: 3)
        #expect(session.isExhausted)
        _ = try session.apply(move(1), at: 0)
        #expect(session.settled.visibleIndices == [1, 2])
        #expect(try session.swipe(.left, at: 1000).index == 1)
    }

    @Test func anUndoAfterwardsGoesBackToTheSwipedCard() throws {
        var session = DeckSession.make(20)
        try session.swipe(.left, at: 0)
        _ = try session.apply(move(12), at: 1000)
        #expect(try session.revert(.origin, at: 2000).index == 0)
        #expect(session.settled.visibleIndices == [0, 1, 2])
    }

    @Test func aLoopOfCardsGoesTheShorterWayRound() throws {
        var session = DeckSession.make(10, preset: .flipCarousel)
        _ = try session.apply(move(8), at: 0)
        #expect(session.offset.to == -2)
        _ = try session.apply(move(1), at: 5000)
        #expect(session.offset.to == 1)
        _ = try session.apply(move(6), at: 10_000)
        #expect(session.offset.to == 6)
        #expect(session.settled.shown.currentIndex == 6)
    }

    @Test func aJumpWaitsItsTurnWhereCommandsDo() throws {
        var session = DeckSession.make(9) { $0.rules.whileAnimating = .queue }
        try session.swipe(.right, at: 0)
        #expect(try session.apply(move(5), at: 50).ending == .queued)
        #expect(session.currentIndex == 1)
        #expect(session.advance(to: 400).trace == ["didSwipe 0 right", "didShow 1", "didShow 5"])
        #expect(session.currentIndex == 5)
    }
}
