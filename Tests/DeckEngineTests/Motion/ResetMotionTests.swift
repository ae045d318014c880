import Testing

@testable import DeckEngine

/// The return of a card that was released too early.
struct ResetMotionTests {
    @Test func theCardSpringsBackAndTurnsUpright() throws {
        var session = DeckSession.make()
        // Grabbed in its middle, so that turn and translation can be distinguished.
        try session.drag(.changed, Vector(x: 60, y: -80), location: Vector(x: 150, y: 195), at: 1000)
        let held = try session.front
        try session.drag(.ended, at: 1000)
        for elapsed in [0.0, 16, 40, 77, 120, 180, 240, 330] {
            let card = session.frame(at: Instant(1000 + elapsed)).cards[0]
            let rest = Expected.resetSpring(elapsed)
            let turned = 1 - Expected.ease(elapsed / 200)
            #expect(abs(card.matrix.degrees - turned * 3.6) < 1e-6)
            #expect(abs(card.matrix.scale - (1 - 0.04 * turned)) < 1e-8)
            // The anchor stays where the finger was until the card is upright.
            #expect(card.anchor == (turned > 0 ? held.anchor : .center))
            #expect(abs(card.matrix.tx - rest * 60) < 1e-3)
            #expect(abs(card.matrix.ty + rest * 80) < 1e-3)
            #expect(abs((card.overlay?.progress ?? 0) - 0.8 * turned) < 1e-8)
        }
        #expect(session.frame(at: 1240).cards[0].overlay == nil)
        let settlesAt = try #require(session.shown.settlesAt)
        #expect((1400...1480).contains(settlesAt.milliseconds))
        #expect(session.frame(at: settlesAt).cards[0].matrix == .identity)
    }

    @Test func theSpringSwingsBeyondItsTarget() throws {
        var session = DeckSession.make()
        try session.drag(.ended, .x(60), at: 0)
        let ways = stride(from: 0.0, to: 400, by: 4).map { session.frame(at: Instant($0)).cards[0].matrix.tx }
        let least = try #require(ways.min())
        // The first overshoot of this spring, e^(-πζ/√(1-ζ²)).
        #expect(abs(least + 60 * 0.1) < 0.05)
    }

    @Test func theCardsBehindGoBackStraightInTwoTenthsOfASecond() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(60), at: 0)
        let held = session.shown.cards
        try session.drag(.ended, at: 0)
        for elapsed in [0.0, 50, 100, 150, 200] {
            let cards = session.frame(at: Instant(elapsed)).cards
            let part = elapsed / 200
            for place in 1...2 {
                let (from, to) = (held[place].frame, Expected.slots[place])
                #expect(abs(cards[place].frame.y - (from.y + part * (to.y - from.y))) < 1e-9)
                #expect(abs(cards[place].frame.width - (from.width + part * (to.width - from.width))) < 1e-9)
            }
            #expect(abs(cards[1].opacity - (0.82 - part * 0.12)) < 1e-9)
            #expect(cards[2].opacity == 0.7)
        }
    }

    @Test func theDurationOfAResetIsASetting() throws {
        var session = DeckSession.make { $0.motion.resetDuration = 100 }
        try session.drag(.ended, .x(60), location: .zero, at: 0)
        let cards = session.frame(at: 50).cards
        #expect(abs(cards[0].matrix.degrees - 3.6 * (1 - Expected.ease(0.5))) < 1e-6)
        #expect(session.frame(at: 100).cards[1].frame == Expected.slots[1])
    }

    @Test func theSpringIsASetting() throws {
        var session = DeckSession.make { $0.motion.resetSpring = SpringSettings(bounciness: 4, speed: 12) }
        try session.drag(.ended, .x(60), at: 0)
        for elapsed in [30.0, 90, 150] {
            // Pop's constants for these two, computed separately.
            let rest = Expected.spring(tension: 342.10058823529414, friction: 30.486979648244258, elapsed)
            #expect(abs(session.frame(at: Instant(elapsed)).cards[0].matrix.tx - 60 * rest) < 1e-9)
        }
    }

    @Test func aResetWithoutASpringFollowsACurve() throws {
        var session = DeckSession.make {
            $0.motion.resetSpring = nil
            $0.motion.resetDuration = 400
            $0.motion.resetEasing = .linear
        }
        try session.drag(.ended, .x(60), velocity: .zero, at: 0)
        #expect(session.shown.settlesAt == 400)
        for part in [0.25, 0.5, 0.9] {
            let card = session.frame(at: Instant(400 * part)).cards[0]
            #expect(abs(card.matrix.tx - 60 * (1 - part)) < 1e-9)
            #expect(abs(card.matrix.degrees + 18 * 0.2 * (1 - part)) < 1e-9)
        }
        #expect(session.frame(at: 400).cards[0].matrix == .identity)
    }
}
