import Testing

@testable import DeckEngine

/// Changes of the deck's size.
struct ResizeTests {
    private let wide = Event.resize(viewport: Size(width: 600, height: 208), screen: Size(width: 800, height: 400))

    @Test func everyCardGoesToItsPlaceAtOnce() throws {
        var session = DeckSession.make()
        let outcome = try session.apply(wide, at: 0)
        #expect(outcome.isApplied)
        #expect(outcome.notifications.isEmpty)
        #expect(session.shown.placed.map(\.frame.width) == [600, 570, 541.5])
        #expect(session.shown.placed.map(\.frame.height) == [200, 190, 180.5])
        #expect(!session.shown.animating)
    }

    @Test func aFingerKeepsItsCard() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(100), at: 0)
        _ = try session.apply(wide, at: 10)
        #expect(session.shown.dragging)
        // The same distance is a smaller part of the new width: 100 of 300.
        let drag = try #require(session.shown.drag)
        #expect(abs(drag.progress - 1.0 / 3) < 1e-12)
        #expect(drag.translation == .x(100))
        #expect(try session.drag(.ended, .x(151), velocity: .zero, at: 20).ending == .swiped)
    }

    @Test func whoeverLeavesKeepsItsWay() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        let before = try #require(session.frame(at: 500).leaving.first)
        _ = try session.apply(wide, at: 100)
        #expect(try #require(session.frame(at: 500).leaving.first).difference(from: before) < 1e-9)
        // The next one must leave the new screen: 600 + 800, and half of 208 down.
        try session.swipe(.right, at: 1000)
        let last = try #require(session.frame(at: 1799.999).leaving.first)
        #expect(abs(last.matrix.tx - 1400) < 0.01)
        #expect(abs(last.matrix.ty - 104) < 0.01)
    }

    @Test func withoutAScreenTheDeckItselfIsWhatACardLeaves() throws {
        var session = DeckSession.make([Card(id: "a"), Card(id: "b")])
        _ = try session.apply(.resize(viewport: Size(width: 200, height: 100), screen: nil), at: 0)
        #expect(session.screen == Size(width: 200, height: 100))
    }

    @Test func aScreenThatWasGivenStaysWhereTheDeckAloneGetsAnotherSize() throws {
        var session = DeckSession.make()
        _ = try session.apply(wide, at: 0)
        _ = try session.apply(.resize(viewport: Size(width: 200, height: 108), screen: nil), at: 0)
        #expect(session.viewport == Size(width: 200, height: 108))
        #expect(session.screen == Size(width: 800, height: 400))
    }

    @Test func aScreenAloneChangesNothingElse() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        let before = session.frame(at: 150)
        _ = try session.apply(.resize(viewport: nil, screen: Size(width: 800, height: 400)), at: 100)
        #expect(session.screen == Size(width: 800, height: 400))
        #expect(session.frame(at: 150).cards == before.cards, "Animations continue.")
        try session.swipe(.right, at: 1000)
        let last = try #require(session.frame(at: 1799.999).leaving.first)
        #expect(abs(last.matrix.tx - session.viewport.width - 800) < 0.01)
    }

    @Test func aWayThatWasBegunEndsInTheNewPlace() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        _ = try session.apply(wide, at: 100)
        #expect(session.shown.placed.map(\.frame.width) == [600, 570, 541.5])
        // The arrival is notified with the time at which it was due.
        #expect(session.advance(to: 200).trace == ["didSwipe 0 right", "didShow 1"])
    }

    @Test func aCarouselIsCentredAnew() throws {
        var session = DeckSession.make(5, preset: .flipCarousel)
        _ = try session.apply(.resize(viewport: Size(width: 500, height: 500), screen: nil), at: 0)
        #expect(try session.front.frame == Rect(x: 100, y: 150, width: 300, height: 200))
    }

    /// Browsers report the size of an element also when they begin to observe it.
    @Test func theSameSizeChangesNothing() throws {
        var session = DeckSession.make(5)
        try session.swipe(.right, at: 1000)
        let undisturbed = session
        _ = try session.apply(.resize(viewport: session.viewport, screen: nil), at: 1050)
        for time in [1050, 1100, 1200] as [Instant] {
            #expect(session.frame(at: time).cards == undisturbed.frame(at: time).cards)
        }
    }
}
