import Testing

@testable import DeckEngine

/// `whileAnimating: queue`: commands wait for the deck to come to rest, and their outcome is known at once.
struct QueueTests {
    private func make(_ count: Int = 8, change: (inout DeckSettings) -> Void = { _ in }) -> DeckSession {
        DeckSession.make(count) {
            $0.rules.whileAnimating = .queue
            change(&$0)
        }
    }

    @Test func commandsRunOneAfterTheOtherAsPredicted() throws {
        var session = make()
        #expect(try session.swipe(.left, at: 0).ending == .swiped)
        let second = try session.swipe(.right, at: 10)
        #expect(second.ending == .queued)
        #expect(second.index == 1)
        #expect(second.direction == .right)
        let verdict = Verdict(sequence: 2, at: 10, index: 1, cardID: "1", direction: .right)
        #expect(second.verdictChanges == [.given(verdict)])
        #expect(second.trace == [])
        let third = try session.revert(at: 20)
        var reverted = verdict
        reverted.at = 20
        #expect(third.verdictChanges == [.reverted(reverted)])
        let fourth = try session.swipe(.left, at: 30)
        #expect(fourth.index == 1)
        #expect(session.version == 4)
        #expect(session.currentIndex == 1)
        #expect(session.frame(at: 200).currentIndex == 2)
        #expect(session.frame(at: 400).currentIndex == 1)
        #expect(session.shown.settlesAt == 2200)
        let told = session.advance(to: 9999)
        #expect(
            told.trace == [
                "didSwipe 0 left", "didShow 1", "didSwipe 1 right", "didShow 2", "didRewind 1", "didShow 1",
                "didSwipe 1 left", "didShow 2",
            ]
        )
        #expect(told.map(\.at) == [200, 200, 400, 400, 1400, 1400, 1600, 1600])
        #expect(session.version == 4)
        let last = Verdict(sequence: 3, at: 30, index: 1, cardID: "1", direction: .left)
        #expect(fourth.verdictChanges == [.given(last)])
        #expect(session.pile.lastSwipe?.verdict == 3)
    }

    @Test func aCommandThatWillNotBePossibleIsRefusedAtOnce() throws {
        var session = make(2)
        #expect(try session.revert(at: 0).refusal == .nothingToRevert)
        try session.swipe(.left, at: 0)
        #expect(try session.swipe(.up, at: 1).refusal == .directionNotAllowed)
        #expect(try session.swipe(.left, at: 2).ending == .queued)
        #expect(try session.swipe(.left, at: 3).refusal == .noCard)
        #expect(session.version == 2)
        #expect(session.settled.isExhausted)
    }

    /// Any other event makes the queued commands take effect at once, so no time passes between them.
    @Test func aSwipeAfterAQueuedOneThatWillBePendingIsRefused() throws {
        var session = make(10) {
            $0.rules.allowedDirections = [.left, .right, .up]
            $0.rules.confirm = [.up]
            $0.rules.confirmTimeout = .zero
        }
        #expect(try session.swipe(.left, at: 0).ending == .swiped)
        #expect(try session.swipe(.up, at: 10).ending == .queued)
        #expect(try session.swipe(.right, at: 20).refusal == .pending)
        _ = try session.apply(.insert(.numbered(1), at: 10), at: 100)
        #expect(session.lastVerdict == 1)
        let next = try session.swipe(.left, at: 1000)
        #expect(next.verdictChanges.map(\.verdict.sequence) == [2])
    }

    @Test func aSwipeDuringADragEndsItAndWaits() throws {
        var session = make()
        try session.drag(.changed, .x(60), at: 0)
        let outcome = try session.swipe(.left, at: 10)
        #expect(outcome.ending == .queued)
        #expect(outcome.trace == ["didReset 0", "panFinished 0"])
        #expect(session.frame(at: 209).currentIndex == 0)
        #expect(session.frame(at: 210).currentIndex == 1)
        #expect(session.advance(to: 1000).trace == ["didSwipe 0 left", "didShow 1"])
    }

    @Test func withoutCardsBehindThereIsNothingToWaitFor() throws {
        var session = make(1)
        try session.drag(.changed, .x(60), at: 0)
        let outcome = try session.swipe(.left, at: 10)
        #expect(outcome.trace == ["didReset 0", "panFinished 0", "didSwipe 0 left", "didRunOut"])
        #expect(session.isExhausted)
    }

    @Test func aFingerMakesTheWaitingCommandsTakeEffectFirst() throws {
        var session = make()
        try session.swipe(.left, at: 0)
        try session.swipe(.right, at: 10)
        try session.swipe(.left, at: 20)
        let outcome = try session.drag(.began, at: 30)
        #expect(outcome.index == 3)
        #expect(
            outcome.trace == [
                "didSwipe 0 left", "didShow 1", "didSwipe 1 right", "didShow 2", "didSwipe 2 left", "didShow 3",
                "panBegan 3",
            ]
        )
        #expect(session.queuedCount == 0)
        #expect(session.lastVerdictChange?.verdict.at == 20)
    }

    @Test func aFingerThatFindsNoCardLeavesThemWaiting() throws {
        var session = make(2)
        try session.swipe(.left, at: 0)
        try session.swipe(.right, at: 10)
        #expect(try !session.front.interactive)
        #expect(try session.drag(.began, at: 20).refusal == .noCard)
        #expect(session.queuedCount == 1)
    }

    @Test func aReloadMakesThemTakeEffectWithTheDeckTheyWereMeantFor() throws {
        var session = make()
        try session.swipe(.left, at: 0)
        try session.swipe(.right, at: 10)
        let outcome = try session.reload(8, at: 20) { $0.rules.allowedDirections = [.up] }
        #expect(outcome.trace == ["didSwipe 0 left", "didShow 1", "didSwipe 1 right", "didShow 2"])
        #expect(session.currentIndex == 2)
        #expect(session.revertibleCount == 2)
    }

    @Test func aResetTellsOfThemFirst() throws {
        var session = make()
        try session.swipe(.left, at: 0)
        try session.swipe(.right, at: 10)
        let outcome = try session.reset(at: 20)
        #expect(outcome.trace == ["didSwipe 0 left", "didShow 1", "didSwipe 1 right", "didShow 2", "didShow 0"])
        #expect(session.currentIndex == 0)
    }

    @Test func tapsAndTicksLeaveThemWaiting() throws {
        var session = make()
        try session.swipe(.left, at: 0)
        try session.swipe(.right, at: 10)
        try session.tap(at: 20)
        _ = try session.apply(.tick, at: 30)
        #expect(session.queuedCount == 1)
    }

    @Test func onlySoManyCommandsWait() throws {
        var session = make(100)
        try session.swipe(.left, at: 0)
        for _ in 0..<EngineLimits.queuedCommands { #expect(try session.swipe(.right, at: 1).ending == .queued) }
        #expect(try session.swipe(.right, at: 2).refusal == .animating)
        #expect(session.version == 17)
        #expect(session.settled.currentIndex == 17)
        #expect(try session.swipe(.right, at: 200).ending == .queued)
    }

    @Test func waitingCommandsMakeOnlySoManyChanges() throws {
        var session = make(300)
        for number in 0..<200 { try session.swipe(.left, at: Instant(2000 * Double(number))) }
        let time = Instant(2000 * 200)
        try session.swipe(.left, at: time)
        let count = EngineLimits.queuedSteps
        func revert(_ count: Int) throws -> Outcome {
            try session.apply(.revert(.origin, count: count), at: time + 1)
        }
        #expect(try revert(count + 1).refusal == .animating)
        #expect(try revert(count - 1).ending == .queued)
        #expect(try revert(2).refusal == .animating)
        #expect(try revert(1).ending == .queued)
        #expect(session.settled.currentIndex == 201 - count)
    }

    @Test func theyWaitForTheDeckToGrowIntoView() throws {
        var settings = DeckSettings()
        settings.rules.whileAnimating = .queue
        let deck = Deck(cards: .numbered(3), settings: settings)
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400), appears: true)
        #expect(try session.swipe(.left, at: 0).ending == .queued)
        #expect(session.frame(at: 1599).currentIndex == 0)
        #expect(session.frame(at: 1600).currentIndex == 1)
    }

    @Test func aCommandThatMovesNothingStillCountsUntilItTakesEffect() throws {
        // The last card, which leaves without taking time.
        var session = make(2) { $0.motion.dragSpeed = 0 }
        try session.swipe(.left, at: 0)
        try session.swipe(.left, at: 10)
        #expect(session.shown.settlesAt == 200)
        #expect(session.frame(at: 200).exhausted)
        #expect(session.frame(at: 200).settlesAt == nil)
    }
}
