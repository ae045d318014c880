import Testing

@testable import DeckEngine

/// Swipes by call in a deck at rest, and during animations with `proceed`.
struct SwipeTests {
    @Test func aSwipeByCallIsAVerdictAtOnceAndToldWhenTheNextCardIsInPlace() throws {
        var session = DeckSession.make()
        let outcome = try session.swipe(.right, at: 100)
        #expect(outcome.ending == .swiped)
        #expect(outcome.direction == .right)
        #expect(outcome.index == 0)
        #expect(outcome.trace == [])
        let verdict = Verdict(sequence: 1, at: 100, index: 0, cardID: "0", direction: .right)
        #expect(outcome.verdictChanges == [.given(verdict)])
        #expect(session.currentIndex == 1)
        #expect(session.advance(to: 299.9).isEmpty)
        let told = session.advance(to: 300)
        #expect(told.trace == ["didSwipe 0 right", "didShow 1"])
        #expect(told.map(\.at) == [300, 300])
    }

    @Test func allowedDirectionsHoldEvenByForceAndDeniedOnesDoNot() throws {
        var session = DeckSession.make {
            $0.rules.allowedDirections = [.left, .up]
            $0.rules.deniedDirections = [.up]
        }
        #expect(try session.swipe(.right, at: 0).refusal == .directionNotAllowed)
        #expect(try session.swipe(.right, force: true, at: 0).refusal == .directionNotAllowed)
        #expect(try session.swipe(.up, at: 0).refusal == .directionDenied)
        #expect(session.version == 0)
        #expect(try session.swipe(.up, force: true, at: 0).ending == .swiped)
        #expect(try session.swipe(.left, at: 1000).ending == .swiped)
    }

    @Test func aSwipeByCallTakesTheCardOutOfTheFingersHold() throws {
        var session = DeckSession.make()
        try session.drag(.changed, Vector(x: -40, y: 90), at: 0)
        let before = session.shown.cards[0]
        let outcome = try session.swipe(.right, at: 0)
        #expect(outcome.ending == .swiped)
        #expect(outcome.trace == ["panFinished 0"])
        #expect(!session.shown.dragging)
        #expect(try #require(session.shown.leaving.first).difference(from: before) < 1e-9)
        #expect(try session.drag(.cancelled, at: 10).refusal == .notDragging)
    }

    @Test func aRefusedSwipeDoesNotDisturbTheDrag() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(60), at: 0)
        let cards = session.shown.cards
        #expect(try session.swipe(.up, at: 0).refusal == .directionNotAllowed)
        #expect(session.shown.cards == cards)
        #expect(session.shown.dragging)
    }

    @Test func swipesInARowProceedAndNoneIsLost() throws {
        var session = DeckSession.make(10)
        var told: [String] = []
        for (index, direction) in [Direction.left, .right, .right, .left].enumerated() {
            let outcome = try session.swipe(direction, at: Instant(Double(index) * 20))
            #expect(outcome.ending == .swiped)
            told += outcome.trace
        }
        #expect(session.shown.leaving.map(\.index) == [3, 2, 1, 0])
        told += session.advance(to: 5000).trace
        #expect(
            told == [
                "didSwipe 0 left", "didShow 1", "didSwipe 1 right", "didShow 2",
                "didSwipe 2 right", "didShow 3", "didSwipe 3 left", "didShow 4",
            ]
        )
        #expect(session.revertibleCount == 4)
    }

    @Test func aSwipeDuringAResetAndDuringARevertStartsFromWhatIsSeen() throws {
        var session = DeckSession.make()
        try session.drag(.ended, Vector(x: 70, y: 20), at: 0)
        let reset = session.frame(at: 60).cards[0]
        try session.swipe(.left, at: 60)
        #expect(session.shown.leaving[0].difference(from: reset) < 1e-9)
        try session.revert(.origin, at: 300)
        let returning = session.frame(at: 400).cards[0]
        #expect(returning.role == .returning)
        #expect(try session.swipe(.right, at: 400).trace == ["didRewind 0", "didShow 0"])
        #expect(session.shown.leaving[0].difference(from: returning) < 1e-9)
        #expect(session.shown.leaving[0].opacity == returning.opacity)
    }

    @Test func noMoreCardsFlyThanTheLimitSays() throws {
        var session = DeckSession.make(100)
        for index in 0..<40 { try session.swipe(.right, at: Instant(Double(index))) }
        #expect(session.shown.leaving.count == EngineLimits.leavingCards)
        #expect(session.shown.leaving.first?.index == 39)
        #expect(session.revertibleCount == 40)
    }

    @Test func aLeavingCardIsGoneWhenItsWayIsOver() throws {
        // Grabbed and swiped while it moves in on a spring that takes much longer than the exit.
        var session = DeckSession.make {
            $0.motion.backgroundSpring = SpringSettings(bounciness: 20, speed: 0)
            $0.motion.dragSpeed = 300
        }
        try session.swipe(.right, at: 0)
        try session.drag(.ended, .x(-30), velocity: .x(-900), at: 40)
        #expect(session.frame(at: 339).leaving.map(\.index) == [1])
        #expect(session.frame(at: 340).leaving.isEmpty)
        #expect(session.frame(at: 340).animating)
    }
}
