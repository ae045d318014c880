import DeckEngine
import DeckJournal
import DeckWire
import JSONTesting
import Locking
import Testing

@testable import DeckService

@Suite struct ResidencyTests {
    private static let start = ContinuousClock.now

    private func after(_ seconds: Int) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    @Test func aUseCountsAsIdleFromTheFirstMarkAfterIt() {
        let residency = Residency(idleTime: .seconds(100))
        #expect(residency.mark(5, at: after(0)) == nil)
        #expect(residency.mark(7, at: after(60)) == nil)
        #expect(residency.mark(9, at: after(99)) == nil)
        #expect(residency.mark(9, at: after(100)) == 5)
        #expect(residency.mark(9, at: after(120)) == 5)
        #expect(residency.mark(12, at: after(160)) == 7)
        #expect(residency.mark(12, at: after(1000)) == 12)
    }

    @Test func idleSessionsLeaveMemoryAndAreFoundAgain() async throws {
        let sessions = SessionTable(
            journal: MemoryJournal(),
            maximumCount: 100,
            maximumResidents: 6400,
            residentIdleTime: .seconds(100)
        )
        let ids = (0..<10).map { "session-\($0)" }
        for id in ids { try await insert(id, into: sessions) }
        #expect(sessions.residentCount == 10)
        sessions.dropIdle(at: after(0))
        sessions.dropIdle(at: after(99))
        #expect(sessions.residentCount == 10)
        // The even ones are used once more.
        let used = ids.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        for id in used { _ = try await find(id, in: sessions) }
        sessions.dropIdle(at: after(100))
        #expect(sessions.residentCount == 5)
        #expect(sessions.totalCount == 10)
        for id in ids { #expect(try await find(id, in: sessions).identity.id == id) }
        #expect(sessions.residentCount == 10)
        sessions.dropIdle(at: after(101))
        sessions.dropIdle(at: after(300))
        #expect(sessions.residentCount == 0)
    }

    @Test func aSessionThatIsWatchedStaysThoughOthersNeedItsPlace() async throws {
        // One place for each of 64 parts of the table: all but surely another session comes to the same part.
        let sessions = SessionTable(journal: MemoryJournal(), maximumCount: 9999, maximumResidents: 64)
        for id in ["watched", "left"] { try await insert(id, into: sessions) }
        let (watched, left) = (try await find("watched", in: sessions), try await find("left", in: sessions))
        let watcher = try #require(watched.watch {})
        for number in 0..<1000 { try await insert("session-\(number)", into: sessions) }
        #expect(try await find("watched", in: sessions) === watched)
        #expect(try await find("left", in: sessions) !== left)
        watched.unwatch(watcher)
        for number in 1000..<2000 { try await insert("session-\(number)", into: sessions) }
        #expect(try await find("watched", in: sessions) !== watched)
    }

    @Test func whatWasUsedIsToldInPartsAndAgainIfTheJournalFailed() async throws {
        let journal = TouchedJournal()
        let sessions = SessionTable(journal: journal, maximumCount: 9999, maximumResidents: 999_999)
        let ids = Set((0..<2500).map { "session-\($0)" })
        for id in ids { try await insert(id, into: sessions) }
        func tidy() {
            sessions.tidy(at: .now(), idleSince: .now()) { _ in }
        }
        journal.failures = 1
        tidy()
        #expect(journal.take() == ([], 0))
        tidy()
        let (touched, expiries) = journal.take()
        #expect(touched.map(\.count) == [1000, 1000, 500])
        #expect(Set(touched.joined()) == ids)
        #expect(expiries == 1)
        tidy()
        #expect(journal.take() == ([], 1))
        _ = try await find("session-7", in: sessions)
        tidy()
        #expect(journal.take() == ([["session-7"]], 1))
    }

    @Test func theServiceDropsWhatTheConfigurationSays() async throws {
        try await withRunningService(configure: { $0.residentIdleSeconds = 0 }) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            _ = try await session.swipe("left", at: 1)
            let frame = try await client.get("\(session.path)/frame")
            #expect(try await resident(client) == 1)
            service.tidy()
            #expect(try await resident(client) == 0)
            #expect(try await client.get("\(session.path)/frame").text == frame.text)
            #expect(try await resident(client) == 1)
        }
    }

