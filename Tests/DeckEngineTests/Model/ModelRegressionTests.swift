import DeckEngine
import Testing

/// Short lists of steps on which the model and the engine differed once.
struct ModelRegressionTests {
    private func check(_ start: ModelStart, _ steps: [ModelStep]) {
        let fault = ModelRun.fault(of: start, steps)
        #expect(fault == nil)
    }

    private func flip(_ count: Int, loop: Bool = true, startIndex: Int = 0) -> ModelStart {
        ModelStart(preset: .flipCarousel, loop: loop, count: count, startIndex: startIndex)
    }

    @Test func aShuffleLeavesAloneWhatAWaitingCommandSwipes() {
        check(
            ModelStart(count: 50, policy: .queue),
            [
                .init(3000, .swipe(.right, force: false)),
                .init(8, .swipe(.right, force: false)),
                .init(8, .revert(.origin, 2)),
                .init(350, .shuffle(2_665_881)),
                .init(0, .swipe(.left, force: false)),
                .init(0, .swipe(.left, force: false)),
                .init(0, .shuffle(3)),
            ]
        )
    }

    @Test func aShuffleIsNotConfusedByACardThatFliesOutOfAFormerDeck() {
        check(
            ModelStart(count: 7, startIndex: 6),
            [.init(0, .swipe(.right, force: false)), .init(10, .reload(2)), .init(10, .shuffle(1))]
        )
    }

    @Test func aRefreshDoesNotTakeBackWhatAWaitingCommandWasPromised() {
        check(
            ModelStart(count: 7, policy: .queue),
            [
                .init(0, .swipe(.right, force: false)),
                .init(16, .swipe(.left, force: false)),
                .init(16, .refresh(0, 7, .onlyRight)),
            ]
        )
    }

    @Test func theBackOfTheDeckIsAnotherOneWhenALoopIsCutOpen() {
        let start = ModelStart(loop: true, count: 7)
        check(start, [.init(0, .sendToBack), .init(900, .configure(.loop(false))), .init(0, .putBack)])
    }

    @Test func theLastCardSentToTheBackIsNotPutBackBeforeOthers() {
        check(
            ModelStart(count: 3, startIndex: 1),
            [
                .init(0, .sendToBack), .init(0, .swipe(.left, force: false)), .init(0, .sendToBack),
                .init(0, .revert(.fade, 1)), .init(0, .putBack), .init(0, .putBack),
            ]
        )
    }

    @Test func aHintEndsWithTheCardItWasFor() {
        check(ModelStart(count: 7, policy: .queue), [.init(3000, .nudge(.left)), .init(0, .reload(0))])
        check(ModelStart(count: 7), [.init(0, .nudge(.left)), .init(0, .move(3))])
    }

    // MARK: The flip carousel

    @Test func aRevertedCardOfACarouselIsInFrontWhateverCameBetween() {
        check(
            flip(50),
            [.init(900, .swipe(.left, force: true)), .init(50, .sendToBack), .init(0, .revert(.from(.topLeft), 1))]
        )
        check(
            flip(50),
            [.init(900, .swipe(.left, force: true)), .init(50, .move(20)), .init(0, .revert(.fade, 1))]
        )
    }

    @Test func aCarouselOfFewCardsShowsAllOfThem() {
        check(flip(1), [.init(0, .tick), .init(0, .swipe(.left, force: false))])
        check(flip(3), [.init(0, .tick), .init(0, .swipe(.left, force: false)), .init(0, .revert(.fade, 1))])
        check(ModelStart(preset: .flipCarousel, count: 0), [.init(900, .insertNumbered(1, at: 0))])
    }

    @Test func aCarouselGoesBackWhenItsDragIsInterrupted() {
        check(flip(4, loop: false), [.init(8, .drag(.changed, x: 90, y: 242, speed: nil)), .init(50, .remove(3, 4))])
        check(
            flip(4),
            [
                .init(8, .drag(.changed, x: 0, y: 65, speed: nil)),
                .init(50, .drag(.cancelled, x: nil, y: nil, speed: nil)),
            ]
        )
    }

