import RandomTesting
import Testing

@testable import DeckEngine

/// The same events at the same times give the same frames, no matter when frames are read in between.
struct DeterminismTests {
    @Test(arguments: RandomSession.seeds)
    func lookingInBetweenChangesNothing(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var random = SeededNumbers(seed: ~seed)
        var alone = plan.begin()
        var watched = plan.begin()
        #expect(alone == watched)
        for (number, step) in plan.steps.enumerated() {
            let heard = watch(&watched, until: step.time, using: &random)
            let expected = try alone.apply(step.event, at: step.time)
            var outcome = try watched.apply(step.event, at: step.time)
            outcome.notifications = heard + outcome.notifications
            #expect(outcome == expected, "step \(number)")
            try #require(watched == alone, "step \(number)")
            #expect(watched.hashValue == alone.hashValue)
            for later: Milliseconds in [0, 40, 230, 1100, 5000] {
                let time = step.time + later
                #expect(watched.frame(at: time) == alone.frame(at: time), "step \(number), \(later.value) ms later")
            }
        }
    }

    /// Reads frames and moves the clock at many times before `end`.
    private func watch(
        _ session: inout DeckSession,
        until end: Instant,
        using random: inout SeededNumbers
    ) -> [DeckNotification] {
        var heard: [DeckNotification] = []
        let begin = session.now.milliseconds
        let looks = (0..<5).map { _ in Double.random(in: begin...max(begin, end.milliseconds), using: &random) }
        for look in looks.sorted() {
            _ = session.frame(at: Instant(look + 700))
            if random.chance(0.7) { heard += session.advance(to: Instant(look)) }
            _ = session.frame(at: Instant(look))
        }
        return heard
    }

    @Test(arguments: RandomSession.seeds)
    func lookingAheadShowsWhatWillBeSeen(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        for (number, step) in plan.steps.enumerated() {
            for later: Milliseconds in [0, 1, 90, 199.9, 200, 450, 801, 2500] {
                let time = session.now + later
                var moved = session
                let notifications = moved.advance(to: time)
                let frame = session.frame(at: time)
                #expect(frame == moved.frame(at: time), "before step \(number), \(later.value) ms ahead")
                #expect(frame.lastNotification == moved.lastNotification)
                #expect(notifications.count == moved.lastNotification - session.lastNotification)
            }
            _ = try session.apply(step.event, at: step.time)
        }
    }

    @Test(arguments: RandomSession.seeds)
    func aCopyGoesItsOwnWay(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        var copies: [DeckSession] = []
        for (number, step) in plan.steps.enumerated() {
            if number % 7 == 0 { copies.append(session) }
            _ = try session.apply(step.event, at: step.time)
        }
        for (number, copy) in copies.enumerated() {
            var copy = copy
            for step in plan.steps.dropFirst(7 * number) { _ = try copy.apply(step.event, at: step.time) }
            #expect(copy == session)
            #expect(copy.shown == session.shown)
        }
    }

    @Test func framesBeforeTheClockCountAsNow() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 500)
        #expect(session.frame(at: 3) == session.shown)
        #expect(session.shown.at == 500)
    }

    @Test func aQueuedRevertFindsTheCardThatHasGoneHoweverOftenOneLooks() throws {
        // The card is out of sight long before the revert takes effect.
        var session = DeckSession.make {
            $0.rules.whileAnimating = .queue
            $0.motion.dragSpeed = 50
        }
        try session.swipe(.right, at: 0)
        try session.revert(.origin, at: 10)
        var watched = session
        _ = watched.advance(to: 100)
        _ = watched.advance(to: 250)
        _ = session.advance(to: 250)
        #expect(session == watched)
        #expect(session.frame(at: 350) == watched.frame(at: 350))
    }

    @Test func theStackingOfLeavingCardsDoesNotDependOnLooking() throws {
        // The second card is faster than the first: it is gone while the first and the third still fly.
        var session = DeckSession.make(8)
        try session.reload(8, at: 0) { $0.motion.dragSpeed = 2000 }
        try session.swipe(.right, at: 0)
        try session.reload(8, at: 1) { $0.motion.dragSpeed = 100 }
        try session.swipe(.right, at: 1)
        try session.reload(8, at: 2) { $0.motion.dragSpeed = 2000 }
        try session.swipe(.right, at: 2)
        var watched = session
        _ = watched.advance(to: 150)
        #expect(session.frame(at: 160) == watched.frame(at: 160))
        #expect(session.frame(at: 160).leaving.map(\.z) == [3, 4])
    }
}
