import Foundation
import Testing

@testable import DeckEngine

/// Random sessions against a model of them. The seed is a new one each time, unless `DECKD_TEST_SEED` gives one, and
/// `DECKD_TEST_EVENTS` says how many events there are to be.
struct ModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["DECKD_TEST_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1..<1 << 48)
    private static let eventCount = environment["DECKD_TEST_EVENTS"].flatMap(Int.init) ?? 10_000

    @Test func randomSessionsAgreeWithTheModel() {
        print("DECKD_TEST_SEED=\(Self.seed)")
        var done = 0
        var episode: UInt64 = 0
        while done < Self.eventCount {
            // Every fortieth session goes on for so long that the history fills up.
            let isLong = episode % 40 == 39
            let length = isLong ? 1600 : 80
            let seed = Self.seed &* 1_000_003 &+ episode
            if let failure = Self.failure(seed: seed, length: length, swipesMuch: isLong) {
                Issue.record("DECKD_TEST_SEED=\(Self.seed), session \(episode)\n\(failure)")
                return
            }
            done += length
            episode += 1
        }
    }

    /// One session from a seed.
    ///
    /// - Returns: what is wrong with it, and a short list of steps that shows it.
    private static func failure(seed: UInt64, length: Int, swipesMuch: Bool) -> String? {
        var source = ModelSource(seed: seed, swipesMuch: swipesMuch)
        let start = source.start()
        var run = ModelRun(start)
        var steps: [ModelStep] = []
        var fault: String?
        while fault == nil, steps.count < length {
            let step = source.step(run.model, start)
            steps.append(step)
            fault = run.perform(step)
        }
        guard fault ?? run.replayFault() != nil else { return nil }
        let shrunk = Shrinker.shrunk(steps) { ModelRun.fault(of: start, $0) != nil }
        let list = shrunk.map { "    \($0.source)," }.joined(separator: "\n")
        let found = ModelRun.fault(of: start, shrunk) ?? "?"
        return "\(found)\nlet start = \(start.source)\nlet steps: [ModelStep] = [\n\(list)\n]"
    }
}
