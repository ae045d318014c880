import Testing

@testable import DeckEngine

/// A command, a grab or a release starts from the current view: no card jumps.
struct ContinuityTests {
    @Test(arguments: RandomSession.seeds)
    func noCardJumps(seed: UInt64) throws {
        let plan = RandomSession(seed: seed, isTimeless: false)
        var session = plan.begin()
        for (number, step) in plan.steps.enumerated() {
            _ = session.advance(to: step.time)
            // Queued commands take effect together, and the last of them may undo the visible effect of the first.
            let isOneStep = session.queuedCount == 0
            let before = session.shown
            let outcome = try session.apply(step.event, at: step.time)
            guard isOneStep, outcome.isApplied, isSmooth(step.event, before) else { continue }
            // Pop's springs stop with less than half a point left, for each number of a rectangle.
            let hasSpring = before.dragging || session.settings.motion.backgroundSpring != nil || isDrag(step.event)
            for (card, former) in pairs(session.shown, before, isAppearing: session.stage.appear != nil) {
                #expect(card.difference(from: former) < (hasSpring ? 1 : 1e-6), "step \(number), card \(card.index)")
                // Half a point of a carousel's scrolling is a sixtieth of a card's fading.
                let faint = card.flip == nil ? 1e-9 : 1.0 / 60
                #expect(abs(card.opacity - former.opacity) < faint, "step \(number), card \(card.index)")
            }
        }
    }

    private func isDrag(_ event: Event) -> Bool {
        if case .drag = event { true } else { false }
    }

    /// Whether the event itself moves nothing. A moving finger and a rebuilt deck do move something.
    private func isSmooth(_ event: Event, _ before: Frame) -> Bool {
        switch event {
        case .drag(let drag):
            drag.translation == nil && (drag.location == nil || drag.phase == .began && !before.dragging)
        case .command, .tap, .tick: true
        default: false
        }
    }

    /// The cards that are visible both times, except those that start anew. In a small loop a card enters and leaves at
    /// the back, and a returning card in a deck that grows into view grows with it.
    private func pairs(_ frame: Frame, _ before: Frame, isAppearing: Bool) -> [(FrameCard, FrameCard)] {
        frame.cards.compactMap { card in
            let former = before.cards.filter { $0.index == card.index }
            guard former.count == 1, frame.cards.count(where: { $0.index == card.index }) == 1 else { return nil }
            switch (former[0].role, card.role) {
            case (.leaving, .returning): return isAppearing ? nil : (card, former[0])
            case (_, .returning): return nil
            case (.returning, .background) where frame.canRevert > before.canRevert: return nil
            default: return (card, former[0])
            }
        }
    }

    @Test func aCardGrabbedDuringItsResetDoesNotJumpNorBlink() throws {
        var session = DeckSession.make()
        try session.drag(.began, location: Vector(x: 40, y: 60), at: 0)
        try session.drag(.ended, Vector(x: 70, y: 30), at: 100)
        let before = session.frame(at: 160).cards
        try session.drag(.began, location: Vector(x: 250, y: 350), at: 160)
        let after = session.shown.cards
        #expect(before[0].matrix.degrees > 0.5)
        for (card, former) in zip(after, before) { #expect(card.difference(from: former) < 1e-9) }
        #expect(try #require(before[0].overlay).progress > 0.3)
        #expect(after[0].overlay == before[0].overlay)
        // It continues to its slot under the finger, while the finger moves it.
        try session.drag(.changed, Vector.y(-50), at: 2000)
        #expect(try session.front.matrix == Matrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: -50))
    }

    @Test func theNextCardGrabbedWhileItMovesInDoesNotJump() throws {
        var session = DeckSession.make()
        try session.drag(.ended, .x(40), velocity: .x(900), at: 0)
        let before = session.frame(at: 60)
        let grab = try session.drag(.began, location: Vector(x: 10, y: 380), at: 60)
        // It is notified early, so that no notification of the former card follows the drag of this one.
        #expect(grab.trace == ["didSwipe 0 right", "didShow 1", "panBegan 1"])
        for card in session.shown.cards {
            let former = try #require(before.cards.first { $0.index == card.index })
            #expect(card.difference(from: former) < 1e-9)
            #expect(abs(card.opacity - former.opacity) < 1e-12)
        }
        #expect(session.shown.placed[0].frame.width < 300)
        // It continues to move in and to become opaque under the finger.
        #expect(session.frame(at: 200).placed[0].frame == Expected.slots[0])
        #expect(session.frame(at: 200).placed[0].opacity == 1)
        #expect(session.advance(to: 5000).isEmpty)
        // Released early, it still ends in its slot.
        try session.drag(.ended, .x(20), at: 5000)
        #expect(session.settled.shown.placed.map(\.frame) == Expected.slots)
    }

    @Test func aReleaseInTheMidstOfMovingInKeepsBothWays() throws {
        var session = DeckSession.make()
        try session.swipe(.left, at: 0)
        try session.drag(.changed, .x(-30), at: 50)
        let before = session.frame(at: 90)
        try session.drag(.ended, at: 90)
        for (card, former) in zip(session.shown.cards, before.cards) {
            #expect(card.difference(from: former) < 1e-9)
            #expect(abs(card.opacity - former.opacity) < 1e-12)
        }
        #expect(session.frame(at: 200).placed[0].frame == Expected.slots[0])
    }

    @Test func aSwipeWhileTheDeckGrowsIntoViewStartsFromWhatIsSeen() throws {
        var session = DeckSession.make(appears: true)
        let before = session.frame(at: 1000).cards
        try session.swipe(.right, at: 1000)
        let leaving = try #require(session.shown.leaving.first)
        #expect(leaving.difference(from: before[0]) < 1e-9)
        #expect(leaving.opacity == before[0].opacity)
        #expect(leaving.opacity < 1)
        // It grows with the deck while it flies.
        #expect(session.frame(at: 1600).leaving[0].opacity == 1)
        #expect(abs(session.frame(at: 1600).leaving[0].matrix.scale - 1) < 1e-12)
    }

    @Test func theOnlyCardOfALoopComesInAnewWhereverItLeftFrom() throws {
        var session = DeckSession.make(1) { $0.loop = true }
        try session.drag(.ended, .x(60), at: 0)
        // During its reset; the copy that comes in is not affected.
        try session.swipe(.right, at: 50)
        let shown = session.shown
        #expect(shown.cards.map(\.role) == [.front, .leaving])
        #expect(shown.cards[0].matrix == .identity)
        #expect(shown.cards[0].opacity == 0)
        #expect(shown.cards[1].matrix.tx > 10)
        #expect(session.frame(at: 250).cards[0].opacity == 1)
    }

    @Test func aSwipedCardOfASmallLoopComesInBehindTheOthers() throws {
        var session = DeckSession.make(3) { $0.loop = true }
        try session.swipe(.right, at: 0)
        let last = session.frame(at: 0).placed[2]
        #expect(last.index == 0)
        #expect(last.frame == Expected.slots[2])
        #expect(last.opacity == 0)
    }
}
