import DeckEngine
import DeckWire
import Foundation
import RandomTesting
import Testing

/// Sessions in the native engine and in engine.wasm: every result and every frame has the same bits, and the client's
/// objects are the server's JSON. `DECKD_TEST_SEED` repeats a failure; `DECKD_TEST_EVENTS` sets the number of events.
struct FidelityTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let eventCount = environment["DECKD_TEST_EVENTS"].flatMap(Int.init) ?? 50_000
    private static let seed =
        environment["DECKD_TEST_SEED"].flatMap(UInt64.init) ?? .random(in: 100_000_000..<1_000_000_000)
    /// The events of one file.
    private static let chunk = 10_000

    @Test func randomEventsHaveTheSameResultsInWebAssembly() throws {
        print("DECKD_TEST_SEED=\(Self.seed)")
        var episode: UInt64 = 0
        var done = 0
        while done < Self.eventCount {
            var traces: [ClientTrace] = []
            let goal = min(done + Self.chunk, Self.eventCount)
            while done < goal {
                let length = min(120, goal - done)
                traces.append(try Self.trace(seed: Self.seed &* 1_000_003 &+ episode, length: length))
                done += length
                episode += 1
            }
            try NodeScript.replay(traces)
        }
    }

    @Test func nothingTrapsInWebAssembly() throws {
        print("DECKD_TEST_SEED=\(Self.seed)")
        let traces = try (0..<40).map { try Self.trace(seed: Self.seed &* 1_000_003 &+ $0, length: 40) }
        try NodeScript.fuzz(traces, seed: Self.seed, rounds: Self.eventCount / 10)
    }

    @Test func recordedSessionsHaveTheSameResultsInWebAssembly() throws {
        let file = try Vectors.read("koloda-scenarios", as: Scenario.File.self)
        var traces: [ClientTrace] = []
        for scenario in file.scenarios {
            var player = try ScenarioPlayer(scenario)
            // Some scenarios have settings that no deck can have, and that no snapshot is read with.
            let stored = player.session.snapshot(withCards: true)
            guard (try? DeckSession(snapshot: stored)) != nil else { continue }
            var trace = try ClientTrace(player.session)
            for step in scenario.steps { try player.perform(step) }
            for (event, exactTime) in player.applied {
                // The server rounds the times that it gets, and so does the client.
                let time = exactTime.roundedToNanoseconds
                try trace.apply(event, at: time, withJSON: true)
                trace.look(at: time, withJSON: true)
            }
            traces.append(trace)
        }
        #expect(traces.count > 50, "\(traces.count) of \(file.scenarios.count)")
        try NodeScript.replay(traces)
    }

    private static func trace(seed: UInt64, length: Int) throws -> ClientTrace {
        var random = RandomClient(seed: seed)
        var trace = try ClientTrace(random.session())
        for step in 0..<length {
            let withJSON = step % 8 == 0
            let time = trace.server.now + Milliseconds(random.pause())
            if random.chance(0.05) { trace.advance(to: trace.server.now + 40, withJSON: withJSON) }
            let target = random.target(in: trace.server)
            let event = random.event(for: trace.server)
            try trace.apply(event, onlyOn: target, at: max(time, trace.server.now), withJSON: withJSON)
            trace.look(at: trace.server.now + Milliseconds(random.pause()), withJSON: withJSON)
        }
        return trace
    }
}
