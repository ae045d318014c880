import DeckEngine
import DeckJournal
import Dispatch
import Locking
import Testing

@testable import DeckHost

/// Changes that are made on the pool.
struct LargeChangeTests {
    /// Blocks a lane of a pool until it is released.
    private struct Block {
        private let end = DispatchSemaphore(value: 0)

        init(_ sessions: SessionTable, _ session: HostedSession) throws {
            let begin = DispatchSemaphore(value: 0)
            try sessions.pool.submit(to: session.identity.id) { [end] in
                begin.signal()
                end.wait()
            }
            begin.wait()
        }

        func letGo() { end.signal() }
    }

    private func large(_ text: String) throws -> Operation {
        var operation = try Operation.event(text)
        operation.cost = Prices.mostInLoop + 1
        return operation
    }

    private let shuffle = #"{"type":"shuffle","seed":7,"at":1000000000}"#

    /// The version after an operation.
    private func version(_ result: OperationResult) -> Int {
        if case .applied(let outcome) = result { outcome.session.version } else { -1 }
    }

    /// A session with a large change that is held back, and a swipe that waits for it.
    private func beginShuffleAndSwipe(
        _ sessions: SessionTable
    ) async throws -> (HostedSession, Block, shuffled: Task<OperationResult, any Error>, swiped: Task<Int, any Error>) {
        let session = try await sessions.create()
        let block = try Block(sessions, session)
        let operation = try large(shuffle)
        let shuffled = Task { try await sessions.perform(operation, on: session) }
        try await until { session.isBusy }
        let swiped = Task { try await sessions.swipe(session) }
        try await until { session.waitingCount == 1 }
        return (session, block, shuffled, swiped)
    }

    /// A session of which a swipe is being committed, another waits for the next entry, and a large change is held back.
    private func beginThreeChanges(
        _ sessions: SessionTable,
        _ journal: StallingJournal,
        _ error: JournalError? = nil
    ) async throws -> (
        HostedSession, Block, first: Task<Int, any Error>, second: Task<Int, any Error>,
        third: Task<OperationResult, any Error>
    ) {
        let session = try await sessions.create()
        journal.stall(.commit)
        if let error { journal.failNextCommit(with: error) }
        let first = Task { try await sessions.swipe(session) }
        try await until { journal.entries.count == 1 }
        let second = Task { try await sessions.swipe(session) }
        try await until { session.currentVersion == 2 }
        let block = try Block(sessions, session)
        let operation = try large(shuffle)
        let third = Task { try await sessions.perform(operation, on: session) }
        try await until { session.isBusy }
        return (session, block, first, second, third)
    }

    @Test func othersReadTheFormerStateAndWaitWithTheirChanges() async throws {
        let sessions = SessionTable(MemoryJournal())
        let (session, block, shuffled, swiped) = try await beginShuffleAndSwipe(sessions)
        #expect(try await sessions.read(session).session.version == 0)
        #expect(Self.glancedVersion(of: session) == 0)
        #expect(session.leave() == .stays)
        block.letGo()
        #expect(version(try await shuffled.value) == 1)
        #expect(try await swiped.value == 2)
        #expect(try await sessions.read(session).session.version == 2)
    }

    @Test func aSessionThatEndsMeanwhileIsNotChanged() async throws {
        let sessions = SessionTable(MemoryJournal())
        let (session, block, shuffled, swiped) = try await beginShuffleAndSwipe(sessions)
        try await sessions.end(session.identity.id)
        block.letGo()
        await #expect(throws: HostError.ended) { _ = try await shuffled.value }
        await #expect(throws: HostError.ended) { _ = try await swiped.value }
    }

    /// The entry in flight is committed while a large change is made, and another change has waited for the next entry.
    @Test(arguments: [nil, JournalError.unavailable("no disk")])
    func theNextEntryWaitsForALargeChange(error: JournalError?) async throws {
        let journal = StallingJournal()
        let sessions = SessionTable(journal)
        let (session, block, first, second, third) = try await beginThreeChanges(sessions, journal, error)
        journal.release()
        if error == nil {
            #expect(try await first.value == 1)
        } else {
            await #expect(throws: HostError.self) { _ = try await first.value }
        }
        // The second is not visible until an entry has it, and no entry may begin while a copy is changed.
        if error == nil { #expect(Self.glancedVersion(of: session) == 1) }
        #expect(journal.entries.count == 1)
        block.letGo()
        if error == nil {
            #expect(try await second.value == 2)
            #expect(version(try await third.value) == 3)
            #expect(journal.entries.count == 2)
        } else {
            await #expect(throws: HostError.self) { _ = try await second.value }
            // It found that the session must be loaded again, and was applied to what the journal has.
            #expect(version(try await third.value) > 0)
        }
        // Loaded again, the session has all that was answered.
        let other = SessionTable(journal)
        let loaded = try await other.find(session.identity.id)
        let expected = try await sessions.read(try await sessions.find(session.identity.id)).session
        #expect(try await other.read(loaded).session.cards == expected.cards)
    }

    /// The next entry waits for a large change, and the session ends before that is made.
    @Test func theNextEntryOfASessionThatEndsIsAnswered() async throws {
        let journal = StallingJournal()
        let sessions = SessionTable(journal)
        let (session, block, first, second, third) = try await beginThreeChanges(sessions, journal)
        journal.release()
        #expect(try await first.value == 1)
        try await sessions.end(session.identity.id)
        block.letGo()
        await #expect(throws: HostError.ended) { _ = try await third.value }
        await #expect(throws: HostError.ended) { _ = try await second.value }
    }

    private static func glancedVersion(of session: HostedSession) -> Int {
        guard case .state(let state) = session.glance() else { return -1 }
        return state.session.version
    }

    @Test func aLargeChangeThatIsRefusedChangesNothing() async throws {
        let sessions = SessionTable(MemoryJournal())
        let session = try await sessions.create()
        var operation = try large(shuffle)
        operation.condition = .oneOf([5])
        await #expect(throws: HostError.self) { try await sessions.perform(operation, on: session) }
        #expect(session.isBusy == false)
        #expect(try await sessions.swipe(session) == 1)
    }
}

extension HostedSession {
    fileprivate var isBusy: Bool { inside.withLock { $0.hold.isTaken } }
    fileprivate var currentVersion: Int { inside.withLock { $0.state.session.version } }
}
