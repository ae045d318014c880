import Foundation
import Testing

@testable import DeckEngine

/// Scrolling of the carousel. A card is 30 points of scrolling.
struct ScrollTests {
    private func scroll(_ phase: DragEvent.Phase, _ offset: Double?, velocity: Double? = nil) -> Event {
        .scroll(ScrollEvent(phase, offset: offset, velocity: velocity))
    }

    @Test func theDeckIsWhereItIsScrolledTo() throws {
        var session = DeckSession.make(20, preset: .flipCarousel)
        #expect(try session.apply(scroll(.changed, 75), at: 0).index == 3)
        #expect(session.currentIndex == 3)
        #expect(!session.shown.animating)
        let back = try #require(session.shown.cards.first { $0.index == 4 })
        // Card 4 is one and a half slots behind: a size of 0.85, and 45 points up.
        #expect(abs(back.contentScale.x - 0.85) < 1e-12)
        #expect(abs(back.frame.y + back.frame.height - (300 - 45)) < 1e-9)
        // Card 2 has tipped over by half.
        let tipping = try #require(session.shown.cards.first { $0.index == 2 })
        #expect(abs(tipping.opacity - 0.5) < 1e-12)
        #expect(abs(try #require(tipping.flip).angle.value + 179.999 / 2 * .pi / 180) < 1e-12)
    }

    /// The card at which the scroll began is gone, or another one has its number.
    @Test func aCancelledScrollEndsAtACardOfTheDeck() throws {
        var shorter = DeckSession.make(10, preset: .flipCarousel) { $0.loop = false }
        _ = try shorter.apply(scroll(.ended, 270), at: 0)
        _ = try shorter.apply(scroll(.changed, 0), at: 5000)
        _ = try shorter.apply(.remove(6..<10), at: 5000)
        var straight = DeckSession.make(10, preset: .flipCarousel)
        _ = try straight.apply(scroll(.ended, 240), at: 0)
        _ = try straight.apply(scroll(.changed, 330), at: 5000)
        var settings = straight.settings
        settings.loop = false
        _ = try straight.apply(.configure(settings), at: 5000)
        for (former, index) in [(shorter, 5), (straight, 0)] {
            var session = former
            #expect(try session.apply(scroll(.cancelled, nil), at: 5000).index == index)
            #expect(session.isSound)
            #expect(session.settled.offset.value(at: session.settled.now) == Double(index))
            let snapshot = session.snapshot(withCards: true)
            #expect(try DeckSession(snapshot: snapshot).snapshot(withCards: true) == snapshot)
        }
    }

    @Test func itSnapsToTheNearestCardOnASpring() throws {
        var session = DeckSession.make(20, preset: .flipCarousel)
        let outcome = try session.apply(scroll(.ended, 70), at: 0)
        #expect(outcome.ending == .scrolled)
        #expect(outcome.index == 2)
        #expect(session.offset.value(at: 0) == 70.0 / 30)
        let spring = Spring(SpringSettings(bounciness: 4, speed: 12))
        let remaining = Expected.spring(tension: spring.tension, friction: spring.friction, 100)
        #expect(abs(session.offset.value(at: 100) - (2 + remaining / 3)) < 1e-9)
        #expect(session.settled.offset.value(at: session.settled.now) == 2)
        #expect(session.advance(to: 5000).trace == ["didShow 2"])
    }

    @Test func aFlingCarriesOverSeveralCards() throws {
        var session = DeckSession.make(50, preset: .flipCarousel)
        // At 3000 points a second it glides on for 0.099 s: 297 points, nearly ten cards.
        #expect(try session.apply(scroll(.ended, 0, velocity: 3000), at: 0).index == 10)
        #expect(try session.apply(scroll(.ended, 300, velocity: -1500), at: 5000).index == 5)
    }

