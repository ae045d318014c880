import DeckEngine
import Foundation
import Testing

/// Random sessions against a model. `DECKD_TEST_SEED` sets the seed and `DECKD_TEST_EVENTS` the number of events. A
/// quick run always has the same seed, so that it only fails after a change; `Tests/run --long` uses a new one.
struct ModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["DECKD_TEST_SEED"].flatMap(UInt64.init) ?? 20_261_121
    private static let eventCount = environment["DECKD_TEST_EVENTS"].flatMap(Int.init) ?? 10_000

    @Test func randomSessionsAgreeWithTheModel() {
        print("DECKD_TEST_SEED=\(Self.seed)")
        var done = 0
        var episode: UInt64 = 0
        while done < Self.eventCount {
            let run = RandomRun(seed: Self.seed &* 1_000_003 &+ episode, episode: episode)
            if let failure = run.failure() {
                Issue.record("DECKD_TEST_SEED=\(Self.seed), session \(episode)\n\(failure.text)")
                return
            }
            done += run.length
            episode += 1
        }
    }
}
