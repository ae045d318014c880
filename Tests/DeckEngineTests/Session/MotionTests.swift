import Foundation
import Testing

@testable import DeckEngine

/// Motion as data, played as in a browser, compared with the frames.
struct MotionTests {
    /// Plays every step of a session's motion at 500 times and compares it with the frames.
    private func check(_ session: DeckSession, expecting properties: Set<MotionStep.Property>) {
        let steps = session.motion(at: session.now)
        #expect(properties.isSubset(of: steps.map(\.property)), "\(steps.map(\.property))")
        PlayedMotion.check(session)
        for step in steps {
            let points = step.points
            if !points.isEmpty {
                #expect(points.first?.time == 0 && points.last?.time == 1)
                #expect(zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time })
                #expect(points.count < 120)
            }
        }
    }

    @Test func aSwipeByCallIsToldInFull() throws {
        var session = DeckSession.make(9)
        try session.swipe(.topLeft, at: 0)
        try session.swipe(.right, at: 0)
        check(session, expecting: [.translation, .rotation, .overlayAlpha, .frame, .opacity])
        _ = session.advance(to: 130)
        check(session, expecting: [.translation, .rotation, .frame])
    }

    /// In a small loop a card comes in again before it has left, and leaves again before that.
    @Test(arguments: [1, 2, 3, 5])
    func whatMovesIsOneOfTheFramesCards(count: Int) throws {
        var session = DeckSession.make(count) { $0.loop = true }
        for time in [Instant(0), 200, 400, 600] {
            try session.swipe(.right, at: time)
            let cards = session.frame(at: time).cards
            #expect(Set(cards.map(\.z)).count == cards.count)
            let steps = session.motion(at: time)
            for step in steps {
                let card = try #require(cards.first { $0.z == step.z })
                #expect(card.index == step.card)
                #expect(steps.count { $0.z == step.z && $0.property == step.property } == 1)
                if step.property == .translation { #expect(card.role == .leaving) }
            }
        }
    }

    /// A card that was removed behind the front one fades below the others.
    @Test func aHintAboveACardThatFadesMovesTheFramesCards() throws {
        var session = DeckSession.make(6)
        _ = try session.apply(.remove(2..<3), at: 0)
        _ = try session.apply(.nudge(.right), at: 10)
        let cards = session.frame(at: 10).cards
        #expect(cards.contains { $0.role == .leaving && $0.z == 0 })
        for step in session.motion(at: 10) {
            let card = try #require(cards.first { $0.z == step.z })
            #expect(card.index == step.card && card.role != .leaving || step.property == .opacity, "\(step)")
        }
        let front = session.motion(at: 10).filter { $0.property == .translation }
        #expect(front.map(\.z) == [3])
    }

    @Test(arguments: [Tracking.finger, .koloda])
    func aResetIsToldInFull(tracking: Tracking) throws {
        var session = DeckSession.make {
            $0.motion.tracking = tracking
            $0.rules.swipeThreshold = 1
        }
        try session.drag(.changed, Vector(x: 110, y: -40), location: .zero, at: 0)
        try session.drag(.ended, velocity: .zero, at: 500)
        check(session, expecting: [.translation, .rotation, .scale, .overlayAlpha, .frame, .opacity])
    }

    @Test(arguments: [0.0, 9, 12, 16, 20], [0.0, 12, 20])
    func springsOfEverySettingAreFollowed(bounciness: Double, speed: Double) throws {
        let spring = SpringSettings(bounciness: bounciness, speed: speed)
        var session = DeckSession.make {
            $0.motion.backgroundSpring = spring
            $0.motion.resetSpring = spring
        }
        try session.swipe(.left, at: 0)
        check(session, expecting: [.frame])
        session = session.settled
        try session.drag(.changed, Vector(x: 60, y: 25), at: session.now)
        try session.drag(.cancelled, at: session.now + 1)
        check(session, expecting: [.translation])
    }

    @Test(arguments: [RevertStyle.fade, .origin])
    func aRevertIsToldInFull(style: RevertStyle) throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        _ = session.advance(to: 5000)
        try session.revert(style, at: 5000)
        check(session, expecting: style == .fade ? [.opacity, .frame] : [.translation, .rotation, .opacity])
    }

    @Test(arguments: Curve.named)
    func anOverlayOnACurveIsFollowed(curve: Curve) throws {
        var session = DeckSession.make { $0.overlay.range.curve = curve }
        try session.swipe(.right, at: 0)
        check(session, expecting: [.overlayAlpha])
        var released = DeckSession.make { $0.overlay.range.curve = curve }
        try released.drag(.changed, .x(60), at: 0)
        try released.drag(.cancelled, at: 10)
        check(released, expecting: [.overlayAlpha])
    }

    @Test func aDeckThatAppearsIsToldAsOne() {
        let session = DeckSession.make(appears: true)
        let steps = session.motion(at: 0)
        #expect(steps.allSatisfy { $0.card == nil && $0.start == 800 && $0.duration == 800 })
        check(session, expecting: [.scale, .opacity])
    }

    @Test func aHintIsToldInFull() throws {
        var session = DeckSession.make()
        _ = try session.apply(.nudge(.right), at: 100)
        check(session, expecting: [.translation, .rotation, .scale, .frame, .opacity, .overlayAlpha])
    }

    @Test func aScrollThatSnapsIsTold() throws {
        var session = DeckSession.make(40, preset: .flipCarousel) { $0.loop = false }
        _ = try session.apply(.scroll(ScrollEvent(.ended, offset: 170, velocity: 900)), at: 0)
        check(session, expecting: [.scroll])
        _ = try session.apply(.command(.move(to: 2)), at: 60)
        check(session, expecting: [.scroll])
    }

    @Test func nothingIsToldOfADeckAtRest() throws {
        var session = DeckSession.make()
        #expect(session.motion(at: 0).isEmpty)
        try session.swipe(.right, at: 0)
        #expect(session.motion(at: session.shown.settlesAt ?? 0).isEmpty)
        #expect(!session.motion(at: 799).isEmpty)
        try session.drag(.changed, .x(40), at: 2000)
        #expect(session.motion(at: 2000).isEmpty)
    }
}
