import Testing

@testable import DeckEngine

// The other seven.
extension ComplaintTests {
    @Test func aShortFastFlickIsAVerdict() throws {
        var session = DeckSession.make()
        // 30 points of 150 are a fifth of the way; half is required.
        #expect(try session.drag(.ended, .x(30), velocity: .x(749), at: 0).ending == .reset(.belowThreshold))
        #expect(try session.drag(.ended, .x(30), velocity: .x(751), at: 1000).ending == .swiped)
        #expect(try session.drag(.ended, .x(-30), velocity: .x(751), at: 3000).ending == .reset(.belowThreshold))
        // Without a velocity from the client it is computed from the samples: 2.5 points a millisecond.
        for step in 0...4 {
            let way = Vector.x(Double(step) * 15)
            try session.drag(step == 0 ? .began : .changed, way, at: Instant(5000 + Double(step) * 6))
        }
        let flick = try session.drag(.ended, at: 5025)
        #expect(flick.ending == .swiped)
        #expect(flick.direction == .right)
    }

    @Test(arguments: [(0.5, 75.0), (1, 150), (0.25, 37.5)])
    func theThresholdMeansWhatItSays(threshold: Double, points: Double) throws {
        // 1 is the distance from the middle of the card to its edge: half of its 300 points.
        var session = DeckSession.make(5) { $0.rules.swipeThreshold = threshold }
        let short = try session.drag(.ended, .x(points - 0.01), velocity: .zero, at: 0)
        #expect(short.ending == .reset(.belowThreshold))
        #expect(try session.drag(.ended, .x(points), velocity: .zero, at: 2000).ending == .swiped)
        #expect(DeckSettings().rules.swipeThreshold == 0.5)
        #expect(DeckSettings(preset: .koloda).rules.swipeThreshold == 1)
    }

    @Test func aSessionStartsAtAndJumpsToAnyCard() throws {
        var session = DeckSession.make(20, from: 7)
        #expect(session.visibleIndices == [7, 8, 9])
        let jump = try session.apply(.command(.move(to: 15)), at: 0)
        #expect(jump.isApplied)
        #expect(session.visibleIndices == [15, 16, 17])
        #expect(session.advance(to: 200).trace == ["didShow 15"])
        _ = try session.apply(.command(.move(to: 2)), at: 1000)
        #expect(session.settled.visibleIndices == [2, 3, 4])
        #expect(session.lastVerdict == 0)
        #expect(try session.apply(.command(.move(to: 20)), at: 2000).refusal == .indexOutOfRange)
    }

    @Test func directionLimitsHoldDuringTheDragPerCardAndLive() throws {
        var rightOnly = Card(id: "b")
        rightOnly.dragDirections = [.right]
        rightOnly.allowedDirections = [.right]
        var session = DeckSession.make([Card(id: "a"), rightOnly, Card(id: "c")])
        // A live change for the deck: left is no longer allowed.
        var settings = session.settings
        settings.rules.dragDirections = [.right]
        _ = try session.apply(.configure(settings), at: 0)
        try session.drag(.changed, Vector(x: -160, y: 90), at: 10)
        #expect(session.shown.drag?.translation == .zero)
        #expect(try session.front.matrix == .identity)
        #expect(try session.drag(.ended, .x(200), velocity: .zero, at: 20).ending == .swiped)
        settings.rules.dragDirections = nil
        _ = try session.apply(.configure(settings), at: 1000)
        // The card's own limit remains.
        try session.drag(.changed, .x(-160), at: 1010)
        #expect(session.shown.drag?.translation == .zero)
        try session.drag(.cancelled, at: 1020)
        // A drag away from every allowed direction has no progress in one, however far it goes.
        settings.rules.allowedDirections = [.right]
        _ = try session.apply(.configure(settings), at: 2000)
        try session.swipe(.right, at: 2000)
        let wrongWay = try session.drag(.ended, .x(-160), velocity: .zero, at: 4000)
        #expect(wrongWay.direction == .right)
        #expect(wrongWay.ending == .reset(.belowThreshold))
    }

    @Test func everyNotificationComesOnceAndInTime() throws {
        var session = DeckSession.make(2)
        var trace: [String] = []
        trace += try session.drag(.began, at: 0).trace
        trace += try session.drag(.changed, .x(80), at: 16).trace
        trace += try session.drag(.changed, .x(40), at: 32).trace
        trace += try session.drag(.cancelled, at: 48).trace
        trace += try session.swipe(.right, at: 1000).trace
        // Reset before the next card has arrived: the swipe is notified first, and only once.
        trace += try session.reset(at: 1100).trace
        trace += session.advance(to: 10_000).trace
        #expect(
            trace == [
                "panBegan 0", "thresholdCrossed 0 right", "thresholdUncrossed 0 right", "didReset 0", "panFinished 0",
                "didSwipe 0 right", "didShow 1", "didShow 0", "didAppear",
            ]
        )
    }

    @Test func cardsFitTheDeckHoweverItIsTurned() throws {
        var session = DeckSession.make(9)
        try session.drag(.changed, .x(60), at: 0)
        for turn in 1...20 {
            let size = turn.isMultiple(of: 2) ? Size(width: 300, height: 400) : Size(width: 667, height: 320)
            _ = try session.apply(.resize(viewport: size, screen: size), at: Instant(Double(turn) * 10))
            #expect(session.shown.placed.count == 3)
            #expect(try session.front.frame == Rect(x: 0, y: 0, width: size.width, height: size.height - 8))
        }
        // After all the turns nothing has drifted.
        try session.drag(.cancelled, at: 300)
        let rested = session.settled.shown.placed
        #expect(rested.map(\.frame) == session.slots.prefix(3).map(\.rect))
        #expect(rested.allSatisfy { $0.matrix == .identity })
        // Half of the new width is the new way.
        _ = try session.apply(.resize(viewport: Size(width: 600, height: 400), screen: nil), at: 5000)
        #expect(try session.drag(.ended, .x(149), velocity: .zero, at: 5000).ending == .reset(.belowThreshold))
        #expect(try session.drag(.ended, .x(151), velocity: .zero, at: 7000).ending == .swiped)
    }

    @Test func theDeckCanBeUsedWithoutAPointer() throws {
        var named = Card(id: "lviv")
        named.label = "Lviv, 3 km away"
        named.deniedDirections = [.left]
        var session = DeckSession.make([named, Card(id: "odesa")]) { $0.motion.reduced = true }
        #expect(session.deck.cards[session.currentIndex].label == "Lviv, 3 km away")
        #expect(session.actions == [.swipe(.right)])
        // Only the front card can be reached, and every action that is offered works.
        #expect(session.shown.cards.filter(\.interactive).map(\.index) == [0])
        try session.swipe(.right, at: 0)
        #expect(session.actions == [.swipe(.left), .swipe(.right), .revert])
        try session.revert(at: 1000)
        #expect(session.actions == [.swipe(.right), .redo])
        // Nothing flies, turns or grows.
        try session.swipe(.right, at: 5000)
        for card in session.frame(at: 5100).cards { #expect(card.matrix == .identity) }
        #expect(session.lastVerdictChange != nil)
    }
}
