import Testing

@testable import DeckEngine

/// Motion as data with several motions at once, compared with the frames.
struct BusyMotionTests {
    /// Each card has at most one step for a property at a time, and each step matches the frames.
    private func check(_ session: DeckSession, expecting properties: Set<MotionStep.Property>) {
        let steps = session.motion(at: session.now)
        #expect(properties.isSubset(of: steps.map(\.property)), "\(steps.map(\.property))")
        for (order, step) in steps.enumerated() {
            // A hint may follow a running motion, but two steps of a property never run at a time.
            let others = steps[(order + 1)...].filter { $0.z == step.z && $0.property == step.property }
            let isApart = others.allSatisfy { other in
                other.start >= step.start + step.duration || step.start >= other.start + other.duration
            }
            #expect(isApart, "two steps at a time: \(step.z ?? -1) \(step.property)")
        }
        PlayedMotion.check(session)
    }

    @Test(arguments: Tracking.allCases, [0.0, 60, 150, 400, 780])
    func aHintThatIsAskedForWhileCardsMoveIsToldInFull(tracking: Tracking, later: Double) throws {
        for spring in [nil, SpringSettings(bounciness: 9, speed: 16)] {
            var session = DeckSession.make(9) {
                $0.motion.tracking = tracking
                $0.motion.backgroundSpring = spring
            }
            try session.swipe(.right, at: 0)
            #expect(try session.apply(.nudge(.left), at: Instant(later)).isApplied)
            check(session, expecting: [.translation, .rotation])
            // While it is running, and after another one replaces it.
            _ = session.advance(to: Instant(later + 250))
            check(session, expecting: [])
            _ = try session.apply(.nudge(.right), at: Instant(later + 450))
            check(session, expecting: [.translation, .rotation])
        }
    }

    @Test(arguments: Tracking.allCases)
    func aHintThatIsAskedForAfterAReleaseIsToldInFull(tracking: Tracking) throws {
        var session = DeckSession.make {
            $0.motion.tracking = tracking
            $0.rules.swipeThreshold = 1
        }
        try session.drag(.changed, Vector(x: 110, y: -40), location: .zero, at: 0)
        try session.drag(.ended, velocity: .zero, at: 500)
        _ = try session.apply(.nudge(.right), at: 520)
        check(session, expecting: [.translation, .rotation])
    }

    @Test(arguments: [30.0, 130, 500])
    func aLeavingCardLiesAsFarInFrontAsInTheFrameAfterTheLayoutHasChanged(time: Double) throws {
        var session = DeckSession.make(9)
        try session.swipe(.left, at: 0)
        try session.swipe(.right, at: 20)
        try session.reload(9, at: Instant(time)) { $0.layout = .flip(FlipLayout()) }
        for moment in [time, time + 40, time + 200] {
            let leaving = session.frame(at: Instant(moment)).cards.filter { $0.matrix != .identity }
            #expect(leaving.count == 2)
            let steps = session.motion(at: Instant(moment)).filter { $0.property == .translation }
            #expect(steps.count == 2)
            for card in leaving {
                #expect(steps.filter { $0.card == card.index }.map(\.z) == [card.z], "card \(card.index) at \(moment)")
            }
        }
    }

    @Test(arguments: Curve.named)
    func anOverlayThatComesInLateIsFollowedThroughAHint(curve: Curve) throws {
        var session = DeckSession.make {
            $0.overlay.range.start = 0.05
            $0.overlay.range.end = 0.3
            $0.overlay.range.curve = curve
        }
        _ = try session.apply(.nudge(.right), at: 100)
        check(session, expecting: [.overlayAlpha, .translation])
        // The overlay is complete before the card leans farthest.
        #expect(session.frame(at: 400).cards.first?.overlay?.alpha == 1)
        #expect(session.frame(at: 300).cards.first?.overlay?.alpha == 1)
    }

    @Test func aTurnIsToldInFull() throws {
        var session = DeckSession.make()
        _ = try session.apply(.flip, at: 100)
        check(session, expecting: [.turn])
        // Back again from its current place.
        _ = try session.apply(.flip, at: 250)
        check(session, expecting: [.turn])
        _ = try session.apply(.flip, at: 2000)
        try session.swipe(.right, at: 2100)
        check(session, expecting: [.turn, .translation])
    }
}
