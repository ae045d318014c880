import Testing

@testable import DeckEngine

/// A session's clock ends at `Instant.last`; by then everything has come to rest.
struct LastMomentTests {
    /// The time before the last moment at which an event happens.
    static let leads: [Double] = [0, 0.25, 1, 16, 130, 599, 600, 800, 1000, 9000]

    /// Whether everything has come to rest at the last moment, and every notification has been sent.
    private func check(_ session: DeckSession, _ name: String) {
        let last = Instant.last
        for time in [session.now, Instant(max(session.now.milliseconds, 1e12 - 0.125)), last] {
            let frame = session.frame(at: time)
            let isFinite = frame.isFinite
            #expect(isFinite, "\(name)")
            #expect((frame.settlesAt ?? last) <= last, "\(name)")
            for step in session.motion(at: time) {
                #expect(step.isFinite, "\(name)")
                #expect(step.start + step.duration <= last, "\(name), \(step.property)")
                #expect(step.duration.value > 0, "\(name), \(step.property)")
            }
        }
        var later = session
        let told = later.advance(to: last)
        #expect(told.allSatisfy { $0.at <= last }, "\(name)")
        #expect(later.shown.settlesAt == nil, "\(name)")
        #expect(!later.isMoving(at: last), "\(name)")
        #expect(later.motion(at: last).isEmpty, "\(name)")
        #expect(later.shown.leaving.isEmpty, "\(name)")
        #expect(later.shown.placed.allSatisfy { $0.matrix == .identity && $0.overlay == nil }, "\(name)")
        #expect(later.queuedCount == 0, "\(name)")
    }

    @Test(arguments: leads)
    func aSwipeAndItsRevertEndByThen(lead: Double) throws {
        let time = Instant(1e12 - lead)
        for spring in [nil, SpringSettings(bounciness: 9, speed: 16)] {
            for style in [RevertStyle.fade, .origin, .from(.left)] {
                var session = DeckSession.make { $0.motion.backgroundSpring = spring }
                let swiped = try session.swipe(.right, at: time)
                check(session, "swipe")
                #expect(swiped.ending == .swiped)
                try session.revert(style, at: time)
                check(session, "revert at once")
                try session.swipe(.left, at: time)
                try session.revert(style, at: .last)
                check(session, "revert at the end")
                #expect(session.settled.currentIndex == 0)
            }
        }
    }

    @Test(arguments: leads)
    func whatIsQueuedIsDoneByThen(lead: Double) throws {
        var session = DeckSession.make(9) { $0.rules.whileAnimating = .queue }
        for _ in 0..<5 { try session.swipe(.right, at: Instant(1e12 - lead)) }
        try session.revert(.origin, at: Instant(1e12 - lead))
        check(session, "queue")
        #expect(session.advanced(to: .last).currentIndex == 4)
    }

    @Test(arguments: leads)
    func aHintEndsByThen(lead: Double) throws {
        var session = DeckSession.make()
        _ = try session.apply(.nudge(.right), at: Instant(1e12 - lead))
        check(session, "nudge")
        var busy = DeckSession.make()
        try busy.swipe(.left, at: Instant(1e12 - lead))
        _ = try busy.apply(.nudge(.right), at: Instant(1e12 - lead))
        check(busy, "nudge after a swipe")
    }

    @Test(arguments: leads)
    func aDeckHasAppearedByThen(lead: Double) throws {
        for speed in [0.0, 800, 1e6] {
            var session = DeckSession.make { $0.motion.dragSpeed = Milliseconds(speed) }
            _ = try session.apply(.appear, at: Instant(1e12 - lead))
            check(session, "appear after \(speed)")
            #expect(session.advanced(to: .last).shown.cards.first?.opacity == 1)
        }
    }

    @Test(arguments: leads)
    func aReleaseEndsByThen(lead: Double) throws {
        for ending in [DragEvent.Phase.cancelled, .ended] {
            for way in [30.0, 200] {
                for tracking in Tracking.allCases {
                    var session = DeckSession.make { $0.motion.tracking = tracking }
                    try session.drag(.changed, .x(way), at: Instant(1e12 - lead))
                    try session.drag(ending, velocity: .zero, at: Instant(1e12 - lead))
                    check(session, "release at \(way)")
                }
            }
        }
    }

    @Test(arguments: leads, [true, false])
    func aFlungCarouselRestsByThen(lead: Double, loop: Bool) throws {
        var session = DeckSession.make(40, preset: .flipCarousel) { $0.loop = loop }
        _ = try session.apply(.scroll(ScrollEvent(.ended, offset: 170, velocity: 900)), at: Instant(1e12 - lead))
        check(session, "fling")
        #expect(session.advanced(to: .last).offset.to == session.advanced(to: .last).offset.value(at: .last))
        var dragged = DeckSession.make(40, preset: .flipCarousel) { $0.loop = loop }
        try dragged.drag(.changed, .y(75), at: Instant(1e12 - lead))
        try dragged.drag(.ended, .y(75), velocity: .y(3000), at: Instant(1e12 - lead))
        check(dragged, "fling by a finger")
    }

    @Test(arguments: leads)
    func aSwipeWithoutADecisionIsDeniedByThen(lead: Double) throws {
        var session = DeckSession.make { $0.rules.confirm = [.right] }
        let outcome = try session.swipe(.right, at: Instant(1e12 - lead))
        #expect(outcome.ending == .pending)
        check(session, "confirm")
        #expect(session.advanced(to: .last).shown.pending == nil)
        #expect(session.advanced(to: .last).currentIndex == 0)
    }

    @Test(arguments: leads)
    func aTurnEndsByThen(lead: Double) throws {
        var session = DeckSession.make()
        _ = try session.apply(.flip, at: Instant(1e12 - lead))
        check(session, "flip")
        #expect(try session.advanced(to: .last).front.face == .back)
        #expect(try session.advanced(to: .last).front.flip == nil)
    }
}
