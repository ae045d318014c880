import Testing

@testable import DeckEngine

/// Changes of the settings while the session runs.
struct ConfigureTests {
    private func configured(_ session: DeckSession, _ change: (inout DeckSettings) -> Void) -> Event {
        var settings = session.settings
        change(&settings)
        return .configure(settings)
    }

    @Test func aThresholdCountsFromNowOnAlsoUnderAFinger() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(100), at: 0)
        #expect(session.shown.drag?.decision == .swipes(.right))
        _ = try session.apply(configured(session) { $0.rules.swipeThreshold = 0.9 }, at: 10)
        #expect(session.shown.dragging)
        #expect(session.shown.drag?.decision == .resets(.belowThreshold))
        #expect(try session.drag(.ended, velocity: .zero, at: 20).ending == .reset(.belowThreshold))
    }

    @Test func directionsChangeForTheCardInHand() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .y(-150), at: 0)
        #expect(session.shown.drag?.progress == 0)
        _ = try session.apply(configured(session) { $0.rules.allowedDirections = [.up] }, at: 10)
        #expect(session.shown.drag?.direction == .up)
        #expect(try session.drag(.ended, velocity: .zero, at: 20).direction == .up)
        #expect(session.currentIndex == 1)
    }

    @Test func moreCardsComeInBehind() throws {
        var session = DeckSession.make(9)
        let change = configured(session) {
            var stack = StackLayout()
            stack.visibleCount = 5
            $0.layout = .stack(stack)
        }
        _ = try session.apply(change, at: 0)
        #expect(session.visibleIndices == [0, 1, 2, 3, 4])
        #expect(session.shown.placed.map(\.opacity) == [1, 0.7, 0.7, 0, 0])
        // Five cards leave four edges of 4 points.
        #expect(session.settled.shown.placed.map(\.opacity) == [1, 0.7, 0.7, 0.7, 0.7])
        #expect(session.settled.shown.placed[0].frame.height == 384)
    }

    @Test func aLoopThatIsSwitchedOnBringsARunOutDeckToItsFirstCard() throws {
        var session = DeckSession.make(3, from: 3)
        let outcome = try session.apply(configured(session) { $0.loop = true }, at: 0)
        #expect(outcome.trace == ["didShow 0"])
        #expect(session.visibleIndices == [0, 1, 2])
        #expect(session.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
    }

    @Test func aLoopThatIsSwitchedOffEndsAtTheLastCard() throws {
        var session = DeckSession.make(3, from: 1) { $0.loop = true }
        #expect(session.visibleIndices == [1, 2, 0])
        _ = try session.apply(configured(session) { $0.loop = false }, at: 0)
        #expect(session.settled.visibleIndices == [1, 2])
        try session.swipe(.left, at: 1000)
        try session.swipe(.left, at: 2000)
        #expect(session.isExhausted)
    }

    @Test func waitingCommandsTakeEffectUnderTheOldRules() throws {
        var session = DeckSession.make { $0.rules.whileAnimating = .queue }
        try session.swipe(.right, at: 0)
        #expect(try session.swipe(.right, at: 50).ending == .queued)
        _ = try session.apply(configured(session) { $0.rules.allowedDirections = [.up] }, at: 60)
        #expect(session.currentIndex == 2)
        #expect(session.settled.lastVerdict == 2)
        #expect(try session.swipe(.right, at: 5000).refusal == .directionNotAllowed)
    }

    @Test func motionThatRunsKeepsItsPaceAndNewMotionHasTheNewOne() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        let before = session.frame(at: 500).leaving
        _ = try session.apply(configured(session) { $0.motion.dragSpeed = 400 }, at: 300)
        #expect(session.frame(at: 500).leaving == before)
        try session.swipe(.right, at: 1000)
        #expect(session.frame(at: 1399).leaving.count == 1)
        #expect(session.frame(at: 1400).leaving.isEmpty)
    }

    @Test func opacitiesGoToTheNewOnes() throws {
        var session = DeckSession.make()
        _ = try session.apply(configured(session) { $0.appearance.semiTransparent = 0.2 }, at: 0)
        #expect(session.shown.placed.map(\.opacity) == [1, 0.7, 0.7])
        #expect(session.shown.settlesAt == 200)
        #expect(session.settled.shown.placed.map(\.opacity) == [1, 0.2, 0.2])
    }

    @Test func theSameSettingsMoveNothing() throws {
        var session = DeckSession.make()
        let before = session.shown.cards
        _ = try session.apply(.configure(session.settings), at: 0)
        #expect(!session.shown.animating)
        #expect(session.shown.cards == before)
    }

    @Test func aStackUnderAFingerThatBecomesACarouselIsLetGo() throws {
        var session = DeckSession.make(9, from: 4)
        try session.drag(.changed, .x(100), at: 0)
        let outcome = try session.apply(configured(session) { $0.layout = .flip(FlipLayout()) }, at: 10)
        #expect(outcome.trace == ["didReset 4", "panFinished 4"])
        #expect(!session.shown.dragging)
        #expect(try session.front.index == 4)
        #expect(try session.front.frame == Rect(x: 0, y: 100, width: 300, height: 200))
    }

    @Test func theThresholdIsCrossedByRulesSizesAndCardsToo() throws {
        func held() throws -> DeckSession {
            var session = DeckSession.make()
            #expect(try session.drag(.changed, .x(60), at: 0).trace == ["panBegan 0"])
            return session
        }
        func settings(_ change: (inout DeckSettings) -> Void) -> Event {
            var settings = DeckSettings()
            change(&settings)
            return .configure(settings)
        }
        var session = try held()
        let lower = settings { $0.rules.swipeThreshold = 0.2 }
        #expect(try session.apply(lower, at: 10).trace == ["thresholdCrossed 0 right"])
        let turned = settings {
            $0.rules.swipeThreshold = 0.2
            $0.rules.allowedDirections = [.left]
        }
        #expect(try session.apply(turned, at: 20).trace == ["thresholdUncrossed 0 right"])
        session = try held()
        let half = Size(width: 150, height: 200)
        #expect(try session.apply(.resize(viewport: half, screen: nil), at: 10).trace == ["thresholdCrossed 0 right"])
        session = try held()
        _ = try session.apply(lower, at: 10)
        var card = Card(id: "0")
        card.allowedDirections = [.up]
        let refresh = Event.refresh(0..<1, from: Deck(cards: .listed([card])))
        #expect(try session.apply(refresh, at: 20).trace == ["thresholdUncrossed 0 right"])
        // The release agrees with the last notification.
        #expect(try session.drag(.ended, velocity: .zero, at: 30).ending == .reset(.belowThreshold))
    }
}
