import Testing

@testable import DeckEngine

/// The actions that the frame offers to users without a pointer.
struct ActionsTests {
    @Test func onlyVerdictsThatWouldBeTakenAreOffered() throws {
        var limited = Card(id: "b")
        limited.allowedDirections = [.up, .right, .left]
        limited.deniedDirections = [.right]
        var session = DeckSession.make([Card(id: "a"), limited]) { $0.rules.deniedDirections = [.left] }
        #expect(session.actions == [.swipe(.right)])
        try session.swipe(.right, at: 0)
        #expect(session.actions == [.swipe(.up), .swipe(.left), .revert])
        // Offered actions are applied, and others are refused.
        for direction in Direction.allCases {
            var trial = session
            let isOffered = session.actions.contains(.swipe(direction))
            #expect(try trial.swipe(direction, at: 1000).isApplied == isOffered)
        }
    }

    @Test func undoAndRedoAreOfferedWhereTheyWork() throws {
        var final = Card(id: "b")
        final.undoable = false
        var session = DeckSession.make([Card(id: "a"), final, Card(id: "c")])
        #expect(!session.actions.contains(.revert))
        try session.swipe(.left, at: 0)
        #expect(session.actions.contains(.revert))
        try session.revert(at: 1000)
        #expect(session.actions == [.swipe(.left), .swipe(.right), .redo])
        try session.swipe(.left, at: 3000)
        try session.swipe(.left, at: 4000)
        #expect(!session.actions.contains(.revert))
        #expect(try session.revert(at: 5000).refusal == .notUndoable)
        try session.swipe(.left, at: 6000)
        // The deck has run out; the last swipe can still be reverted.
        #expect(session.actions == [.revert])
    }

    @Test func aCarouselOffersTheCardsBesideTheFrontOne() throws {
        let loop = DeckSession.make(5, preset: .flipCarousel)
        #expect(loop.actions.prefix(2) == [.move(to: 1, isForward: true), .move(to: 4, isForward: false)])
        let first = DeckSession.make(5, preset: .flipCarousel) { $0.loop = false }
        #expect(first.actions == [.move(to: 1, isForward: true), .swipe(.left), .swipe(.right)])
        let last = DeckSession.make(5, preset: .flipCarousel, from: 4) { $0.loop = false }
        #expect(last.actions.first == .move(to: 3, isForward: false))
        #expect(DeckSession.make(1, preset: .flipCarousel).actions == [.swipe(.left), .swipe(.right)])
        #expect(DeckSession.make(0).actions.isEmpty)
    }
}
