import DeckEngine
import DeckJournal
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// How long a host answers from memory when other processes may have changed a session.
struct CurrencyTests {
    private let memory = MemoryJournal()
    private let journal: NewsJournal
    private let here: SessionTable
    private let there: SessionTable

    init() {
        journal = NewsJournal(upToDate: memory)
        here = SessionTable(journal)
        there = SessionTable(memory)
    }

    private func version(of id: String) async throws -> Int {
        try await here.read(try await here.find(id)).session.version
    }

    @Test func afterTwoSecondsOfSilenceTheJournalIsAsked() async throws {
        let id = try await here.create().identity.id
        let version = try await there.swipe(try await there.find(id))
        // As far as this process knows, nothing has happened.
        #expect(try await self.version(of: id) < version)
        journal.coverage?.until = .now - .seconds(1)
        #expect(try await self.version(of: id) < version)
        let session = try await here.find(id)
        // The news since the copy was loaded may be missing.
        journal.coverage?.since = .now
        make(session, knownBefore: .seconds(2.1))
        #expect(try await self.version(of: id) == version)
        #expect(session.isStale)
        // Within two seconds of that, memory is enough.
        let latest = try await here.find(id)
        make(latest, knownBefore: .zero)
        let loads = here.loadCount
        let later = try await there.swipe(try await there.find(id))
        #expect(try await self.version(of: id) == version)
        #expect(here.loadCount == loads)
        make(latest, knownBefore: .seconds(2.1))
        #expect(try await self.version(of: id) == later)
    }

    /// Lets time pass since a session was last known to be the latest version.
    private func make(_ session: HostedSession, knownBefore duration: Duration) {
        session.inside.withLock { $0.knownAt = .now - duration }
    }

    @Test func aClientCanAskForTheLatestVersion() async throws {
        let id = try await here.create().identity.id
        let version = try await there.swipe(try await there.find(id))
        #expect(try await self.version(of: id) < version)
        let latest = try await host { here.findLatest(id, $0) }
        #expect(try await here.read(latest).session.version == version)
        try await there.end(id)
        await #expect(throws: HostError.ended) { try await host { here.findLatest(id, $0) } }
    }

    @Test func aSessionThatAnotherNodeHasChangedDoesNotEndWithAnOlderVersion() async throws {
        let id = try await here.create().identity.id
        let version = try await self.version(of: id)
        let later = try await there.swipe(try await there.find(id))
        let error = await #expect(throws: HostError.self) { try await host { here.end(id, if: .oneOf([version]), $0) } }
        guard case .preconditionFailed(let current) = error else { throw HostError.notFound }
        #expect(current.session.version == later)
        #expect(try await there.read(try await there.find(id)).session.version == later)
        try await host { here.end(id, if: .oneOf([later]), $0) }
        await #expect(throws: HostError.ended) { try await host { there.findLatest(id, $0) } }
    }

    @Test func afterAnInterruptionEverySessionIsCompared() async throws {
        var sessions: [HostedSession] = []
        for _ in 0..<5 { sessions.append(try await here.create()) }
        let changed = sessions[1].identity.id
        try await there.swipe(try await there.find(changed))
        try await there.end(sessions[3].identity.id)
        let notified = Lock(0)
        for session in sessions { _ = session.watch { notified.withLock { $0 += 1 } } }
        journal.report(.interrupted(database: 0))
        try await until { notified.withLock { $0 } == 2 }
        #expect(sessions.map(\.isStale) == [false, true, false, true, false])
    }

    /// The first attempt can have succeeded before another process changed the session. Applied again, the operation could be
    /// applied twice.
    @Test func anUnknownEntryBehindAnEntryOfAnotherProcessIsNotAppliedAgain() async throws {
        let faulty = FaultyJournal(journal)
        let table = SessionTable(faulty)
        let id = try await table.create().identity.id
        let session = try await table.find(id)
        let version = try await there.swipe(try await there.find(id))
        faulty.arm(.init(.unknown, of: [.append]))
        let error = await #expect(throws: HostError.self) { try await table.swipe(session) }
        guard case .journal(.unknown)? = error else {
            Issue.record("\(String(describing: error)) was thrown")
            return
        }
        #expect(try await there.read(try await there.find(id)).session.version == version)
        // The next operation is applied to the latest version.
        #expect(try await table.swipe(session) == version + 1)
    }

    @Test func aComparisonThatFailsIsRepeated() async throws {
        let faulty = FaultyJournal(journal)
        let table = SessionTable(faulty)
        let session = try await table.create()
        try await there.swipe(try await there.find(session.identity.id))
        faulty.arm(.init(.unavailable, of: [.heads]))
        journal.report(.interrupted(database: 0))
        #expect(!session.isStale)
        try await until { session.isStale }
        #expect(faulty.calls[.heads] == 2)
    }
}
