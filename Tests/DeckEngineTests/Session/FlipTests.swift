import Testing

@testable import DeckEngine

/// Flipping a card.
struct FlipTests {
    @Test func aCardTurnsOver() throws {
        var session = DeckSession.make()
        let outcome = try session.apply(.flip, at: 1000)
        #expect(outcome.index == 0)
        #expect(outcome.notifications.map(\.kind) == [.didFlip(index: 0, .back)])
        #expect(session.shown.settlesAt == 1400)
        // Half way it is seen from its edge; the back comes in from the other side.
        for (time, face, part) in [(1100.0, CardFace.front, 0.25), (1300, .back, 0.75)] {
            let card = try #require(session.frame(at: Instant(time)).cards.first)
            #expect(card.face == face)
            let flip = try #require(card.flip)
            #expect(flip.axis == .vertical)
            let turn = Self.easeInOut(part)
            #expect(abs(flip.angle.value - .pi * (face == .front ? turn : turn - 1)) < 1e-6)
        }
        let back = try #require(session.frame(at: 1400).cards.first)
        #expect(back.face == .back && back.flip == nil && back.matrix == .identity)
        #expect(try session.apply(.flip, at: 3000).notifications.map(\.kind) == [.didFlip(index: 0, .front)])
        #expect(try session.settled.front.face == .front)
    }

    /// CSS `ease-in-out` at a quarter and at three quarters.
    private static func easeInOut(_ time: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let u = (low + high) / 2
            let reached = 3 * (1 - u) * (1 - u) * u * 0.42 + 3 * (1 - u) * u * u * 0.58 + u * u * u
            if reached < time { low = u } else { high = u }
        }
        return 3 * (1 - low) * low * low + low * low * low
    }

    @Test func onlyTheFrontCardOfAStackTurns() throws {
        var session = DeckSession.make()
        _ = try session.apply(.flip, at: 0)
        #expect(session.settled.shown.placed.map(\.face) == [.back, .front, .front])
        var empty = DeckSession.make(0)
        #expect(try empty.apply(.flip, at: 0).refusal == .noCard)
        var carousel = DeckSession.make(5, preset: .flipCarousel)
        #expect(try carousel.apply(.flip, at: 0).refusal == .layoutScrolls)
        #expect(try session.apply(.flip, onlyOn: "3", at: 0).refusal == .notFrontCard)
    }

    @Test func theCardLeavesWithTheFaceItShowsAndTheNextShowsItsFront() throws {
        var session = DeckSession.make()
        _ = try session.apply(.flip, at: 0)
        try session.swipe(.left, at: 1000)
        #expect(session.frame(at: 1100).leaving.map(\.face) == [.back])
        #expect(try session.front.face == .front)
        // A card that still flies comes back with its face.
        try session.revert(.origin, at: 1200)
        #expect(try session.front.face == .back)
    }

    @Test func withoutMotionItIsTurnedAtOnce() throws {
        var session = DeckSession.make { $0.motion.reduced = true }
        _ = try session.apply(.flip, at: 0)
        #expect(try session.front.face == .back)
        #expect(session.shown.settlesAt == nil)
    }

    /// A finger that takes the card elsewhere does not move the axis.
    @Test func itTurnsAboutItsMiddle() throws {
        var session = DeckSession.make(5)
        _ = try session.apply(.flip, at: 1000)
        let before = try session.front
        try session.drag(.began, location: Vector(x: 20, y: 200), at: 1100)
        let front = try session.front
        #expect(front.flip != nil && front.anchor == .center && front.anchor == before.anchor)
    }
}
