import DeckEngine
import DeckJournal
import JournalTesting
import Testing

@testable import DeckHost

/// A session that has ended never returns to memory, whatever was on its way when it ended.
struct EndTests {
    private let journal = StallingJournal()
    private let sessions: SessionTable

    init() {
        sessions = SessionTable(journal, idleTime: .zero)
    }

    /// A session that is in the journal only.
    private func stored() async throws -> String {
        let id = try await sessions.create().identity.id
        sessions.evictIdle()
        #expect(sessions.residentCount == 0)
        return id
    }

    @Test func aLoadThatBeganBeforeTheEndDoesNotBringASessionBack() async throws {
        let id = try await stored()
        journal.stall(.load)
        let found = Task { try await sessions.find(id) }
        try await until { journal.heldCount == 1 }
        try await sessions.end(id)
        journal.release()
        await #expect(throws: HostError.ended) { try await found.value }
        #expect(sessions.residentCount == 0)
        await #expect(throws: HostError.ended) { try await sessions.find(id) }
        #expect(sessions.totalCount == 0)
    }

    @Test func aLoadThatBeganBeforeASessionExpiredDoesNotBringItBack() async throws {
        let clock = TestClock(WallTime.now().milliseconds)
        let journal = StallingJournal(MemoryJournal(options: clock.options(ages: JournalAges(sessions: .seconds(9)))))
        let sessions = SessionTable(journal, idleTime: .zero)
        let id = try await sessions.create().identity.id
        sessions.evictIdle()
        journal.stall(.load)
        let found = Task { try await sessions.find(id) }
        try await until { journal.heldCount == 1 }
        clock.set(clock.now.milliseconds + 60_000)
        try await until { sessions.totalCount == 0 }
        journal.release()
        await #expect(throws: HostError.ended) { try await found.value }
        #expect(sessions.residentCount == 0)
    }

    @Test func aSessionThatEndsBeforeItsCreationCompletesStaysAway() async throws {
        journal.stall(.create)
        async let created = sessions.create()
        try await until { journal.heldCount == 1 }
        // Its id can be read from the list of sessions as soon as it is saved.
        let id = try #require(journal.created.first)
        try await sessions.end(id)
        journal.release()
        _ = try await created
        #expect(sessions.residentCount == 0)
        await #expect(throws: HostError.ended) { try await sessions.find(id) }
    }

    @Test func anOperationOnASessionThatHasEndedFailsWithThat() async throws {
        let session = try await sessions.create()
        try await sessions.end(session.identity.id)
        await #expect(throws: HostError.ended) { try await sessions.swipe(session) }
        await #expect(throws: HostError.ended) { try await sessions.swipe(session, key: "k") }
        await #expect(throws: HostError.ended) { try await host { sessions.pin(session, $0) } }
    }

    @Test func anOperationWhoseCommitComesAfterTheEndFailsWithThat() async throws {
        let session = try await sessions.create()
        // Another process, or the journal's housekeeping, ends it: the table does not know.
        _ = await withCheckedContinuation { continuation in
            journal.inner.end(session.identity.id) { continuation.resume(returning: $0) }
        }
        await #expect(throws: HostError.ended) { try await sessions.swipe(session) }
        #expect(sessions.residentCount == 0)
    }

    /// The first attempt succeeds before the session ends, so the swipe is in the feed.
    @Test func anUnknownEntryOfASessionThatHasEndedStaysUnknown() async throws {
        let session = try await sessions.create()
        journal.stall(.commit)
        journal.failNextCommit(with: .unknown("lost"))
        let swiped = Task { try await sessions.swipe(session) }
        try await until { journal.heldCount == 1 }
        #expect(try await journal.inner.ended(session.identity.id) == .ended)
        journal.release()
        let error = await #expect(throws: HostError.self) { try await swiped.value }
        guard case .journal(.unknown)? = error else {
            Issue.record("\(String(describing: error)) was thrown")
            return
        }
        #expect(try await journal.wholeFeed().rows.contains { $0.record.kind == .given })
    }

    @Test func thoseWhoWaitForTheSameSessionShareOneLoad() async throws {
        let id = try await stored()
        let before = journal.loads
        journal.stall(.load)
        async let one = sessions.find(id)
        async let other = sessions.find(id)
        try await until { journal.heldCount == 1 }
        journal.release()
        #expect(try await one === other)
        #expect(journal.loads == before + 1)
        #expect(sessions.residentCount == 1)
    }

    /// The journal refuses the end, and has not heard of the last drags.
    @Test func aSessionWhoseEndIsRefusedHasItsUnsavedChanges() async throws {
        let session = try await sessions.create()
        let id = session.identity.id
        @Sendable func drag(at time: Int) async throws {
            let text = #"{"type":"drag","phase":"changed","translation":{"x":7,"y":0},"at":\#(time)}"#
            _ = try await sessions.perform(try Operation.event(text), on: session)
        }
        for time in 1...3 { try await drag(at: time) }
        journal.refuseEnds(with: .unavailable("busy"))
        journal.stall(.end)
        let ended = Task { try await host { sessions.end(id, if: .oneOf([3]), $0) } }
        try await until { journal.heldCount == 1 }
        // It may end until the journal answers, so a change waits.
        let later = Task { try await drag(at: 4) }
        try await until { session.waitingCount == 1 }
        #expect(try await sessions.read(session).session.version == 3)
        journal.release()
        await #expect(throws: HostError.journal(.unavailable("busy"))) { try await ended.value }
        try await later.value
        #expect(try await sessions.find(id) === session)
        #expect(try await sessions.read(session).session.version == 4)
        #expect(journal.loads == 0)
    }
}
