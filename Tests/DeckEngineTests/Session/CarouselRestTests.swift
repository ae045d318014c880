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

    /// A carousel that is thrown again before it rests, 2,560 times by a million cards.
    @Test(arguments: [1.0, -1]) func oneThatNeverRestsCanBeStored(direction: Double) throws {
        var session = DeckSession.make(3, preset: .flipCarousel) { settings in
            var flip = FlipLayout()
            flip.spacing = 1
            settings.layout = .flip(flip)
        }
        for _ in 0..<2560 { try session.drag(.ended, .y(direction * 1e6), velocity: .y(direction * 1e6), at: 0) }
        let stored = try DeckSession(snapshot: session.snapshot(withCards: true))
        #expect(stored == session)
        #expect(session.advance(to: 1e6).trace.contains("didLoop"))
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

    // MARK: A carousel that is caught while it glides

    /// A glide from card 0 to card 10, and when it shows card 4 or 5.
    private func gliding(loop: Bool = true) throws -> DeckSession {
        var session = DeckSession.make(40, preset: .flipCarousel) { $0.loop = loop }
        _ = try session.apply(.command(.move(to: 10)), at: 0)
        while session.shown.currentIndex < 4 { _ = session.advance(to: session.now + 5) }
        #expect(session.currentIndex == 10)
        return session
    }

    @Test func aFingerTakesTheCardThatItSees() throws {
        var session = try gliding()
        let seen = session.shown
        let outcome = try session.apply(
            .drag(DragEvent(.began)),
            onlyOn: CardID("\(seen.currentIndex)"),
            at: session.now
        )
        #expect(outcome.refusal == nil)
        #expect(outcome.index == seen.currentIndex)
        // Card 10 was not reached, so that it is not announced.
        #expect(outcome.trace == ["panBegan \(seen.currentIndex)"])
        #expect(session.shown.cards == seen.cards)
        let ended = try session.drag(.ended, .zero, velocity: .zero, at: session.now + 200)
        #expect(
            (ended.notifications + session.advance(to: 5000)).trace
                == ["panFinished \(seen.currentIndex)", "didShow \(seen.currentIndex)"]
        )
    }

    @Test func aScrollTakesOverWhereTheCarouselIsSeen() throws {
        var session = try gliding()
        let seen = session.shown
        #expect(try session.apply(scroll(.began), at: session.now).trace == [])
        #expect(session.shown.cards == seen.cards)
        let cancelled = try session.apply(scroll(.cancelled), at: session.now + 100)
        #expect(cancelled.index == seen.currentIndex)
    }

    @Test func aTapSelectsTheCardThatIsSeen() throws {
        var session = try gliding()
        let index = session.shown.currentIndex
        let outcome = try session.apply(.tap(index: index), onlyOn: CardID("\(index)"), at: session.now)
        #expect(outcome.trace == ["didSelect \(index)"])
        #expect(try session.apply(.tap(index: 10), at: session.now).refusal == .notFrontCard)
        // The tap does not stop it.
        #expect(session.settled.shown.currentIndex == 10)
    }

    @Test func aVerdictIsAnnouncedAlthoughTheNextCardIsCaughtBeforeItArrives() throws {
        var session = DeckSession.make(20, preset: .flipCarousel)
        try session.swipe(.left, at: 0)
        let outcome = try session.drag(.began, at: 20)
        #expect(outcome.trace == ["didSwipe 0 left", "panBegan 0"])
        #expect(session.shown.canRevert == 1)
    }

    @Test func aRoundIsAnnouncedOnlyIfItIsCompleted() throws {
        var session = DeckSession.make(7, preset: .flipCarousel, from: 6)
        _ = try session.apply(.command(.move(to: 0)), at: 0)
        try session.drag(.began, at: 20)
        #expect(session.shown.currentIndex == 6)
        let ended = try session.drag(.ended, .zero, velocity: .zero, at: 300)
        #expect((ended.notifications + session.advance(to: 5000)).trace == ["panFinished 6"])
    }

    /// A springy carousel beyond its last card.
    @Test func oneThatSwingsBeyondItsEndDoesNotJump() throws {
        for event in [Event.drag(DragEvent(.began)), .drag(DragEvent(.changed, translation: .zero)), scroll(.began)] {
            var session = DeckSession.make(5, preset: .flipCarousel) {
                $0.loop = false
                $0.motion.snapSpring = SpringSettings(bounciness: 20, speed: 12)
            }
            _ = try session.apply(.command(.move(to: 4)), at: 0)
            while session.offset.value(at: session.now) < 4.2 { _ = session.advance(to: session.now + 5) }
            let seen = session.shown.cards.map(\.opacity)
            _ = try session.apply(event, at: session.now)
            #expect(session.shown.cards.map(\.opacity) == seen)
            #expect(session.shown.currentIndex == 4)
            // A command moves it from there as well.
            _ = try session.apply(.command(.move(to: 3)), at: session.now)
            #expect(session.shown.cards.map(\.opacity) == seen)
        }
    }

    // MARK: A list of cards that changes

    @Test func aRefillContinuesAGlide() throws {
        var session = try gliding(loop: false)
        var alone = session
        let refill = CardList.numbered(2)
        #expect(try session.apply(.insert(refill, at: 40), at: session.now).trace == ["didShow 10"])
        for _ in 0..<100 {
            _ = session.advance(to: session.now + 17)
            _ = alone.advance(to: alone.now + 17)
            #expect(session.shown.cards == alone.shown.cards)
        }
        #expect(session.shown.currentIndex == 10)
    }

    @Test func aRefillContinuesADrag() throws {
        for (index, first) in [(20, 0), (0, 2)] {
            var session = DeckSession.make(20, preset: .flipCarousel) { $0.loop = false }
            try session.drag(.changed, .y(75), at: 0)
            let seen = try session.front
            let refill = CardList.numbered(2)
            #expect(try session.apply(.insert(refill, at: index), at: 100).trace == [])
            #expect(session.shown.dragging)
            #expect(try session.front.id == seen.id)
            #expect(try session.front.frame == seen.frame)
            try session.drag(.changed, .y(90), at: 200)
            #expect(session.shown.currentIndex == first + 3)
            try session.drag(.cancelled, at: 300)
            #expect(session.shown.currentIndex == first + 3)
            #expect(session.settled.shown.currentIndex == first)
        }
    }

    @Test func aFingerStaysIfItsCardIsRemovedFarFromTheFront() throws {
        var session = DeckSession.make(20, preset: .flipCarousel) { $0.loop = false }
        try session.drag(.changed, .y(90), at: 0)
        _ = try session.apply(.remove(0..<1), at: 100)
        #expect(session.shown.dragging)
        #expect(try session.front.id.text == "3")
        #expect(try DeckSession(snapshot: session.snapshot(withCards: true)) == session)
        try session.drag(.cancelled, at: 200)
        #expect(session.settled.shown.currentIndex == 0)
    }

    @Test func aCarouselThatGlidesBecomesALoop() throws {
        var session = try gliding()
        let seen = session.shown
        var settings = session.settings
        settings.loop = false
        _ = try session.apply(.configure(settings), at: session.now)
        #expect(session.shown.cards.map(\.frame) == seen.cards.map(\.frame))
        #expect(session.settled.shown.currentIndex == 10)
    }
}
