import Testing

@testable import DeckEngine

/// The cards whose content a player may read.
struct ReadableTests {
    @Test func theyAreTheVisibleCardsAndTheNextOnes() throws {
        var session = DeckSession.make(20) { $0.rules.lookahead = 2 }
        #expect(session.readableIndices == [0, 1, 2, 3, 4])
        try session.swipe(.left, at: 0)
        // The card on its way out is still shown.
        #expect(session.readableIndices == [0, 1, 2, 3, 4, 5])
        _ = try session.apply(.tick, at: 5000)
        #expect(session.readableIndices == [1, 2, 3, 4, 5])
        _ = try session.apply(.command(.move(to: 18)), at: 5000)
        _ = try session.apply(.tick, at: 9000)
        #expect(session.readableIndices == [18, 19])
    }

    @Test func aLoopContinuesWithItsFirstCards() {
        var session = DeckSession.make(6, from: 5) { $0.loop = true }
        #expect(session.readableIndices == [0, 1, 2, 3, 4, 5])
        session = DeckSession.make(9, from: 8) {
            $0.loop = true
            $0.rules.lookahead = 1
        }
        #expect(session.readableIndices == [0, 1, 2, 8])
        session = DeckSession.make(2) { $0.loop = true }
        #expect(session.readableIndices == [0, 1])
    }

    @Test func thereAreNoneWithoutCards() throws {
        #expect(DeckSession.make(0).readableIndices == [])
        #expect(DeckSession.make(5, from: 5).readableIndices == [])
        var session = DeckSession.make(1)
        try session.swipe(.left, at: 0)
        #expect(session.readableIndices == [0])
        _ = try session.apply(.tick, at: 5000)
        #expect(session.readableIndices == [])
    }

    @Test func aCarouselHasThoseBehindItsLastCard() {
        for (loop, expected) in [(false, [7, 8, 9]), (true, [0, 1, 2, 7, 8, 9])] {
            let session = DeckSession.make(10, preset: .flipCarousel, from: 7) {
                $0.loop = loop
                $0.rules.lookahead = 1
            }
            let shown = session.frame(at: .zero).cards.map(\.index)
            #expect(Set(session.readableIndices).isSuperset(of: shown))
            #expect(session.readableIndices.count == min(shown.count + 1, loop ? 10 : 3))
            #expect(Set(session.readableIndices).isSubset(of: loop ? Set(0..<10) : Set(expected)))
        }
    }
}
