import Testing

@testable import DeckEngine

/// The history is bounded, and its cost does not depend on its length.
struct HistoryCostTests {
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

    /// The shortest time of several rounds, which other load on the machine affects least.
    private func shortest(_ body: () throws -> Void) rethrows -> Duration {
        var best = Duration.seconds(60)
        for _ in 0..<7 { best = try min(best, ContinuousClock().measure(body)) }
        return best
    }

    @Test func rememberingASwipeTakesAsLongAfterManyAsAtFirst() {
        let swipe = PastSwipe(card: CardIdentity(0), direction: .left, verdict: 1)
        let first = shortest {
            for _ in 0..<100 {
                var history = History()
                for _ in 0..<20 { history.append(swipe) }
            }
        }
        var full = History()
        for _ in 0..<5000 { full.append(swipe) }
        let late = shortest { for _ in 0..<2000 { full.append(swipe) } }
        #expect(late < first * 8, "\(late) for 2000 in a full history, \(first) in short ones")
        #expect(full.count == EngineLimits.historyDepth)
    }

    @Test func aDragTakesAsLongInALargeDeckAsInASmallOne() throws {
        func time(_ count: Int) throws -> Duration {
            var session = DeckSession.make(count)
            var step = 0.0
            return try shortest {
                for _ in 0..<200 {
                    step += 1
                    try session.drag(.changed, .x(40 + step.truncatingRemainder(dividingBy: 9)), at: Instant(step))
                    _ = session.frame(at: session.now)
                }
            }
        }
        let (small, large) = (try time(10), try time(1_000_000))
        #expect(large < small * 8, "\(large) with a million cards, \(small) with ten")
    }
}
