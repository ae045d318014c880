import Testing

@testable import DeckEngine

/// Cards that are sent to the back without a verdict.
struct SendToBackTests {
    private func names(_ session: DeckSession) -> [String] {
        (0..<session.deck.cards.count).map { session.deck.cards[$0].id.text }
    }

    @Test func theFrontCardGoesBehindAllOthers() throws {
        var session = DeckSession.make(4)
        try session.swipe(.left, at: 0)
        let outcome = try session.apply(.command(.sendToBack), at: 1000)
        #expect(outcome.index == 1)
        #expect(names(session) == ["0", "2", "3", "1"])
        #expect(session.currentIndex == 1)
        #expect(session.lastVerdict == 1)
        #expect(session.revertibleCount == 1)
        #expect(session.advance(to: 1200).trace == ["didShow 1"])
        #expect(session.settled.shown.placed.map(\.id) == ["2", "3", "1"])
    }

    @Test func aCardThatIsNotSeenBehindFadesWhereItWas() throws {
        var session = DeckSession.make(9)
        _ = try session.apply(.command(.sendToBack), at: 0)
        let gone = try #require(session.frame(at: 100).leaving.first)
        #expect(gone.id == "0")
        #expect(abs(gone.opacity - (1 - Expected.ease(0.5))) < 1e-6)
        #expect(gone.matrix == .identity)
        #expect(session.frame(at: 200).leaving.isEmpty)
    }

    @Test func theLastSentComesBackFirst() throws {
        var session = DeckSession.make(5)
        let before = names(session)
        for time in [0.0, 1000, 2000] { _ = try session.apply(.command(.sendToBack), at: Instant(time)) }
        #expect(names(session) == ["3", "4", "0", "1", "2"])
        for (time, name) in [(3000.0, "2"), (4000, "1"), (5000, "0")] {
            let outcome = try session.apply(.command(.putBack), at: Instant(time))
            #expect(outcome.index == 0)
            #expect(try session.front.id.text == name)
        }
        #expect(names(session) == before)
        #expect(try session.apply(.command(.putBack), at: 6000).refusal == .nothingToPutBack)
    }

    @Test func inALoopThePlaceMovesAndTheOrderStays() throws {
        var session = DeckSession.make(4) { $0.loop = true }
        _ = try session.apply(.command(.sendToBack), at: 0)
        #expect(names(session) == ["0", "1", "2", "3"])
        #expect(session.currentIndex == 1)
        _ = try session.apply(.command(.putBack), at: 1000)
        #expect(session.currentIndex == 0)
    }

    @Test func aSwipeInALoopMovesTheBackOn() throws {
        var session = DeckSession.make(4) { $0.loop = true }
        _ = try session.apply(.command(.sendToBack), at: 0)
        try session.swipe(.left, at: 1000)
        #expect(try session.apply(.command(.putBack), at: 2000).refusal == .nothingToPutBack)
    }

    @Test func swipesAndUndosBetweenDoNotForgetIt() throws {
        var session = DeckSession.make(5)
        _ = try session.apply(.command(.sendToBack), at: 0)
        try session.swipe(.left, at: 1000)
        try session.swipe(.left, at: 2000)
        try session.revert(.origin, at: 3000)
        _ = try session.apply(.command(.putBack), at: 4000)
        #expect(try session.front.id == "0")
        // An undo finds its card at its current index.
        try session.revert(.origin, at: 5000)
        #expect(session.settled.shown.placed.map(\.id) == ["1", "0", "2"])
    }

    @Test func itIsFoundWhereverOtherOrdersHavePutIt() throws {
        let numbers = Deck(cards: .listed((-1..<6).map { Card(id: CardID($0)) }))
        let changes: [Event] = [
            .insert(.numbered(1), at: 5), .insert(.numbered(1), at: 0), .remove(1..<3), .shuffle(seed: 1),
            .command(.move(to: 3)), .reload(numbers),
        ]
        for change in changes {
            var session = DeckSession.make(5)
            try session.swipe(.left, at: 0)
            _ = try session.apply(.command(.sendToBack), at: 1000)
            _ = try session.apply(change, at: 2000)
            let index = session.currentIndex
            #expect(try session.apply(.command(.putBack), at: 3000).index == index, "\(change)")
            #expect(try session.front.id == "1", "\(change)")
            #expect(Set(names(session)).count == session.deck.cards.count)
        }
    }

    @Test func aResetAndItsOwnRemovalForgetIt() throws {
        for change in [Event.remove(4..<5), .reset] {
            var session = DeckSession.make(5)
            _ = try session.apply(.command(.sendToBack), at: 0)
            _ = try session.apply(change, at: 1000)
            #expect(try session.apply(.command(.putBack), at: 2000).refusal == .nothingToPutBack, "\(change)")
        }
    }

    @Test func theOnlyCardLeftStaysWhereItIs() throws {
        var session = DeckSession.make(3, from: 2)
        #expect(try session.apply(.command(.sendToBack), at: 0).isApplied)
        #expect(session.settled.visibleIndices == [2])
        #expect(try session.apply(.command(.putBack), at: 1000).refusal == .nothingToPutBack)
        var empty = DeckSession.make(0)
        #expect(try empty.apply(.command(.sendToBack), at: 0).refusal == .noCard)
    }

    @Test func aDeckTooLargeToRearrangeRefusesUnlessItLoops() throws {
        let count = EngineLimits.rearrangeableCards + 1
        var session = DeckSession.make(count)
        #expect(try session.apply(.command(.sendToBack), at: 0).refusal == .tooManyCards)
        var loop = DeckSession.make(count) { $0.loop = true }
        #expect(try loop.apply(.command(.sendToBack), at: 0).isApplied)
        #expect(loop.currentIndex == 1)
    }

    /// It is in front before and after.
    @Test func theOnlyCardLeftIsNotAnnouncedAgain() throws {
        var session = DeckSession.make(1)
        let outcome = try session.apply(.command(.sendToBack), at: 1000)
        #expect(outcome.isApplied && outcome.trace.isEmpty && session.advance(to: 5000).trace.isEmpty)
    }
}
