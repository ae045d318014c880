import Testing

@testable import DeckEngine

/// Springs that swing so far that a card's rectangle has no width for a moment: all numbers stay finite.
struct NarrowCardTests {
    private func session(scale: Double, _ spring: SpringSettings, origin: StackOrigin = .bottom) throws -> DeckSession {
        var session = DeckSession.make(3) {
            var stack = StackLayout()
            stack.scale = scale
            stack.from = origin
            $0.layout = .stack(stack)
            $0.motion.backgroundSpring = spring
        }
        try session.swipe(.left, at: 0)
        return session
    }

    /// Reads frames for as long as something moves.
    private func check(_ session: DeckSession, every step: Double) {
        let end = (session.shown.settlesAt ?? session.now).milliseconds + 2 * step
        for time in stride(from: session.now.milliseconds, through: end, by: step) {
            let frame = session.frame(at: Instant(time))
            let (isFinite, faults) = (frame.isFinite, frame.faults)
            #expect(isFinite && faults == [], "\(faults) at \(time)")
        }
        #expect(session.motion(at: session.now).allSatisfy { $0.isFinite })
    }

    @Test func aCardThatSwingsThroughNoWidthHasNumbersAtEveryMoment() throws {
        var session = try session(scale: 0.05, SpringSettings(bounciness: 9, speed: 16))
        check(session, every: 1)
        try session.revert(at: 1000)
        check(session, every: 0.5)
        let frame = session.frame(at: 1162)
        let isFinite = frame.isFinite
        #expect(isFinite)
        // The test proves nothing if no card becomes that narrow.
        let widths = stride(from: 1000.0, through: 1400, by: 1).flatMap { time in
            session.frame(at: Instant(time)).placed.dropFirst().map(\.frame.width)
        }
        #expect(widths.contains { $0 == 0 })
    }

    @Test(arguments: [0.01, 0.05, 0.2, 0.95, 2], [0.0, 4, 9, 14, 20])
    func everyScaleOnEverySpringHasNumbersAtEveryMoment(scale: Double, bounciness: Double) throws {
        for speed in [0.0, 16, 20] {
            for origin in [StackOrigin.none, .bottom, .topRight] {
                let spring = SpringSettings(bounciness: bounciness, speed: speed)
                var session = try session(scale: scale, spring, origin: origin)
                let step = max(session.settled.now.milliseconds / 40, 7)
                check(session, every: step)
                try session.revert(.origin, at: 130)
                check(session, every: step)
                try session.drag(.changed, Vector(x: 90, y: 30), location: .zero, at: 210)
                try session.drag(.cancelled, at: 220)
                check(session, every: step)
            }
        }
    }
}
