import DeckJournalSQLite
import FileTesting
import JournalTesting
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// Every call of the journal that a request leads to fails in turn, in each way in which it can fail.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct FaultRouteTests {
    /// The routes are tested at the same time, because most of the time is spent waiting between repeated appends.
    @Test func aRequestThatMeetsAFaultIsAnsweredCorrectlyOrNotDone() async throws {
        let failures = try await withThrowingTaskGroup(of: Int.self) { group in
            for route in FaultRoute.all { group.addTask { try await Self.run(route) } }
            return try await group.reduce(0, +)
        }
        // Or the faults were not met.
        #expect(failures > 300)
    }

    /// Tests a route on a separate service. Returns how many calls failed.
    private static func run(_ route: FaultRoute) async throws -> Int {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = FaultyJournal(try SQLiteJournal(path: folder.file("deckd.sqlite")))
        var failures = 0
        try await withRunningService(journal: journal, configure: configure) { client, service in
            let scene = try await FaultScene(0, client, service)
            let expected = try await Expected(route, scene, journal)
            for (number, fault) in faults(expected.calls).enumerated() {
                let scene = route.isReading ? scene : try await FaultScene(number + 1, client, service)
                let run = FaultRun(route: route, scene: scene, expected: expected, fault: fault)
                failures += try await run.check(journal)
            }
            try await checkCount(client)
        }
        return failures
    }

    private static func configure(_ configuration: inout ServiceConfiguration) {
        configuration.costPerSecond = 0
        // All sessions can be evicted at once.
        configuration.residentIdleSeconds = 0
    }

    /// Each failure of each call, once and lasting; and from each call on a journal that fails altogether.
    private static func faults(_ calls: [FaultyJournal.Method: Int]) -> [FaultyJournal.Fault] {
        let single = FaultyJournal.Method.allCases.flatMap { method in
            method.failures.flatMap { failure in
                (0..<calls[method, default: 0]).flatMap { number in
                    [false, true].map { FaultyJournal.Fault(failure, of: [method], after: number, lasts: $0) }
                }
            }
        }
        // The change is made, but no client is notified, because the journal fails from then on.
        let unconfirmed = [FaultyJournal.Method.append, .create].filter { calls[$0] != nil }.map {
            FaultyJournal.Fault(.unknownAfterSuccess, of: [$0], lasts: true, later: .unavailable)
        }
        let total = calls.values.reduce(0, +)
        return single + unconfirmed + (0..<total).map { FaultyJournal.Fault(.unavailable, after: $0, lasts: true) }
    }

    /// The gauge agrees with the list, whatever creations failed.
    private static func checkCount(_ client: Client) async throws {
        let listed = try await client.get("/v1/sessions?limit=1000").json["sessions"].elements.count
        _ = try await eventually("a gauge of \(listed) sessions") {
            let text = try await client.get("/metrics").text
            return text.contains("\ndeckd_sessions \(listed)\n") ? true : nil
        }
    }
}

/// The effect of a request without a fault.
struct Expected: Sendable {
    var before: String
    var answer: String
    var after: String
    var calls: [FaultyJournal.Method: Int]

    init(_ route: FaultRoute, _ scene: FaultScene, _ journal: FaultyJournal) async throws {
        before = try await scene.state()
        try await scene.service.evictAll()
        journal.disarm()
        let answer = try await route.send(scene)
        calls = journal.calls
        self.answer = scene.comparable(answer)
        after = try await scene.state()
        #expect(answer.status < 500, "\(route.name)")
        #expect(calls.values.reduce(0, +) > 0, "\(route.name) does not call the journal")
    }
}

/// A request that meets a fault.
private struct FaultRun {
    let route: FaultRoute
    let scene: FaultScene
    let expected: Expected
    let fault: FaultyJournal.Fault

    private var comment: Comment {
        let methods = fault.methods.count == 1 ? "\(fault.methods)" : "every method"
        return "\(route.name): \(fault.failure) of \(methods) after \(fault.successes), lasts: \(fault.lasts)"
    }

    /// Returns how many calls failed.
    func check(_ journal: FaultyJournal) async throws -> Int {
        try await scene.service.evictAll()
        journal.arm(fault)
        let answer = try await route.send(scene)
        let failures = journal.disarm()
        let state = try await scene.state()
        if answer.status == 503 {
            try await checkRefusal(answer, state)
        } else {
            expectEqual(scene.comparable(answer), expected.answer)
            expectEqual(state, expected.after)
        }
        return failures
    }

    /// Checks that nothing was done, or all of it if the journal did not confirm it, and that the next request succeeds.
    private func checkRefusal(_ answer: Answer, _ state: String) async throws {
        let isUnconfirmed = answer.json["detail"].text?.contains("did not confirm") == true
        let isDone = isUnconfirmed && shown(state) != shown(expected.before)
        expectEqual(state, isDone ? expected.after : expected.before)
        let again = try await route.send(scene)
        guard isDone, !route.isKeyed else {
            expectEqual(scene.comparable(again), expected.answer)
            expectEqual(try await scene.state(), expected.after)
            return
        }
        #expect(again.status < 500, comment)
    }

    private func shown(_ text: String) -> String {
        route.skipsNumbers ? text.withoutNumbers : text
    }

    private func expectEqual(_ found: String, _ expected: String) {
        let (found, expected) = (shown(found), shown(expected))
        guard found != expected else { return }
        let start = zip(found, expected).prefix { $0 == $1 }.count
        func part(_ text: String) -> String { String(text.dropFirst(max(0, start - 60)).prefix(200)) }
        Issue.record("\(comment): …\(part(found))… instead of …\(part(expected))…")
    }
}
