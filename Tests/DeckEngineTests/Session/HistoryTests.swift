import Testing

@testable import DeckEngine

/// The depth of the history.
struct HistoryTests {
    @Test func aThousandSwipesCanBeTakenBackAndNoMore() throws {
        var session = DeckSession.make(10_000_000) { $0.motion.dragSpeed = 10 }
        let count = 2 * EngineLimits.historyDepth + 357
        for index in 0..<count {
            try session.swipe(index % 3 == 0 ? .left : .right, at: Instant(Double(index) * 20))
            #expect(session.revertibleCount == min(index + 1, EngineLimits.historyDepth))
        }
        let now = session.now
        for index in (count - EngineLimits.historyDepth..<count).reversed() {
            let outcome = try session.revert(at: now)
            #expect(outcome.index == index)
            #expect(outcome.direction == (index % 3 == 0 ? .left : .right))
        }
        #expect(try session.revert(at: now).refusal == .nothingToRevert)
        #expect(session.currentIndex == count - EngineLimits.historyDepth)
    }

    @Test func whatIsKeptDecidesWhetherTwoHistoriesAreEqual() {
        func swipe(_ sequence: Int) -> PastSwipe {
            PastSwipe(card: CardIdentity(UInt32(sequence)), direction: .left, verdict: sequence)
        }
        var (long, short) = (History(), History())
        for sequence in 0..<1500 { long.append(swipe(sequence)) }
        for sequence in 500..<1500 { short.append(swipe(sequence)) }
        #expect(long == short)
        #expect(long.hashValue == short.hashValue)
        #expect(long.removeLast() == swipe(1499))
        #expect(long != short)
        #expect(short.removeLast() == swipe(1499))
        #expect(long == short)
        long.removeAll { $0.verdict < 700 }
        #expect(long.count == 799)
        #expect(long.last == swipe(1498))
        long.removeAll()
        #expect(long == History())
        #expect(long.last == nil)
    }

    @Test func aRevertedVerdictsNumberIsNotGivenAgain() throws {
        var session = DeckSession.make()
        try session.swipe(.right, at: 0)
        try session.revert(at: 1000)
        guard case .given(let verdict) = try session.swipe(.left, at: 3000).verdictChanges.first else {
            Issue.record("a swipe gives a verdict")
            return
        }
        #expect(verdict.sequence == 2)
        #expect(session.lastVerdict == 2)
    }
}