    @Test func whatNeedNotLastIsKeptWhenASessionLeaves() async throws {
        try await withRunningService(configure: { $0.residentIdleSeconds = 0 }) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            _ = try await session.drag("changed", at: 1, 30, 0)
            _ = try await session.event("tap", at: 2)
            // Or the version, which is the frame's tag, would be given again to another frame.
            let kept = try await session.kept()
            for _ in 0..<2 { service.tidy() }
            #expect(try await resident(client) == 0)
            #expect(try await session.kept() == kept)
        }
    }

    @Test func aSessionThatCouldNotBeKeptBeforeItLeftIsReadAgain() async throws {
        try await withRunningService(
            journal: FailingJournal(at: 1),
            configure: { $0.residentIdleSeconds = 0 }
        ) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            _ = try await session.event("tap", at: 1)
            service.tidy()
            #expect(try await session.frame()["version"] == 0)
            #expect(try await session.swipe("left", at: 2)["results"][0]["version"] == 1)
        }
    }

    @Test func aSessionThatIsWatchedStays() async throws {
        try await withRunningService(configure: { $0.residentIdleSeconds = 0 }) { client, service in
            let session = try await client.begin(#"{"count":3}"#)
            let source = try session.stream()
            _ = await source.next()
            service.tidy()
            #expect(try await resident(client) == 1)
            _ = try await session.swipe("left", at: 1)
            #expect(await source.next() != nil)
            source.close()
            var time = 1.0
            while service.streams.count > 0 {
                time += 1
                _ = try await session.event("tap", at: time)
            }
            // What taps have changed is kept first.
            service.tidy()
            service.tidy()
            #expect(try await resident(client) == 0)
        }
    }

    private func resident(_ client: Client) async throws -> Int? {
        let text = try await client.get("/metrics").text
        return text.firstMatch(of: /\ndeckd_sessions_resident (\d+)\n/).flatMap { Int($0.1) }
    }

    private func insert(_ id: String, into sessions: SessionTable) async throws {
        let identity = SessionIdentity(
            id: id,
            tokenHash: [1],
            spectatorTokenHash: [2],
            deck: nil,
            createdAt: WallTime(milliseconds: 0),
            clock: "manual",
            isRecorded: false
        )
        let text = #"{"deck":{"count":3},"viewport":{"width":100,"height":100}}"#
        let request = try ParserPool().read(Array(text.utf8)) { value throws(WireError) in try SessionRequest(value) }
        guard case .inline(let document) = request.source else { return }
        let engine = DeckSession.begin(deck: document.deck, viewport: request.viewport).0
        let state = HostedSession.State(session: engine, preset: document.preset)
        let record = NewSession(
            identity: identity,
            version: engine.version,
            snapshot: SessionForm.snapshot(state),
            cards: engine.cardsSnapshot(),
            logLines: []
        )
        let clock = SessionClock(kind: .manual, since: .now())
        let session = HostedSession(identity: identity, clock: clock, state: state, journal: MemoryJournal())
        try await withCheckedContinuation { continuation in
            sessions.insert(session, record) { continuation.resume(returning: $0) }
        }.get()
    }

    private func find(_ id: String, in sessions: SessionTable) async throws -> HostedSession {
        try await withCheckedContinuation { continuation in
            sessions.find(id) { continuation.resume(returning: $0) }
        }.get()
    }
}

/// Remembers what it is told of sessions that were used.
private final class TouchedJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()
    private let state = Lock((touched: [[String]](), expiries: 0, failures: 0))

    /// How many of the next tellings fail.
    var failures: Int {
        get { state.withLock { $0.failures } }
        set { state.withLock { $0.failures = newValue } }
    }

    /// What it was told, and how often sessions were to be ended, since the last time.
    func take() -> (touched: [[String]], expiries: Int) {
        state.withLock { state in
            defer { (state.touched, state.expiries) = ([], 0) }
            return (state.touched, state.expiries)
        }
    }

    func touchSessions(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        let isFailing = state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                return true
            }
            state.touched.append(ids)
            return false
        }
        completion(isFailing ? .failure(.unavailable("the test has it fail")) : .success(()))
    }

    func expireSessions(idleSince time: WallTime, limit: Int, completion: @escaping JournalCompletion<[String]>) {
        state.withLock { $0.expiries += 1 }
        completion(.success([]))
    }
}
