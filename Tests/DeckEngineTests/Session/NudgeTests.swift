import Testing

@testable import DeckEngine

/// Hints at a direction, which decide nothing.
struct NudgeTests {
    @Test(arguments: [(Direction.right, 30.0, 0.0), (.left, -30, 0), (.up, 0, -39.2), (.down, 0, 39.2)])
    func theFrontCardLeansAFifthOfTheWayAndComesBack(direction: Direction, x: Double, y: Double) throws {
        var session = DeckSession.make { $0.rules.allowedDirections = Directions(Direction.allCases) }
        let outcome = try session.apply(.nudge(direction), at: 1000)
        #expect(outcome.direction == direction)
        #expect(outcome.notifications.isEmpty)
        #expect(session.shown.settlesAt == 1600)
        let top = try #require(session.frame(at: 1300).cards.first)
        #expect(abs(top.matrix.tx - x) < 1e-9 && abs(top.matrix.ty - y) < 1e-9)
        // The overlay is the same as for a drag this far: 0.2 of 0.5.
        #expect(top.overlay?.direction == direction)
        #expect(abs(try #require(top.overlay).progress - 0.4) < 1e-9)
        // Half way up after a quarter of the time, and as high again on the way back.
        for time in [1150.0, 1450] {
            let card = try #require(session.frame(at: Instant(time)).cards.first)
            #expect(abs(card.matrix.tx - x / 2) < 1e-9 && abs(card.matrix.ty - y / 2) < 1e-9)
        }
        #expect(session.frame(at: 1600).cards == session.frame(at: 1000).cards)
        #expect(session.advance(to: 3000).isEmpty)
        #expect(session.currentIndex == 0)
        #expect(session.lastVerdict == 0)
        #expect(session.version == 1)
    }

    @Test func itIsRefusedWhereItWouldMisleadOrDisturb() throws {
        var session = DeckSession.make()
        #expect(try session.apply(.nudge(.up), at: 0).refusal == .directionNotAllowed)
        try session.drag(.began, at: 0)
        #expect(try session.apply(.nudge(.left), at: 0).refusal == .dragging)
        var empty = DeckSession.make(0)
        #expect(try empty.apply(.nudge(.left), at: 0).refusal == .noCard)
        var flip = DeckSession.make(5, preset: .flipCarousel)
        #expect(try flip.apply(.nudge(.left), at: 0).refusal == .layoutScrolls)
    }

    /// A queued command would end the hint before it starts.
    @Test func itIsRefusedWhileCommandsAreQueued() throws {
        var session = DeckSession.make { $0.rules.whileAnimating = .queue }
        try session.swipe(.left, at: 0)
        try session.swipe(.left, at: 1)
        #expect(try session.apply(.nudge(.left), at: 2).refusal == .animating)
        // The deck still moves, but no command waits any more.
        #expect(try session.apply(.nudge(.left), at: 250).isApplied)
        #expect(try #require(session.frame(at: 700).cards.first).matrix.tx < -20)
    }

    @Test func aFingerTakesTheCardFromWhereItLeans() throws {
        var session = DeckSession.make()
        _ = try session.apply(.nudge(.right), at: 0)
        let before = try #require(session.frame(at: 300).cards.first)
        try session.drag(.began, at: 300)
        #expect(try session.front.difference(from: before) < 1e-9)
        // It goes back under the finger, as after a release.
        #expect(abs(try #require(session.frame(at: 2000).cards.first).matrix.tx) < 1e-9)
    }

    @Test func aSwipeTakesTheCardFromWhereItLeans() throws {
        var session = DeckSession.make()
        _ = try session.apply(.nudge(.right), at: 0)
        let before = try #require(session.frame(at: 300).cards.first)
        try session.swipe(.right, at: 300)
        let leaving = try #require(session.shown.leaving.first)
        #expect(leaving.difference(from: before) < 1e-9)
        #expect(try session.front.matrix == .identity)
    }

    @Test func aSecondHintStartsWhereTheFirstIs() throws {
        var session = DeckSession.make()
        _ = try session.apply(.nudge(.right), at: 0)
        let before = try #require(session.frame(at: 300).cards.first)
        _ = try session.apply(.nudge(.left), at: 300)
        #expect(try session.front.difference(from: before) < 1e-9)
        #expect(session.settled.shown.placed.allSatisfy { $0.matrix == .identity })
    }

    @Test func withoutMotionNothingLeans() throws {
        var session = DeckSession.make { $0.motion.reduced = true }
        let before = session.shown.cards
        #expect(try session.apply(.nudge(.right), at: 0).isApplied)
        #expect(!session.shown.animating)
        #expect(session.frame(at: 300).cards == before)
    }

    @Test func theCardsBehindFollowAsFarAsTheyWouldADrag() throws {
        var session = DeckSession.make()
        _ = try session.apply(.nudge(.right), at: 0)
        let behind = session.frame(at: 300).placed[1]
        #expect(abs(behind.frame.width - (285 + 0.2 * 15)) < 1e-9)
        #expect(abs(behind.opacity - (0.7 + 0.2 * 0.3)) < 1e-9)
    }
}
