import Foundation
import Testing

@testable import DeckEngine

/// What must not take longer in a large deck or with a long history. Nothing may run beside these tests.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["DECKD_TEST_TIMES"] != nil))
struct ConstantCostTests {
    @Test func rememberingASwipeTakesAsLongAfterManyAsAtFirst() {
        let swipe = PastSwipe(card: CardIdentity(0), direction: .left, verdict: 1)
        var full = History()
        for _ in 0..<5000 { full.append(swipe) }
        let times = shortestTimes(
            {
                for _ in 0..<100 {
                    var history = History()
                    for _ in 0..<20 { history.append(swipe) }
                }
            },
            { for _ in 0..<2000 { full.append(swipe) } }
        )
        // A full history also forgets a swipe for each that it remembers.
        #expect(times.second < times.first * 4, "\(times.second) in a full history, \(times.first) in short ones")
        #expect(full.count == EngineLimits.historyDepth)
    }

    @Test func aDragTakesAsLongInALargeDeckAsInASmallOne() throws {
        var (small, large) = (DeckSession.make(10), DeckSession.make(1_000_000))
        let times = try shortestTimes({ try drag(&small) }, { try drag(&large) })
        #expect(times.second < times.first * 2, "\(times.second) with a million cards, \(times.first) with ten")
    }

    private func drag(_ session: inout DeckSession) throws {
        for step in 0..<200 {
            try session.drag(.changed, .x(40 + Double(step % 9)), at: Instant(session.now.milliseconds + 1))
            _ = session.frame(at: session.now)
        }
    }

    /// The shortest times of several rounds, which other load on the machine affects least. The rounds alternate.
    private func shortestTimes(
        _ first: () throws -> Void,
        _ second: () throws -> Void
    ) rethrows -> (first: Duration, second: Duration) {
        var times = (first: Duration.seconds(60), second: Duration.seconds(60))
        for _ in 0..<15 {
            times.first = try min(times.first, ContinuousClock().measure(first))
            times.second = try min(times.second, ContinuousClock().measure(second))
        }
        return times
    }
}
