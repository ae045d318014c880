import DeckJournal
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// What the table reports to the journal about the use of sessions.
struct UseReportTests {
    private let journal = UseJournal()

    private func report(_ sessions: SessionTable) {
        sessions.reportUses(at: .now()) { _ in }
    }

    @Test func usesAreReportedInPartsAndThoseThatFailedAgain() async throws {
        let sessions = SessionTable(journal)
        var ids: [String] = []
        for _ in 0..<2500 { ids.append(try await sessions.create(cards: 1).identity.id) }
        for id in ids { _ = try await sessions.find(id) }
        journal.failures = 1
        let complaints = Lock(0)
        sessions.reportUses(at: .now()) { _ in complaints.withLock { $0 += 1 } }
        #expect(complaints.withLock { $0 } == 1)
        let reported = journal.take()
        #expect(reported == [])
        report(sessions)
        let repeated = journal.take()
        #expect(repeated.map(\.count) == [1000, 1000, 500])
        #expect(Set(repeated.joined()) == Set(ids))
        report(sessions)
        #expect(journal.take() == [])
        let used = try #require(ids.first)
        _ = try await sessions.find(used)
        report(sessions)
        #expect(journal.take() == [[used]])
    }

    @Test func aDatabaseThatFailsDoesNotStopTheReportsForTheOthers() async throws {
        let sessions = SessionTable(journal)
        var ids: [String] = []
        for _ in 0..<100 { ids.append(try await sessions.create(cards: 1).identity.id) }
        journal.databases = 3
        for id in ids { _ = try await sessions.find(id) }
        journal.failures = 1
        report(sessions)
        let reported = journal.take()
        #expect(reported.count == 2)
        report(sessions)
        let repeated = journal.take()
        #expect(repeated.count == 1)
        #expect(Set((reported + repeated).joined()) == Set(ids))
        for part in reported + repeated { #expect(Set(part.map { journal.database(of: $0) }).count == 1) }
    }

    @Test func usesOfWhichTheJournalHasTheTimeAreNotReported() async throws {
        let sessions = SessionTable(journal)
        let (created, swiped) = (try await sessions.create(), try await sessions.create())
        report(sessions)
        #expect(journal.take() == [])
        _ = try await sessions.find(created.identity.id)
        _ = try await sessions.find(swiped.identity.id)
        _ = try await sessions.swipe(swiped)
        report(sessions)
        #expect(journal.take() == [[created.identity.id]])
        _ = try await sessions.find(swiped.identity.id)
        report(sessions)
        #expect(journal.take() == [[swiped.identity.id]])
    }

    @Test func usesOfSessionsThatHaveLeftMemoryAreReported() async throws {
        let sessions = SessionTable(journal, residents: 64)
        var ids: [String] = []
        for _ in 0..<1000 { ids.append(try await sessions.create().identity.id) }
        report(sessions)
        _ = journal.take()
        for id in ids { _ = try await sessions.find(id) }
        #expect(sessions.residentCount <= 64)
        journal.failures = 1
        report(sessions)
        #expect(journal.take() == [])
        report(sessions)
        #expect(Set(journal.take().joined()) == Set(ids))
        report(sessions)
        #expect(journal.take() == [])
    }

    @Test func aSessionThatMustStayInMemoryDoesNotCountAsUsed() async throws {
        let sessions = SessionTable(journal, residents: 64)
        let watched = try await sessions.create()
        let watcher = try #require(watched.watch {})
        for _ in 0..<1000 { try await sessions.create() }
        report(sessions)
        #expect(journal.take() == [])
        watched.unwatch(watcher)
    }

    @Test func oneReportIsMadeAtATime() async throws {
        let sessions = SessionTable(journal)
        let session = try await sessions.create()
        _ = try await sessions.find(session.identity.id)
        journal.holdsReports = true
        report(sessions)
        report(sessions)
        #expect(journal.take() == [[session.identity.id]])
        _ = try await sessions.find(session.identity.id)
        journal.holdsReports = false
        report(sessions)
        #expect(journal.take() == [[session.identity.id]])
    }
}

/// Remembers the sessions that were reported as used.
private final class UseJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()

    private struct State {
        var reported: [[String]] = []
        var failures = 0
        var databases = 1
        var holdsReports = false
        var held: [JournalCompletion<Void>] = []
    }

    private let state = Lock(State())

    /// How many of the next reports fail.
    var failures: Int {
        get { state.withLock { $0.failures } }
        set { state.withLock { $0.failures = newValue } }
    }

    /// How many databases the sessions are in.
    var databases: Int {
        get { state.withLock { $0.databases } }
        set { state.withLock { $0.databases = newValue } }
    }

    func database(of id: String) -> Int { id.utf8.reduce(0) { $0 + Int($1) } % databases }

    /// Whether reports are completed only after this is false again.
    var holdsReports: Bool {
        get { state.withLock { $0.holdsReports } }
        set {
            let held = state.withLock { state in
                defer { state.held = [] }
                state.holdsReports = newValue
                return state.held
            }
            for completion in held { completion(.success(())) }
        }
    }

    /// The sessions that were reported since the last call.
    func take() -> [[String]] {
        state.withLock { state in
            defer { state.reported = [] }
            return state.reported
        }
    }

    func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>) {
        let result: Result<Void, JournalError>? = state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                return .failure(.unavailable("the test has it fail"))
            }
            state.reported.append(ids)
            guard state.holdsReports else { return .success(()) }
            state.held.append(completion)
            return nil
        }
        if let result { completion(result) }
    }
}
