import Testing

@testable import DeckEngine

/// All ways over the seam of a loop.
struct DidLoopTests {
    /// The events that lead over the seam from a front card of a loop of five cards.
    static let ways: [(start: Int, event: Event)] = [
        (4, .swipe(.left)), (4, .command(.sendToBack)), (4, .command(.move(to: 0))), (4, .command(.move(to: 1))),
        (0, .command(.move(to: 4))), (1, .command(.move(to: 4))),
    ]

    @Test(arguments: [Preset.standard, .kolodaBackground, .flipCarousel])
    func everyWayRoundTheSeamIsNotified(preset: Preset) throws {
        for (start, event) in Self.ways {
            var session = DeckSession.make(5, preset: preset, from: start) {
                $0.loop = true
                $0.rules.whileAnimating = .proceed
            }
            _ = session.advance(to: 3000)
            let outcome = try session.apply(event, at: 3000)
            let told = (outcome.notifications + session.advance(to: 9000)).trace
            let shown = "didShow \(session.currentIndex)"
            #expect(told.suffix(2) == ["didLoop", shown], "\(start) \(event)")
        }
    }

    @Test(arguments: [Preset.standard, .flipCarousel])
    func soAreRevertsAndRedosAndPutBack(preset: Preset) throws {
        var session = DeckSession.make(3, preset: preset, from: 2) { $0.loop = true }
        try session.swipe(.left, at: 0)
        #expect(session.advance(to: 3000).trace == ["didSwipe 2 left", "didLoop", "didShow 0"])
        try session.revert(.origin, at: 3000)
        #expect(session.advance(to: 6000).trace == ["didRewind 2", "didLoop", "didShow 2"])
        _ = try session.apply(.command(.redo(count: 1)), at: 6000)
        #expect(session.advance(to: 9000).trace == ["didRedo 2 left", "didLoop", "didShow 0"])
        _ = try session.apply(.command(.move(to: 2)), at: 9000)
        _ = session.advance(to: 12_000)
        _ = try session.apply(.command(.sendToBack), at: 12_000)
        _ = session.advance(to: 15_000)
        _ = try session.apply(.command(.putBack), at: 15_000)
        #expect(session.advance(to: 18_000).trace == ["didLoop", "didShow 2"])
    }

    @Test func soAreScrollsAndDragsOfACarouselBothWays() throws {
        var session = DeckSession.make(5, preset: .flipCarousel)
        func told(_ event: Event, at time: Instant) throws -> [String] {
            let outcome = try session.apply(event, at: time)
            return (outcome.notifications + session.advance(to: time + 2900)).trace.filter { !$0.hasPrefix("pan") }
        }
        func drag(_ way: Double) -> Event {
            .drag(DragEvent(.ended, translation: .y(way), velocity: .zero))
        }
        #expect(try told(.scroll(ScrollEvent(.ended, offset: -30)), at: 0) == ["didLoop", "didShow 4"])
        #expect(try told(drag(60), at: 3000) == ["didLoop", "didShow 1"])
        // A whole round back to the same card.
        #expect(try told(drag(150), at: 6000) == ["didLoop", "didShow 1"])
        // There and back again.
        #expect(try told(.scroll(ScrollEvent(.changed, offset: 300)), at: 9000) == [])
        #expect(try told(.scroll(ScrollEvent(.cancelled)), at: 12_000) == [])
    }

    @Test func withinTheLoopNothingIsNotified() throws {
        for event in [Event.swipe(.left), .command(.move(to: 3)), .command(.sendToBack)] {
            var session = DeckSession.make(6, from: 1) { $0.loop = true }
            let outcome = try session.apply(event, at: 0)
            #expect(!(outcome.notifications + session.advance(to: 9000)).trace.contains("didLoop"), "\(event)")
        }
    }
}
