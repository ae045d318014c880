import Testing

@testable import DeckEngine

/// Taps, and events that are not taps.
struct TapTests {
    @Test func aTapOnTheFrontCardSelectsIt() throws {
        var session = DeckSession.make(from: 2)
        for index in [nil, 2] {
            let outcome = try session.tap(index, at: 0)
            #expect(outcome.trace == ["didSelect 2"])
            #expect(outcome.index == 2)
        }
        #expect(session.version == 2)
    }

    @Test func aTapOnACardThatIsNotInFrontIsRefused() throws {
        var session = DeckSession.make(from: 1)
        for index in [0, 2, 4] { #expect(try session.tap(index, at: 0).refusal == .notFrontCard) }
        // Names the card that has just been swiped.
        try session.swipe(.right, at: 0)
        #expect(try session.tap(1, at: 10).refusal == .notFrontCard)
        #expect(try session.tap(2, at: 10).isApplied)
    }

    @Test func aTapOnNoCardAtAllIsOutOfRange() throws {
        var session = DeckSession.make(3)
        for index in [-1, 3, .max, .min] { #expect(try session.tap(index, at: 0).refusal == .indexOutOfRange) }
        var empty = DeckSession.make(0)
        #expect(try empty.tap(0, at: 0).refusal == .indexOutOfRange)
        #expect(try empty.tap(at: 0).refusal == .noCard)
        #expect(session.version == 0)
    }

    @Test func aTapDisturbsNothing() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(50), at: 0)
        let cards = session.shown.cards
        #expect(try session.tap(at: 0).isApplied)
        #expect(session.shown.cards == cards)
        #expect(session.shown.dragging)
    }

    @Test func aTickOnlyMovesTheClock() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        let outcome = try session.apply(.tick, at: 700)
        #expect(outcome.trace == ["didSwipe 0 right", "didShow 1"])
        #expect(session.now == 700)
        #expect(session.version == 2)
    }

    @Test func timeNeverRunsBackwards() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 500)
        let before = session
        for time in [499.999, -1, -Double.infinity, .nan] {
            #expect(throws: SessionError.timeRunsBackwards(now: 500)) {
                try session.apply(.tick, at: Instant(time))
            }
            #expect(session.advance(to: Instant(time)).isEmpty)
            #expect(session == before)
            #expect(session.now == 500)
        }
        #expect(try session.apply(.tick, at: 500).isApplied)
    }

    @Test func whatTakesNoTimeIsToldInTheAnswer() throws {
        var session = DeckSession.make(2) {
            $0.motion.backgroundDuration = 0
            $0.motion.revertFadeDuration = 0
        }
        #expect(try session.swipe(.right, at: 0).trace == ["didSwipe 0 right", "didShow 1"])
        #expect(try session.revert(at: 0).trace == ["didRewind 0", "didShow 0"])
        #expect(session.shown.lastNotification == session.lastNotification)
    }

    @Test func aTapSaysHowOften() throws {
        var session = DeckSession.make()
        for count in 1...3 {
            let outcome = try session.apply(.tap(index: nil, count: count), at: 0)
            #expect(outcome.notifications.map(\.kind) == [.didSelect(index: 0, count: count)])
        }
    }

    @Test func aPressIsNotified() throws {
        var session = DeckSession.make(from: 1)
        let outcome = try session.apply(.press(index: nil), at: 10)
        #expect(outcome.notifications.map(\.kind) == [.didPress(index: 1)])
        #expect(outcome.index == 1)
        #expect(try session.apply(.press(index: 2), at: 20).refusal == .notFrontCard)
        #expect(try session.apply(.press(index: 9), at: 20).refusal == .indexOutOfRange)
        var empty = DeckSession.make(0)
        #expect(try empty.apply(.press(index: nil), at: 0).refusal == .noCard)
    }
}
