import RandomTesting
import Testing

@testable import DeckEngine

/// A finger on the front card until its release.
struct DragTests {
    @Test func aDragIsToldFromItsBeginningToItsEnd() throws {
        var session = DeckSession.make()
        #expect(try session.drag(.began, at: 0).trace == ["panBegan 0"])
        let step = try session.drag(.changed, .x(30), at: 16)
        #expect(step.notifications.map(\.kind) == [.dragged(index: 0, percentage: 20, .right)])
        #expect(step.direction == .right)
        #expect(step.index == 0)
        #expect(session.shown.dragging)
        #expect(try session.drag(.ended, at: 32).trace == ["didReset 0", "panFinished 0"])
        #expect(!session.shown.dragging)
    }

    @Test func changedWithoutBeganBeginsByItself() throws {
        var (told, untold) = (DeckSession.make(), DeckSession.make())
        try told.drag(.began, at: 0)
        try told.drag(.changed, .x(40), at: 10)
        let outcome = try untold.drag(.changed, .x(40), at: 10)
        #expect(outcome.trace == ["panBegan 0"])
        #expect(untold.shown.cards == told.shown.cards)
        #expect(untold.stage.finger?.translation == told.stage.finger?.translation)
        #expect(untold.stage.finger?.location == told.stage.finger?.location)
    }

    @Test func endedAloneIsAWholeGesture() throws {
        var session = DeckSession.make()
        let outcome = try session.drag(.ended, Vector(x: -90, y: 10), at: 10)
        #expect(outcome.ending == .swiped)
        #expect(outcome.direction == .left)
        #expect(outcome.index == 0)
        #expect(outcome.version == 1)
        #expect(outcome.trace == ["panBegan 0", "thresholdCrossed 0 left", "panFinished 0"])
        #expect(session.currentIndex == 1)
        #expect(try session.drag(.ended, at: 20).ending == .reset(.belowThreshold))
    }

    @Test func aReleaseWhereTheFingerWasIsNoStepOfItsOwn() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(40), at: 0)
        #expect(try session.drag(.ended, .x(40), at: 10).notifications.map(\.kind.isStep) == [false, false])
        try session.drag(.changed, .x(40), at: 2000)
        #expect(try session.drag(.ended, .x(41), at: 2010).notifications.map(\.kind.isStep) == [true, false, false])
    }

    @Test(arguments: [Preset.standard, .koloda, .kolodaBackground])
    func lostOrRepeatedChangesChangeNothing(preset: Preset) throws {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<200 {
            let last = Vector(x: .random(in: -250...250, using: &random), y: .random(in: -250...250, using: &random))
            let location = Vector(x: .random(in: 0...280, using: &random), y: .random(in: 0...350, using: &random))
            var short = DeckSession.make(preset: preset)
            try short.drag(.changed, last, location: location, at: 100)
            var long = DeckSession.make(preset: preset)
            try long.drag(.began, location: location, at: 0)
            for time in 1...5 {
                let x = Double.random(in: -900...900, using: &random)
                try long.drag(.changed, Vector(x: x, y: -x / 3), at: Instant(Double(time)))
            }
            for _ in 0..<3 { try long.drag(.changed, last, at: 100) }
            #expect(long.shown.cards == short.shown.cards)
            let (ending, other) = (try long.drag(.ended, at: 110), try short.drag(.ended, at: 110))
            #expect(ending.ending == other.ending)
            #expect(ending.direction == other.direction)
            for time: Instant in [110, 150, 260, 700] {
                #expect(long.frame(at: time).cards == short.frame(at: time).cards)
            }
        }
    }

    @Test func beganTwiceKeepsTheDrag() throws {
        var session = DeckSession.make()
        try session.drag(.began, location: Vector(x: 20, y: 30), at: 0)
        try session.drag(.changed, .x(40), at: 10)
        let before = session.shown.cards
        let again = try session.drag(.began, at: 10)
        #expect(again.isApplied)
        #expect(again.trace == [])
        #expect(session.shown.cards == before)
    }

    @Test func whatADragEventLeavesOutStaysAsItWas() throws {
        var session = DeckSession.make()
        try session.drag(.began, location: Vector(x: 20, y: 30), at: 0)
        try session.drag(.changed, .x(80), at: 10)
        let cards = session.shown.cards
        try session.drag(.changed, at: 10)
        #expect(session.shown.cards == cards)
        #expect(try session.drag(.ended, at: 20).ending == .swiped)
    }

    @Test func cancelledNeverSwipes() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(140), at: 0)
        let held = session.shown.cards[0]
        // It also does not set the finger's position.
        let outcome = try session.drag(.cancelled, .x(50), velocity: .x(3000), at: 10)
        #expect(outcome.ending == .reset(.cancelled))
        #expect(outcome.notifications.allSatisfy { $0.sequence != nil })
        #expect(session.shown.cards[0].difference(from: held) < 1e-9)
        #expect(outcome.trace.first == "didReset 0")
        #expect(session.currentIndex == 0)
        #expect(!session.shown.dragging)
        #expect(session.settled.shown.placed[0].matrix == .identity)
    }

    @Test func cancelledWithoutADragIsRefused() throws {
        var session = DeckSession.make()
        #expect(try session.drag(.cancelled, at: 0).refusal == .notDragging)
        #expect(session.version == 0)
    }

    @Test func thereIsNothingToDragInADeckThatHasRunOut() throws {
        var session = DeckSession.make(0)
        for phase in [DragEvent.Phase.began, .changed, .ended] {
            #expect(try session.drag(phase, .x(200), at: 0).refusal == .noCard)
        }
    }

    @Test func aDeckOrACardCanRefuseFingers() throws {
        var deck = DeckSession.make { $0.rules.draggable = false }
        #expect(try deck.drag(.began, at: 0).refusal == .notDraggable)
        #expect(try !deck.front.interactive)
        #expect(try deck.swipe(.right, at: 0).ending == .swiped)
        var (free, fixed) = (Card(id: "free"), Card(id: "fixed"))
        (free.draggable, fixed.draggable) = (true, false)
        var session = DeckSession.make([free, fixed]) { $0.rules.draggable = false }
        #expect(try session.front.interactive)
        #expect(try session.drag(.ended, .x(200), at: 0).ending == .swiped)
        #expect(try !session.front.interactive)
        #expect(try session.drag(.ended, .x(200), at: 1000).refusal == .notDraggable)
    }

    @Test func onlyTheFrontCardTakesFingers() {
        #expect(DeckSession.make().shown.cards.map(\.interactive) == [true, false, false])
    }
}

extension DeckNotification.Kind {
    /// Whether it is a step of a drag, which is sent once and not stored.
    fileprivate var isStep: Bool {
        if case .dragged = self { true } else { false }
    }
}
