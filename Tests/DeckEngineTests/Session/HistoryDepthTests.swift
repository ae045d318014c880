import Testing

@testable import DeckEngine

struct HistoryDepthTests {
    @Test func aThousandCanBeDoneAgainAndNoMore() throws {
        var session = DeckSession.make(10) { $0.loop = true }
        for _ in 0..<3 {
            for _ in 0..<1000 { try session.swipe(.left, at: session.now + 1) }
            #expect(session.revertibleCount == 1000)
        }
        for _ in 0..<10 { _ = try session.apply(.revert(.fade, count: 100), at: session.now + 1) }
        #expect(session.revertibleCount == 0)
        #expect(session.redoableCount == 1000)
        #expect(try session.apply(.command(.redo(count: 1001)), at: session.now).refusal == .nothingToRedo)
        #expect(try session.apply(.command(.redo(count: 1000)), at: session.now).verdictChanges.count == 1000)
        #expect(session.redoableCount == 0)
    }
}