    @Test func aLoopGoesOnWithoutEndBothWays() throws {
        var session = DeckSession.make(7, preset: .flipCarousel)
        for offset in [-30.0, -210, -3000, 210, 21_000] {
            let time = session.now + 3000
            let number = Int(offset / 30)
            _ = try session.apply(scroll(.changed, offset), at: time)
            #expect(session.currentIndex == ((number % 7) + 7) % 7, "\(offset)")
            #expect(session.shown.placed.map(\.index).count == 7)
        }
    }

    @Test func halfWayBackGoesToTheNextCardOnBothSidesOfTheStart() throws {
        for number in -4...4 {
            var session = DeckSession.make(9, preset: .flipCarousel)
            _ = try session.apply(scroll(.changed, 30 * (Double(number) + 0.5)), at: 0)
            let index = (number + 1 + 9) % 9
            #expect(session.currentIndex == index)
            // A swipe from there goes exactly one card on.
            try session.swipe(.left, at: 100)
            #expect(session.settled.shown.currentIndex == (index + 1) % 9)
            #expect(
                try session.settled.front.frame.difference(from: Rect(x: 0, y: 100, width: 300, height: 200)) < 1e-9
            )
        }
    }

    @Test func withoutALoopItEndsAtTheFirstAndTheLastCard() throws {
        var session = DeckSession.make(5, preset: .flipCarousel) { $0.loop = false }
        _ = try session.apply(scroll(.changed, -100), at: 0)
        #expect(session.offset.to == 0)
        #expect(try session.apply(scroll(.ended, 90, velocity: 9000), at: 100).index == 4)
        #expect(session.settled.offset.to == 4)
    }

    @Test func aFingerScrollsFromWhereItTakesTheDeck() throws {
        var session = DeckSession.make(20, preset: .flipCarousel, from: 3)
        let began = try session.drag(.began, at: 0)
        #expect(began.trace == ["panBegan 3"])
        try session.drag(.changed, .y(75), at: 50)
        #expect(session.offset.to == 5.5)
        #expect(session.shown.dragging)
        let ended = try session.drag(.ended, .y(75), velocity: .zero, at: 200)
        #expect(ended.ending == .scrolled)
        #expect(ended.index == 6)
        #expect(session.lastVerdict == 0)
    }

    @Test func itsOwnSamplesAreTheFingersSpeed() throws {
        var session = DeckSession.make(50, preset: .flipCarousel)
        // 2 points a millisecond for 60 ms, and 198 points on: 318 in all.
        for step in 0...6 {
            try session.drag(step == 0 ? .began : .changed, .y(Double(step) * 20), at: Instant(Double(step) * 10))
        }
        #expect(try session.drag(.ended, at: 60).index == 11)
    }

    @Test func aCancelledDragGoesBack() throws {
        var session = DeckSession.make(20, preset: .flipCarousel, from: 3)
        try session.drag(.changed, .y(100), at: 0)
        #expect(session.currentIndex == 6)
        let outcome = try session.drag(.cancelled, at: 50)
        #expect(outcome.ending == .reset(.cancelled))
        #expect(session.currentIndex == 3)
        #expect(session.settled.shown.currentIndex == 3)
        #expect(try session.settled.front.frame.difference(from: Rect(x: 0, y: 100, width: 300, height: 200)) < 1e-9)
    }

    @Test func aStackDoesNotScroll() throws {
        var session = DeckSession.make()
        #expect(try session.apply(scroll(.changed, 30), at: 0).refusal == .layoutDoesNotScroll)
        var empty = DeckSession.make(0, preset: .flipCarousel)
        #expect(try empty.apply(scroll(.changed, 30), at: 0).refusal == .noCard)
    }

    @Test func withoutMotionItIsThereAtOnce() throws {
        var session = DeckSession.make(20, preset: .flipCarousel) { $0.motion.reduced = true }
        let outcome = try session.apply(scroll(.ended, 70), at: 0)
        #expect(!session.shown.animating)
        #expect(session.offset.to == 2)
        #expect(outcome.trace == ["didShow 2"])
    }
}
