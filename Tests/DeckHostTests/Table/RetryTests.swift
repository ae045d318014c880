import DeckEngine
import DeckJournal
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// An operation that meets an eviction or another's change is applied again inside the host.
struct RetryTests {
    private let journal = StallingJournal()
    private let sessions: SessionTable

    init() {
        sessions = SessionTable(journal, idleTime: .zero)
    }

    @Test func anOperationOnASessionThatHasLeftIsAppliedToTheLoadedOne() async throws {
        let session = try await sessions.create()
        sessions.evictIdle()
        #expect(sessions.residentCount == 0)
        #expect(try await sessions.swipe(session) == 1)
        #expect(try await sessions.swipe(session) == 2)
        let loaded = try await sessions.find(session.identity.id)
        #expect(loaded !== session)
        #expect(try await sessions.read(loaded).session.version == 2)
    }

    @Test func aSessionThatIsMarkedAsGoneButStillInTheTableIsLoadedAgain() async throws {
        let session = try await sessions.create()
        // The moment between the two steps of an eviction.
        #expect(session.leave() == .left)
        #expect(try await sessions.swipe(session) == 1)
        #expect(sessions.residentCount == 1)
    }

    @Test func aSessionThatLeavesWhileAKeyIsLookedUpIsLoadedAgain() async throws {
        let session = try await sessions.create()
        #expect(try await sessions.swipe(session, key: "k") == 1)
        journal.stall(.answer)
        async let version = sessions.swipe(session, key: "k")
        try await until { journal.heldCount == 1 }
        sessions.evictIdle()
        #expect(sessions.residentCount == 0)
        // The key stays in use although the session has left.
        let loaded = try await sessions.find(session.identity.id)
        await #expect(throws: HostError.keyInUse("k")) { try await sessions.swipe(loaded, key: "k") }
        journal.release()
        #expect(try await version == 1)
        #expect(try await sessions.swipe(session, key: "k") == 1)
        #expect(try await sessions.swipe(session) == 2)
    }

    @Test func aKeyThatTheSessionDoesNotKnowIsNotLookedUp() async throws {
        let session = try await sessions.create()
        journal.stall(.answer)
        #expect(try await sessions.swipe(session, key: "a") == 1)
        sessions.evictIdle()
        let loaded = try await sessions.find(session.identity.id)
        #expect(loaded !== session)
        #expect(try await sessions.swipe(loaded, key: "b") == 2)
        #expect(journal.heldCount == 0)
        journal.release()
        #expect(try await sessions.swipe(loaded, key: "a") == 1)
        // As many answers as a session stores are all known, in memory and after loading.
        for number in 2..<SessionLimits.answers { try await sessions.swipe(loaded, key: "\(number)") }
        #expect(try await sessions.swipe(loaded, key: "a") == 1)
        sessions.evictIdle()
        #expect(try await sessions.swipe(loaded, key: "b") == 2)
        // The next one removes the oldest.
        try await sessions.swipe(loaded, key: "last")
        #expect(try await sessions.swipe(loaded, key: "a") > 2)
    }

    @Test func aChangeThatMemoryDoesNotKnowIsLoadedAndTheOperationAppliedToIt() async throws {
        // Two tables over one journal stand for two processes.
        let other = SessionTable(journal)
        let session = try await sessions.create(cards: 20)
        let same = try await other.find(session.identity.id)
        for step in 1...5 {
            #expect(try await sessions.swipe(session) == 2 * step - 1)
            #expect(try await other.swipe(same) == 2 * step)
        }
    }

