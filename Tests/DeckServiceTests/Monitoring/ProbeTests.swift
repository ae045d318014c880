import DeckJournal
import JournalTesting
import Foundation
import FoundationNetworking
import JSONTesting
import Testing

@testable import DeckService

@Suite(.serialized) struct ProbeTests {
    @Test(arguments: ["/livez", "/readyz"]) func aSoundServerIsAliveAndReady(path: String) async throws {
        try await withService { client in
            let answer = try await client.get(path)
            #expect(answer.status == 200)
            #expect(answer.text == "ok\n")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(try await client.send("HEAD", path).status == 200)
            #expect(try await client.get(path, headers: ["Accept": "*/*"]).status == 200)
            #expect(try await client.post(path, "{}").status == 405)
        }
    }

    @Test(arguments: ["/livez", "/readyz", "/metrics"]) func aParameterIsUnknownHereToo(path: String) async throws {
        try await withService { client in
            let answer = try await client.get("\(path)?verbose")
            #expect(answer.status == 400)
            #expect(answer.json["type"] == "/problems/malformed-query")
        }
    }

    @Test func itIsNotReadyWhileTheJournalFailsAndIsReadyAgainByItself() async throws {
        let journal = SickJournal()
        try await withService(journal: journal) { client in
            #expect(try await client.get("/readyz").status == 200)
            journal.health = .failing
            let failing = try await waitForReadiness(client, status: 503)
            #expect(failing.text == "The journal is unavailable; the server's log has the reason.\n")
            #expect(failing.headers["retry-after"] == "1")
            #expect(try await client.get("/livez").status == 200)
            journal.health = .sound
            #expect(try await waitForReadiness(client, status: 200).text == "ok\n")
        }
    }

    @Test func aJournalThatDoesNotAnswerIsNotWaitedForLong() async throws {
        let journal = SickJournal()
        try await withService(journal: journal) { client in
            journal.health = .silent
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<5 { group.addTask { try await client.get("/readyz") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for answer in answers {
                #expect(answer.status == 503)
                #expect(answer.text == "the journal does not answer\n")
            }
            // No probe waits any more for a check that hangs.
            var times: [Duration] = []
            for _ in 0..<5 {
                let start = ContinuousClock.now
                let answer = try await client.get("/readyz")
                times.append(ContinuousClock.now - start)
                #expect(answer.status == 503)
                #expect(answer.text == "the journal does not answer\n")
            }
            // If they waited, each would. A busy machine delays one of them or another.
            #expect(times.sorted()[1] < .milliseconds(800), "\(times)")
            // The first five waited for one check.
            #expect(journal.checks == 1)
            #expect(try await client.get("/livez").status == 200)
            // The other numbers are there nevertheless.
            let metrics = try await client.get("/metrics")
            #expect(metrics.status == 200)
            #expect(metrics.text.contains("\ndeckd_sessions 0\n"))
            #expect(!metrics.text.contains("\ndeckd_decks "))
        }
    }

    @Test func aCheckThatIsLostIsRepeated() {
        let start = ContinuousClock.now
        var waiters = CheckWaiters<Void>()
        func enter(after milliseconds: Int) -> CheckWaiters<Void>.Entry {
            waiters.enter({ _ in }, at: start + .milliseconds(milliseconds))
        }
        let times = [0, 799, 800, 9_999, 10_000, 10_799, 10_800]
        #expect(times.map(enter) == [.first, .joined, .tooLate, .tooLate, .first, .joined, .tooLate])
        // The first two have had their answers when the second check begins.
        #expect(waiters.finish().count == 2)
        #expect(enter(after: 10_801) == .first)
    }

    @Test func manyProbesAskTheJournalOnceASecond() async throws {
        let journal = SickJournal()
        try await withService(journal: journal) { client in
            let start = ContinuousClock.now
            for _ in 0..<100 {
                let status = try await client.get("/readyz").status
                #expect(status == 200)
            }
            let seconds = Int((ContinuousClock.now - start).components.seconds)
            #expect((1...seconds + 2).contains(journal.checks))
        }
    }

    @Test func aWithdrawnServiceIsNotReadyButWorks() async throws {
        try await withRunningService { client, service in
            #expect(try await client.get("/readyz").headers["connection"] == nil)
            service.withdraw()
            let refused = try await client.get("/readyz")
            #expect(refused.status == 503)
            #expect(refused.text == "the server is stopping\n")
            #expect(try await client.get("/livez").status == 200)
            let deck = try await client.get("/v1/decks/sample")
            #expect(deck.status == 200)
            #expect(deck.headers["connection"]?.lowercased() == "close")
        }
    }

    @Test func aLoopThatHangsIsToldByAnother() async throws {
        let journal = BlockingJournal()
        try await withService(journal: journal) { client in
            // Whichever loop this comes to hangs until the test lets it go.
            async let held = client.get("/v1/decks/held")
            await journal.waitUntilHeld()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                // Each over a separate connection, so that some come to the other loop.
                for _ in 0..<16 {
                    group.addTask {
                        let other = Client(client.base)
                        defer { other.session.finishTasksAndInvalidate() }
                        return try await other.get("/livez").status
                    }
                }
                let first = try await group.next()
                #expect(first == 503)
                journal.letGo()
                return try await group.reduce(into: [first]) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { $0 == 503 || $0 == 200 })
            #expect(try await held.status == 404)
            #expect(try await client.get("/livez").status == 200)
        }
    }

    /// Asks until the status is as wanted; what was found is kept for a second.
    private func waitForReadiness(_ client: Client, status: Int) async throws -> Answer {
        try await eventually("/readyz with status \(status)") {
            let answer = try await client.get("/readyz")
            return answer.status == status ? answer : nil
        }
    }
}

/// A journal in which one deck blocks the thread that asks for it, as no journal may.
private final class BlockingJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()
    private let gate = DispatchSemaphore(value: 0)
    private let stream: AsyncStream<Void>
    private let held: AsyncStream<Void>.Continuation

    init() {
        (stream, held) = AsyncStream.makeStream()
    }

    func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        if id == "held" {
            held.yield()
            gate.wait()
        }
        inner.deck(id, completion: completion)
    }

    func waitUntilHeld() async {
        var iterator = stream.makeAsyncIterator()
        await iterator.next()
    }

    func letGo() {
        gate.signal()
    }
}
