import Testing

@testable import DeckEngine

/// Where a carousel comes to rest, and which notifications it sends.
struct CarouselRestTests {
    private func scroll(_ phase: DragEvent.Phase, _ offset: Double? = nil) -> Event {
        .scroll(ScrollEvent(phase, offset: offset))
    }

    @Test func aScrollThatEndsWhereItIsShowsTheCard() throws {
        var session = DeckSession.make(20, preset: .flipCarousel)
        #expect(try session.apply(scroll(.changed, 90), at: 0).trace == [])
        #expect(try session.apply(scroll(.ended, 90), at: 100).trace == ["didShow 3"])
        #expect(session.advance(to: 5000).isEmpty)
    }

    @Test func aDragThatHasPassedCardsShowsTheLast() throws {
        var session = DeckSession.make(20, preset: .flipCarousel)
        try session.drag(.began, at: 0)
        for step in 1...6 { try session.drag(.changed, .y(Double(step) * 20), at: Instant(Double(step) * 100)) }
        let outcome = try session.drag(.ended, .y(120), velocity: .zero, at: 700)
        #expect((outcome.notifications + session.advance(to: 5000)).trace == ["panFinished 0", "didShow 4"])
    }

    @Test func oneThatComesBackShowsNothing() throws {
        var session = DeckSession.make(20, preset: .flipCarousel)
        #expect(try session.apply(scroll(.ended, 10), at: 0).trace == [])
        #expect(session.advance(to: 5000).isEmpty)
    }

    @Test func aCancelledScrollGoesBackAsACancelledDragDoes() throws {
        var session = DeckSession.make(20, preset: .flipCarousel, from: 3)
        _ = try session.apply(scroll(.began, 100), at: 0)
        _ = try session.apply(scroll(.changed, 275), at: 50)
        #expect(session.currentIndex == 9)
        let outcome = try session.apply(scroll(.cancelled), at: 100)
        #expect(outcome.ending == .reset(.cancelled))
        #expect(outcome.index == 3)
        #expect(session.settled.shown.currentIndex == 3)
        #expect(try session.apply(scroll(.cancelled), at: 9000).refusal == .notDragging)
    }

    @Test func aFingerTakesAndLetsGoOfTheSameCard() throws {
        for interruption in [Event.drag(DragEvent(.ended)), .swipe(.left), .reset, .command(.move(to: 9))] {
            var session = DeckSession.make(20, preset: .flipCarousel, from: 2)
            #expect(try session.drag(.began, at: 0).trace == ["panBegan 2"])
            try session.drag(.changed, .y(95), at: 100)
            let outcome = try session.apply(interruption, at: 200)
            #expect(outcome.trace.contains("panFinished 2"), "\(interruption)")
        }
    }

    /// Thirty cards on the springiest spring swing far beyond either end.
    @Test func noOvershootLeavesAFrameWithoutCards() throws {
        for (bounciness, speed) in [(20.0, 0.0), (20, 20), (4, 12)] {
            var session = DeckSession.make(30, preset: .flipCarousel) {
                $0.loop = false
                $0.motion.snapSpring = SpringSettings(bounciness: bounciness, speed: speed)
            }
            for target in [29, 0, 29, 14] {
                _ = try session.apply(.command(.move(to: target)), at: session.now)
                let end = try #require(session.shown.settlesAt)
                while session.now < end {
                    _ = session.advance(to: session.now + 17)
                    let frame = session.shown
                    let front = try #require(frame.cards.first { $0.role == .front })
                    #expect(front.opacity > 0 && front.index == frame.currentIndex, "at \(session.now)")
                }
                #expect(session.shown.currentIndex == target)
            }
        }
    }

    @Test func numbersStaySmallHoweverFarALoopIsScrolled() throws {
        var session = DeckSession.make(7, preset: .flipCarousel)
        for _ in 0..<400 {
            try session.drag(.ended, .y(1_000_000 * 30), velocity: .zero, at: session.now + 20_000)
            #expect(try DeckSession(snapshot: session.snapshot(withCards: true)) == session)
        }
        #expect(session.shown.placed.count == 7)
    }
}
