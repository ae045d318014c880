import FileTesting
import Foundation
import SocketTesting
import Testing

/// Sessions that have grown as large as the limits allow, and what their clients can do to others with them.
@Suite(.serialized) struct HeavySessionTests {
    /// For how much processor time an honest client waits at most. A debug build takes many seconds for what the attackers ask
    /// for.
    private static let mostMilliseconds = 1500.0 * Double(Sanitizer.slowness)

    /// Prepares a file with a server that has no limits of cost, and continues with one that has the default limits.
    private func withServer(
        _ prepare: (_ port: Int) throws -> Void,
        _ body: (_ server: RunningServer, _ port: Int) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let data = folder.file("deckd.sqlite")
        let unlimited = try RunningServer(environment: ["DECKD_LIMITS_COST_PER_SECOND": "0"], data: data)
        try prepare(try unlimited.port())
        #expect(unlimited.stop(SIGTERM) == .exit(0))
        let server = try RunningServer(data: data)
        try body(server, try server.port())
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    private func begin(_ deck: String, _ more: String = "", port: Int) throws -> String {
        try AttackClient.begin(
            #"{"deck":\#(deck),"viewport":{"width":300,"height":400},"clock":"manual"\#(more)}"#,
            port: port
        )
    }

    /// Sends one event many times, in batches.
    private func send(_ event: String, _ count: Int, inBatchesOf size: Int = 250, to session: String, port: Int) throws
    {
        let client = try AttackClient(port: port)
        let batch = #"{"events":[\#(Array(repeating: event, count: size).joined(separator: ","))]}"#
        for _ in 0..<count / size { #expect(try client.post(batch, to: "\(session)/events?frame=none") == 200) }
    }

    /// Does something again and again for some seconds, and until it is enough, but not longer than a minute.
    private func repeating(_ seconds: Int, until isEnough: () -> Bool, _ body: () throws -> Void) rethrows {
        let begin = ContinuousClock.now
        while ContinuousClock.now < begin + .seconds(seconds)
            || !isEnough() && ContinuousClock.now < begin + .seconds(60)
        {
            try body()
            // The honest client must not empty its bucket, which gains 1,000 units a second. A past moment takes up to 12 units.
            usleep(20_000)
        }
    }

    /// Sends a request over some connections, again whenever one has its answer. Meanwhile an honest client does something.
    ///
    /// One connection begins alone: several can use up what the session pays before any of their requests is complete.
    ///
    /// - Parameter accepted: the status of a request that was not refused. At least one of them has it.
    /// - Returns: the statuses that were answered, and the most milliseconds of processor time for which the honest client waited.
    private func attack(
        _ server: RunningServer,
        _ clients: [AttackClient],
        until accepted: Int = 200,
        _ send: (AttackClient) throws -> Void,
        while honest: () throws -> Void
    ) throws -> (answers: [Int: Int], milliseconds: Double) {
        var answers: [Int: Int] = [:]
        var attackers = clients.prefix(1)
        for client in attackers { try send(client) }
        var wait = LongestWait(for: server)
        try repeating(4, until: { answers[accepted] != nil }) {
            try wait.measure(honest)
            for client in attackers {
                guard let status = try client.answerIfThere() else { continue }
                answers[status, default: 0] += 1
                try send(client)
            }
            guard answers[accepted] != nil, attackers.count < clients.count else { return }
            for client in clients.dropFirst() { try send(client) }
            attackers = clients[...]
        }
        let milliseconds = wait.processorMilliseconds
        print(
            "the honest client waited \(wait.milliseconds) ms at most, for \(milliseconds) ms of processor time;",
            "the attackers got \(answers)"
        )
        #expect(answers[accepted] ?? 0 > 0)
        return (answers, milliseconds)
    }

    /// A copy shares the verdicts of its origin, so it writes their numbers as ranges. Copies of 100,000 verdicts cost more than a
    /// session can pay, and are refused only after some of the verdicts were read.
    @Test(arguments: [(3_000, 201), (100_000, 429)])
    func copiesOfManyVerdictsDelayNoCommit(verdictCount: Int, status: Int) throws {
        var victim = ""
        try withServer { port in
            victim = try begin(#"{"count":9,"loop":true}"#, port: port)
            try send(#"{"type":"swipe","direction":"left","at":1}"#, verdictCount, to: victim, port: port)
        } _: { server, port in
            let honest = try begin(#"{"count":9,"loop":true}"#, port: port)
            let client = try AttackClient(port: port)
            var time = 0
            let clients = try (0..<4).map { _ in try AttackClient(port: port) }
            let (answers, milliseconds) = try attack(server, clients, until: status) {
                try $0.sendPost("{}", to: "\(victim)/fork")
            } while: {
                time += 1000
                let swipe = #"{"type":"swipe","direction":"left","at":\#(time)}"#
                let status = try client.post(swipe, to: "\(honest)/events?frame=none")
                #expect(status == 200)
            }
            #expect(Set(answers.keys).isSubset(of: status == 201 ? [201, 429] : [422, 429]))
            #expect(milliseconds < Self.mostMilliseconds)
        }
    }

    /// The moments of one session that take long do not delay those of another one.
    @Test func pastMomentsOfOneSessionDelayNoOthers() throws {
        var victim = ""
        var honest = ""
        try withServer { port in
            victim = try begin(#"{"count":99000}"#, #","record":true"#, port: port)
            // As many as a session can pay for.
            try send(#"{"type":"shuffle","seed":1,"at":101}"#, 3, inBatchesOf: 3, to: victim, port: port)
            try send(#"{"type":"tick","at":200}"#, 1, inBatchesOf: 1, to: victim, port: port)
            honest = try begin(#"{"count":9}"#, #","record":true"#, port: port)
            try send(#"{"type":"tick","at":1000}"#, 250, to: honest, port: port)
        } _: { server, port in
            let client = try AttackClient(port: port)
            let clients = try (0..<3).map { _ in try AttackClient(port: port) }
            let (answers, milliseconds) = try attack(server, clients) {
                try $0.sendGet("\(victim)/frame?at=150")
            } while: {
                let status = try client.get("\(honest)/frame?at=999")
                #expect(status == 200)
            }
            #expect(Set(answers.keys).isSubset(of: [200, 429, 503]))
            #expect(milliseconds < Self.mostMilliseconds)
        }
    }

    /// Many large changes of one session wait for each other, and neither other sessions nor the memory notice.
    @Test(arguments: [true, false]) func largeChangesOfOneSessionRefuseNoOthers(areInserts: Bool) throws {
        let text = String(repeating: "x", count: 15_000)
        let cards = (0..<16).map { #"{"id":"NUMBER-\#($0)","data":"\#(text)"}"# }.joined(separator: ",")
        let change = areInserts ? #"{"type":"insert","index":0,"cards":[\#(cards)]}"# : #"{"type":"shuffle","seed":1}"#
        let folder = try TemporaryFolder()
        let server = try RunningServer(data: folder.file("deckd.sqlite"))
        let port = try server.port()
        let deck = #"{"deck":{"count":COUNT,"loop":true},"viewport":{"width":300,"height":400}}"#
        let victim = try AttackClient.begin(deck.replacing("COUNT", with: areInserts ? "9" : "99000"), port: port)
        let honest = try AttackClient.begin(deck.replacing("COUNT", with: "9"), port: port)
        let before = server.residentBytes
        let client = try AttackClient(port: port)
        let clients = try (0..<8).map { _ in try AttackClient(port: port) }
        var number = 0
        let (answers, milliseconds) = try attack(server, clients) { attacker in
            number += 1
            try attacker.sendPost(change.replacing("NUMBER", with: "\(number)"), to: "\(victim)/events?frame=none")
        } while: {
            let swipe = #"{"type":"swipe","direction":"left"}"#
            let status = try client.post(swipe, to: "\(honest)/events?frame=none")
            #expect(status == 200)
        }
        #expect(Set(answers.keys).isSubset(of: [200, 422, 429, 503]))
        #expect(milliseconds < Self.mostMilliseconds)
        let added = server.residentBytes - before
        print("\(added) bytes more")
        // The cards of a session may have 32 MiB, of which a few copies are made while they change.
        #expect(Sanitizer.isOn || added < 300 << 20)
        #expect(server.stop(SIGTERM) == .exit(0))
    }
}
