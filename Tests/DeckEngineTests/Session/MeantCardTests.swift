import Testing

@testable import DeckEngine

/// Events that name one card.
struct MeantCardTests {
    private static let events: [Event] = [
        .drag(DragEvent(.began)), .drag(DragEvent(.ended, translation: Vector(x: 290, y: 0))), .swipe(.left),
        .tap(index: nil), .nudge(.left), .command(.sendToBack),
    ]

    @Test(arguments: events)
    func anEventIsDoneToTheCardThatIsMeant(event: Event) throws {
        var session = DeckSession.make(from: 1)
        var other = session
        let outcome = try session.apply(event, onlyOn: "1", at: 5)
        #expect(outcome.isApplied)
        #expect(try other.apply(event, at: 5) == outcome)
        #expect(session == other)
    }

    @Test(arguments: events)
    func anotherCardIsLeftAlone(event: Event) throws {
        var session = DeckSession.make(from: 1)
        try session.swipe(.right, at: 0)
        var other = session
        // The card that has left, the one behind, one that does not exist, and none.
        for id: CardID in ["1", "3", "a", ""] {
            let outcome = try session.apply(event, onlyOn: id, at: 10)
            #expect(outcome.refusal == .notFrontCard)
            #expect(outcome.verdictChanges.isEmpty)
        }
        _ = other.advance(to: 10)
        #expect(session == other)
        #expect(try session.apply(event, onlyOn: "2", at: 10).isApplied)
    }

    @Test func aHeldCardStaysHeldWhenAnotherIsMeant() throws {
        var session = DeckSession.make()
        try session.drag(.changed, .x(120), at: 0)
        let end = Event.drag(DragEvent(.ended, translation: .x(290)))
        #expect(try session.apply(end, onlyOn: "1", at: 10).refusal == .notFrontCard)
        #expect(session.shown.dragging)
        #expect(try session.apply(end, onlyOn: "0", at: 20).ending == .swiped)
    }

    @Test func anEmptyDeckHasNoCardThatCouldBeMeant() throws {
        var session = DeckSession.make(0)
        #expect(try session.apply(.swipe(.left), onlyOn: "0", at: 0).refusal == .noCard)
    }

    @Test func commandsThatWaitCountAsDone() throws {
        var session = DeckSession.make { $0.rules.whileAnimating = .queue }
        for (card, ending) in [("0", Ending.swiped), ("1", .queued), ("2", .queued)] {
            #expect(try session.apply(.swipe(.left), onlyOn: CardID(card), at: 10).ending == ending)
        }
        // Card 1 is still seen in front, but has a queued verdict.
        #expect(session.visibleIndices.first == 1)
        #expect(try session.apply(.swipe(.left), onlyOn: "1", at: 20).refusal == .notFrontCard)
        #expect(try session.apply(.drag(DragEvent(.began)), onlyOn: "2", at: 20).refusal == .notFrontCard)
        #expect(try session.apply(.command(.sendToBack), onlyOn: "2", at: 20).refusal == .notFrontCard)
        // Events that do not wait for queued commands apply to the visible card.
        for event in [Event.tap(index: nil), .nudge(.left)] {
            #expect(try session.apply(event, onlyOn: "3", at: 20).refusal == .notFrontCard)
        }
        #expect(try session.apply(.tap(index: nil), onlyOn: "1", at: 20).index == 1)
        #expect(try session.apply(.nudge(.left), onlyOn: "1", at: 20).refusal == .animating)
        #expect(try session.apply(.drag(DragEvent(.began)), onlyOn: "3", at: 20).isApplied)
        #expect(session.visibleIndices.first == 3)
    }
}