    @Test func aCarouselTakenInItsGlideGoesBackToWhereItWasGliding() {
        check(
            flip(9),
            [
                .init(0, .move(3)),
                .init(60, .drag(.began, x: nil, y: nil, speed: nil)),
                .init(0, .drag(.cancelled, x: nil, y: nil, speed: nil)),
            ]
        )
    }

    @Test func aCarouselBetweenTwoCardsComesToRestWithACommand() {
        let between = ModelStep(8, .scroll(.began, offset: 125.25, speed: 0))
        check(flip(7, loop: false, startIndex: 1), [between, .init(0, .sendToBack)])
        check(flip(7, loop: false, startIndex: 1), [between, .init(0, .move(4))])
        check(flip(7), [.init(8, .scroll(.changed, offset: -135, speed: 0)), .init(0, .swipe(.left, force: false))])
    }

    @Test func aCancelledScrollStaysWithinTheDeck() {
        check(
            flip(3, loop: false, startIndex: 2),
            [
                .init(350, .swipe(.left, force: false)), .init(900, .revert(.fade, 1)),
                .init(0, .scroll(.cancelled, offset: 310.25, speed: nil)),
            ]
        )
    }

    @Test func aScrollIsRefusedWhereAWaitingCommandRunsOutOfCards() {
        var start = flip(2, loop: false)
        start.policy = .queue
        check(
            start,
            [
                .init(16, .swipe(.left, force: true)), .init(16, .swipe(.left, force: true)),
                .init(16, .scroll(.changed, offset: 103.25, speed: nil)),
            ]
        )
    }

    @Test func scrollingACarouselForgetsWhatWasSentToItsBack() {
        check(
            flip(50),
            [.init(50, .sendToBack), .init(0, .scroll(.cancelled, offset: nil, speed: 0)), .init(16, .putBack)]
        )
    }

    @Test func aDeckGoesOnWhereItIsWhenItBecomesACarousel() {
        check(
            ModelStart(loop: true, count: 50, startIndex: 1),
            [
                .init(16, .drag(.ended, x: 900, y: 0, speed: 0)), .init(0, .configure(.preset(.flipCarousel))),
                .init(900, .swipe(.left, force: false)), .init(900, .configure(.loop(false))),
            ]
        )
    }

    @Test func aRoundThatAScrollHasStartedIsNotAnnouncedAfterARevert() {
        check(
            flip(2),
            [
                .init(0, .swipe(.left, force: true)),
                .init(0, .scroll(.changed, offset: 194.97, speed: nil)),
                .init(0, .revert(.fade, 1)),
                .init(0, .finger(.changed, to: nil, grabbed: nil, speed: nil), thorough: true),
            ]
        )
    }

    @Test func aDeckStaysCountedWhenNoCardsAreInserted() {
        check(
            ModelStart(count: 5),
            [
                .init(0, .swipe(.right, force: false)),
                .init(0, .reload(100_000)),
                .init(0, .insertNumbered(0, at: 39_496)),
                .init(0, .reload(100_001)),
            ]
        )
    }

    @Test func aCardThatAFingerHasBroughtAllTheWayMovesNoFurther() {
        check(
            ModelStart(changes: [.duration(.backgroundDuration, 60_000), .opacity(0.9, behind: 0.2, fadeNext: true)]),
            [
                .init(0, .finger(.changed, to: .init(550, 0), grabbed: nil, speed: nil)),
                .init(0, .swipe(.right, force: false)),
                .init(0, .finger(.ended, to: .init(40, 0), grabbed: nil, speed: nil)),
            ]
        )
    }

    @Test func cardsAreCountedAfterAWholeRedo() {
        let swipe = ModelStep(900, .swipe(.left, force: false))
        check(
            ModelStart(loop: true, count: 7, reduced: true),
            Array(repeating: swipe, count: 8) + [
                .init(0, .revert(.fade, 8)), .init(0, .configure(.loop(false))), .init(0, .redo(8)),
            ]
        )
    }
}