    @Test func theConditionIsCheckedAgainWhenAnOperationIsAppliedAgain() async throws {
        let other = SessionTable(journal)
        let session = try await sessions.create()
        let same = try await other.find(session.identity.id)
        #expect(try await other.swipe(same) == 1)
        var operation = try Operation.event(#"{"type":"swipe","direction":"left","at":1}"#)
        operation.condition = .oneOf([0])
        // In memory the version is 0, and the condition is met.
        let error = await #expect(throws: HostError.self) { try await sessions.perform(operation, on: session) }
        guard case .preconditionFailed(let current)? = error else {
            Issue.record("\(String(describing: error)) was thrown")
            return
        }
        #expect(current.session.version == 1)
    }

    @Test(arguments: [JournalError.conflict(current: nil), .unknown("lost"), .alreadyAnswered])
    func anOperationWithAKeyIsNotAppliedTwice(error: JournalError) async throws {
        let session = try await sessions.create()
        // The commit succeeds, and is reported as if it had not.
        journal.failNextCommit(with: error)
        #expect(try await sessions.swipe(session, key: "k") == 1)
        #expect(try await sessions.swipe(session) == 2)
    }

    @Test(arguments: [JournalError.conflict(current: nil), .unknown("lost")])
    func anAppendThatSucceededAlthoughItFailedIsFound(error: JournalError) async throws {
        let session = try await sessions.create()
        journal.failNextCommit(with: error)
        #expect(try await sessions.swipe(session) == 1)
        #expect(try await sessions.standingVerdicts(of: session) == [1])
        #expect(try await sessions.swipe(session) == 2)
    }

    @Test(arguments: [JournalError.damaged("a page"), .closed])
    func anUnknownChangeStaysUnknownIfItsRepetitionFindsOutNothing(error: JournalError) async throws {
        let session = try await sessions.create()
        journal.failNextCommit(with: error)
        await #expect(throws: HostError.journal(error)) { try await sessions.swipe(session) }
        let unknown = HostError.journal(.unknown("\(error)"))
        journal.failNextCommit(with: .unknown("lost"))
        journal.failNextCommit(with: error)
        await #expect(throws: unknown) { try await sessions.swipe(session) }
        journal.failNextCreation(with: .unknown("lost"))
        journal.failNextCreation(with: error)
        await #expect(throws: unknown) { try await sessions.create() }
    }

    /// A server of a database can let each attempt wait.
    @Test func theAttemptsToMakeAChangeHaveALimitedTimeTogether() async throws {
        let journal = FaultyJournal(MemoryJournal())
        let sessions = SessionTable(journal, commitTime: .seconds(1))
        let session = try await sessions.create()
        journal.arm(.init(.unknown, of: [.append, .create], lasts: true, delay: .milliseconds(300)))
        let unknown = HostError.journal(.unknown("a fault of the test"))
        let swiped = Task { try await sessions.swipe(session) }
        await #expect(throws: unknown) { try await sessions.create() }
        await #expect(throws: unknown) { try await swiped.value }
        // The fourth ones would end after 1.27 s.
        #expect(journal.calls[.append, default: 0] <= 3)
        #expect(journal.calls[.create, default: 0] <= 3)
        journal.disarm()
        #expect(try await sessions.swipe(session) == 1)
    }

    @Test func whatCannotBeCommittedIsNotTriedAgain() async throws {
        let session = try await sessions.create()
        journal.failNextCommit(with: .unavailable("the test has it fail"))
        await #expect(throws: HostError.journal(.unavailable("the test has it fail"))) {
            try await sessions.swipe(session)
        }
    }

    /// Another process can have created the session, with the same idempotency key.
    @Test func aSessionThatWasNotCreatedHereIsLoadedForThoseWhoWaitForIt() async throws {
        journal.stall(.create)
        journal.failNextCreation(with: .conflict(current: nil))
        let created = Task { try await sessions.create() }
        try await until { journal.heldCount == 1 }
        let id = try #require(journal.created.first)
        let found = Lock<Result<HostedSession, HostError>?>(nil)
        sessions.find(id) { result in found.withLock { $0 = result } }
        journal.release()
        await #expect(throws: HostError.journal(.conflict(current: nil))) { try await created.value }
        try await until { found.withLock { $0 != nil } }
        let session = try #require(found.withLock { $0 }).get()
        #expect(session.identity.id == id)
        #expect(sessions.residentCount == 1)
    }

    @Test func aReaderOfASessionThatHasFailedReadsTheLoadedOne() async throws {
        let session = try await sessions.create()
        journal.stall(.commit)
        journal.failNextCommit(with: .conflict(current: nil))
        async let swiped = sessions.swipe(session, key: "k")
        try await until { journal.heldCount == 1 }
        async let version = sessions.read(session).session.version
        try await Task.sleep(for: .milliseconds(20))
        journal.release()
        #expect(try await swiped == 1)
        #expect(try await version == 1)
    }

    @Test func anOperationAppliedToTwoStatesGivesTheSameOutcome() async throws {
        let session = try await sessions.create()
        let state = try await sessions.read(session)
        let operation = try Operation.event(#"{"type":"swipe","direction":"left","at":5}"#)
        var (one, other) = (state, state)
        let first = try one.apply(operation.action, by: session.clock)
        let second = try other.apply(operation.action, by: session.clock)
        #expect(first.outcome.outcomes == second.outcome.outcomes)
        #expect(one.session == other.session)
        #expect(state.session.version == 0)
    }

    @Test func aHeldSessionCannotLeaveBeforeItIsWatched() async throws {
        let session = try await sessions.create()
        sessions.evictIdle()
        let pinned: HostedSession = try await host { done in
            sessions.pin(session) { pinned in
                sessions.evictIdle()
                _ = try? pinned.get().watch {}
                done(pinned)
            }
        }
        sessions.evictIdle()
        #expect(try await sessions.find(session.identity.id) === pinned)
    }
}
