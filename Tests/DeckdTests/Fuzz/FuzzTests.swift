import FileTesting
import Foundation
import Testing

/// Random sessions over HTTP, in which everything that can be found out in two ways is.
@Suite struct FuzzTests {
    /// How many events there are in all: fifty thousand, or as many as `DECKD_TEST_FUZZ_EVENTS` says.
    private static let eventCount =
        ProcessInfo.processInfo.environment["DECKD_TEST_FUZZ_EVENTS"].flatMap(Int.init) ?? 50_000
    private static let eventsPerSession = 800
    private static let sessionsPerKill = 10
    /// With this number of events, each type is applied.
    private static let leastEventsOfAllTypes = 20_000
    private static let types = [
        "tap", "press", "flip", "nudge", "scroll", "drag", "confirm", "deny", "revert", "redo", "move", "sendToBack",
        "putBack", "swipe", "reload", "reset", "insert", "remove", "refresh", "shuffle", "appear", "resize", "tick",
    ]

    /// The seed of the first session, which the next ones follow. Each failure names the seed of its session, which is
    /// played alone with `DECKD_TEST_SEED` and `DECKD_TEST_FUZZ_EVENTS=1`.
    private static let seed =
        ProcessInfo.processInfo.environment["DECKD_TEST_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func whatCanBeFoundOutInTwoWaysIsTheSame() throws {
        print("fuzz: DECKD_TEST_SEED=\(Self.seed)")
        let folder = try TemporaryFolder()
        func start() throws -> RunningServer {
            // Events come much faster here than from a person.
            try RunningServer(
                environment: [
                    "DECKD_LIMITS_COST_PER_SECOND": "0", "DECKD_ACCESS_LOG": "false",
                    // A session has several connections, and under a sanitizer one may wait long for its next use.
                    "DECKD_LIMITS_IDLE_TIMEOUT_SECONDS": "3600",
                ],
                data: folder.file("deckd.sqlite")
            )
        }
        var server = try start()
        var events = 0
        var number = 0
        var appliedCounts: [String: Int] = [:]
        var batchCounts = (sent: 0, accepted: 0)
        while events < Self.eventCount {
            let seed = Self.seed &+ UInt64(number)
            do {
                let session = try FuzzSession(number, seed: seed, port: try server.port())
                while session.eventCount < Self.eventsPerSession { try session.step() }
                if number % Self.sessionsPerKill == 0 {
                    let saved = try session.saved()
                    #expect(server.stop(SIGKILL) == .signal(SIGKILL))
                    server = try start()
                    try session.connect(try server.port())
                    try session.check(saved)
                    for _ in 0..<20 { try session.step() }
                }
                try session.checkLog()
                try session.end()
                events += session.eventCount
                appliedCounts.merge(session.appliedCounts, uniquingKeysWith: +)
                batchCounts.sent += session.batchCounts.sent
                batchCounts.accepted += session.batchCounts.accepted
            } catch {
                Issue.record("DECKD_TEST_SEED=\(seed): \(error)")
                return
            }
            number += 1
        }
        print("fuzz: \(events) events in \(number) sessions; \(batchCounts) batches; applied: \(appliedCounts)")
        #expect(batchCounts.accepted * 10 > batchCounts.sent * 6)
        if events >= Self.leastEventsOfAllTypes {
            #expect(Self.types.filter { appliedCounts[$0] == nil }.isEmpty, "none of these was applied")
        }
        #expect(server.stop(SIGTERM) == .exit(0))
    }
}
