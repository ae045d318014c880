import Testing

@testable import DeckEngine

/// `whileAnimating: ignore`, which is Koloda's lock.
struct IgnoreTests {
    private func make(_ count: Int = 8) -> DeckSession {
        DeckSession.make(count) { $0.rules.whileAnimating = .ignore }
    }

    @Test func aSwipeByCallLocksUntilItsCardIsGone() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        for time: Instant in [0, 100, 200, 300, 799.9] {
            #expect(try session.swipe(.right, at: time).refusal == .animating)
            #expect(try session.revert(at: time).refusal == .animating)
        }
        #expect(session.version == 1)
        #expect(try session.swipe(.right, at: 800).ending == .swiped)
    }

    @Test func aSwipeByHandLocksUntilTheNextCardIsInPlace() throws {
        var session = make()
        try session.drag(.ended, .x(100), at: 0)
        #expect(try session.swipe(.right, at: 199.9).refusal == .animating)
        #expect(try session.swipe(.right, at: 200).ending == .swiped)
    }

    @Test func aFingerIsNeverLockedOut() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        #expect(try session.drag(.ended, .x(100), at: 50).ending == .swiped)
        #expect(session.currentIndex == 2)
    }

    @Test func aSwipeWaitsForTheFingerAndForTheSpring() throws {
        var session = make()
        try session.drag(.changed, .x(60), at: 0)
        #expect(try session.swipe(.right, at: 50).refusal == .dragging)
        try session.drag(.ended, at: 100)
        #expect(try session.swipe(.right, at: 250).refusal == .animating)
        // The cards behind are back after 200 ms; a spring over 60 points takes longer.
        #expect(try session.swipe(.right, at: 301).refusal == .animating)
        let settlesAt = try #require(session.shown.settlesAt)
        #expect(settlesAt > 400)
        #expect(try session.swipe(.right, at: settlesAt).ending == .swiped)
    }

    @Test func aRevertWaitsForTheCardsBehindOnly() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        try session.drag(.ended, .x(60), at: 2000)
        #expect(try session.revert(at: 2199).refusal == .animating)
        #expect(try session.revert(at: 2200).isApplied)
        #expect(try session.swipe(.left, at: 3199).refusal == .animating)
        #expect(try session.swipe(.left, at: 3200).ending == .swiped)
    }

    @Test func aRevertDuringADragEndsIt() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        try session.drag(.changed, .x(60), at: 2000)
        let outcome = try session.revert(at: 2010)
        #expect(outcome.trace == ["didReset 1", "panFinished 1"])
        #expect(session.currentIndex == 0)
    }

    @Test func neitherFingersNorCallsReachADeckThatGrowsIntoView() throws {
        var settings = DeckSettings()
        settings.rules.whileAnimating = .ignore
        var (session, _) = DeckSession.begin(
            deck: Deck(cards: .numbered(3), settings: settings),
            viewport: Size(width: 300, height: 400),
            appears: true
        )
        #expect(try session.drag(.began, at: 1599).refusal == .animating)
        #expect(try !session.front.interactive)
        #expect(try session.swipe(.right, at: 1599).refusal == .animating)
        #expect(try session.drag(.ended, .x(200), at: 1600).ending == .swiped)
    }

    @Test func aDeckThatMovesDoesNotGrowIntoViewAgain() throws {
        var session = make()
        try session.swipe(.right, at: 0)
        try session.reset(at: 100)
        #expect(session.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
        try session.reset(at: 5000)
        #expect(session.shown.placed.map(\.opacity) == [0, 0, 0])
    }
}
