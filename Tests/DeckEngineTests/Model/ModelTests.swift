import DeckEngine
import Foundation
import Testing

/// Random sessions against a model. Half of the events have the same seed in every run, the other half a new one.
/// `DECKD_TEST_SEED` sets the seed of all events and repeats a failure; `DECKD_TEST_EVENTS` sets their number.
struct ModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let eventCount = environment["DECKD_TEST_EVENTS"].flatMap(Int.init) ?? 10_000
    private static let seeds =
        environment["DECKD_TEST_SEED"].flatMap(UInt64.init).map { [$0] }
        ?? [20_261_121, .random(in: 100_000_000..<1_000_000_000)]

    @Test(arguments: seeds)
    func randomSessionsAgreeWithTheModel(seed: UInt64) {
        print("DECKD_TEST_SEED=\(seed)")
        var done = 0
        var episode: UInt64 = 0
        while done < Self.eventCount / Self.seeds.count {
            let run = RandomRun(seed: seed &* 1_000_003 &+ episode, episode: episode)
            if let failure = run.failure() {
                Issue.record("DECKD_TEST_SEED=\(seed), session \(episode)\n\(failure.text)")
                return
            }
            done += run.length
            episode += 1
        }
    }
}
