import Testing

@testable import DeckEngine

/// How the cards behind move up when the front card is swiped.
struct ArrivalTests {
    @Test func everyCardMovesUpByOnePlace() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 1000)
        for elapsed in [0.0, 40, 100, 160, 200] {
            let cards = session.frame(at: Instant(1000 + elapsed)).placed
            let part = Expected.ease(elapsed / 200)
            #expect(cards.map(\.index) == [1, 2, 3])
            for place in 0...1 {
                let (from, to) = (Expected.slots[place + 1], Expected.slots[place])
                #expect(abs(cards[place].frame.x - (from.x + part * (to.x - from.x))) < 1e-6)
                #expect(abs(cards[place].frame.y - (from.y + part * (to.y - from.y))) < 1e-6)
                #expect(abs(cards[place].frame.width - (from.width + part * (to.width - from.width))) < 1e-6)
                #expect(abs(cards[place].frame.height - (from.height + part * (to.height - from.height))) < 1e-6)
            }
            // The new card comes in at its slot.
            #expect(cards[2].frame == Expected.slots[2])
            #expect(abs(cards[0].opacity - (0.7 + 0.3 * part)) < 1e-8)
            #expect(cards[1].opacity == 0.7)
            #expect(abs(cards[2].opacity - 0.7 * part) < 1e-8)
        }
        #expect(session.frame(at: 1200).placed.map(\.frame) == Expected.slots)
    }

    @Test func afterADragTheyMoveOnFromWhereItHasBroughtThem() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(90), at: 0)
        let held = session.shown.cards
        try session.drag(.ended, at: 0)
        let cards = session.frame(at: 100).placed
        let part = Expected.ease(0.5)
        for place in 0...1 {
            let (from, to) = (held[place + 1].frame, Expected.slots[place])
            #expect(abs(cards[place].frame.y - (from.y + part * (to.y - from.y))) < 1e-6)
        }
        #expect(abs(cards[0].opacity - (0.88 + 0.12 * part)) < 1e-8)
    }

    @Test func theirDurationIsASetting() throws {
        var session = DeckSession.make { $0.motion.backgroundDuration = 500 }
        try session.swipe(.left, at: 0)
        let width = session.frame(at: 250).placed[0].frame.width
        #expect(abs(width - (285 + 15 * Expected.ease(0.5))) < 1e-6)
        #expect(session.advance(to: 499).isEmpty)
        #expect(session.advance(to: 500).trace == ["didSwipe 0 left", "didShow 1"])
    }

    @Test func onASpringTheyTakeAsLongAsItNeeds() throws {
        var session = DeckSession.make(preset: .kolodaBackground)
        let (front, behind) = (session.slots[0].rect, session.slots[1].rect)
        #expect(front == Rect(x: 10, y: 20, width: 280, height: 350))
        #expect(behind == Rect(x: -75, y: 0, width: 450, height: 562.5))
        try session.swipe(.left, at: 0)
        for elapsed in [0.0, 50, 130, 260, 400] {
            let card = session.frame(at: Instant(elapsed)).placed[0]
            // Pop's constants for bounciness 9 and speed 16, computed separately.
            let rest = Expected.spring(tension: 427.06411764705877, friction: 26.05400564552668, elapsed)
            #expect(abs(card.frame.x - (10 - 85 * rest)) < 1e-9)
            #expect(abs(card.frame.width - (280 + 170 * rest)) < 1e-9)
            // Its opacity takes its normal time.
            #expect(abs(card.opacity - (0.1 + 0.9 * Expected.ease(min(elapsed / 200, 1)))) < 1e-8)
        }
        let arrival = try #require(session.timeline.nextEffect)
        #expect((450...700).contains(arrival.milliseconds))
        #expect(session.frame(at: arrival).placed[0].frame == front)
        #expect(session.advance(to: arrival).trace == ["didSwipe 0 left", "didShow 1"])
    }

    @Test func aCardThatWasDraggedIntoPlaceBySpringArrivesAtOnce() throws {
        // The next card is in the front slot already: a spring has no distance, a plain animation takes its time.
        var spring = DeckSession.make { $0.motion.backgroundSpring = SpringSettings(bounciness: 9, speed: 16) }
        let told = try spring.drag(.ended, .x(150), at: 0).trace
        #expect(told.suffix(3) == ["panFinished 0", "didSwipe 0 right", "didShow 1"])
        var plain = DeckSession.make()
        #expect(try plain.drag(.ended, .x(150), at: 0).trace.last == "panFinished 0")
        #expect(plain.advance(to: 199).isEmpty)
        #expect(plain.advance(to: 200).trace == ["didSwipe 0 right", "didShow 1"])
    }
}
