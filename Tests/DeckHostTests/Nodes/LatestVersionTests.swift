import DeckEngine
import DeckJournal
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// Responses without a commit of a host that has not heard of another host's change.
struct LatestVersionTests {
    private let memory = MemoryJournal()
    private let faulty: FaultyJournal
    private let here: SessionTable
    private let there: SessionTable

    init() {
        faulty = FaultyJournal(NewsJournal(upToDate: memory))
        here = SessionTable(faulty)
        there = SessionTable(memory)
    }

    /// A session that was found here and then swiped there.
    private func swipedSession() async throws -> (mine: HostedSession, version: Int) {
        let mine = try await here.create()
        return (mine, try await there.swipe(try await there.find(mine.identity.id)))
    }

    private func outcome(
        of text: String,
        if condition: VersionCondition = .none,
        isDryRun: Bool = false,
        on session: HostedSession
    ) async throws -> OperationOutcome {
        var operation = try Operation.event(text)
        operation.condition = condition
        operation.isDryRun = isDryRun
        guard case .applied(let outcome) = try await here.perform(operation, on: session) else {
            throw HostError.notFound
        }
        return outcome
    }

    private static let revert = #"{"type":"revert","at":1000000000}"#
    private static let swipe = #"{"type":"swipe","direction":"left","at":1000000000}"#
    private static let drag = #"{"type":"drag","phase":"changed","translation":{"x":5,"y":0},"at":1000000000}"#

    @Test func anEventIsNotRefusedBecauseOfAnOlderState() async throws {
        let (mine, version) = try await swipedSession()
        let outcome = try await outcome(of: Self.revert, on: mine)
        #expect(outcome.outcomes.map(\.refusal) == [nil])
        #expect(outcome.session.version == version + 1)
    }

    @Test(arguments: [swipe, drag]) func aConditionIsComparedWithTheLatestVersion(event: String) async throws {
        let (mine, version) = try await swipedSession()
        let outcome = try await outcome(of: event, if: .oneOf([version]), on: mine)
        #expect(outcome.session.version > version)
        let (other, _) = try await swipedSession()
        let error = await #expect(throws: HostError.self) {
            try await self.outcome(of: event, if: .oneOf([0]), on: other)
        }
        guard case .preconditionFailed(let current)? = error else { throw HostError.notFound }
        #expect(current.session.version == version)
    }

    @Test func aDryRunBeginsFromTheLatestVersion() async throws {
        let (mine, version) = try await swipedSession()
        let outcome = try await outcome(of: Self.revert, isDryRun: true, on: mine)
        #expect(outcome.session.version == version + 1)
    }

    @Test func aSessionEndsOnAConditionThatItsLatestVersionMeets() async throws {
        let (mine, version) = try await swipedSession()
        try await host { here.end(mine.identity.id, if: .oneOf([version]), $0) }
        await #expect(throws: HostError.ended) { try await there.find(mine.identity.id) }
    }

    @Test func anEventAfterTheEndOfTheSessionFindsTheEnd() async throws {
        let mine = try await here.create()
        try await there.end(mine.identity.id)
        await #expect(throws: HostError.ended) { try await outcome(of: Self.revert, on: mine) }
        #expect(mine.isStale)
    }

    @Test func anErrorOfTheTimeIsThatOfTheLatestVersion() async throws {
        let mine = try await here.create()
        _ = try await outcome(of: Self.swipe, on: mine)
        let theirs = try await there.find(mine.identity.id)
        _ = try await there.perform(.event(#"{"type":"revert","at":2000000000}"#), on: theirs)
        let early = #"{"type":"swipe","direction":"left","at":5}"#
        let error = await #expect(throws: HostError.self) { try await outcome(of: early, on: mine) }
        #expect(error == .timeRunsBackwards(pointer: "/at", former: Instant(2_000_000_000)))
        #expect(mine.isStale)
    }

    @Test func onlyDecisionsWithoutACommitReadTheHead() async throws {
        let mine = try await here.create()
        try await here.swipe(mine)
        _ = try await outcome(of: Self.swipe, if: .oneOf([1]), on: mine)
        _ = try await outcome(of: Self.drag, on: mine)
        #expect(faulty.calls[.heads] == nil)
        _ = try await outcome(of: Self.revert, isDryRun: true, on: mine)
        #expect(faulty.calls[.heads] == 1)
        #expect(!mine.isStale)
        faulty.arm(.init(.unavailable, of: [.heads]))
        await #expect(throws: HostError.self) { try await outcome(of: Self.revert, isDryRun: true, on: mine) }
        #expect(!mine.isStale)
    }

    private static let tapAndRevert = #"{"events":[{"type":"tap","at":1000000000},{"type":"revert","at":1000000000}]}"#

    /// The tap is made although the revert is refused. A comparison after that would be too late.
    @Test func aChangeWithARefusalIsMadeOnce() async throws {
        let mine = try await here.create()
        let before = faulty.calls
        let outcome = try await outcome(of: Self.tapAndRevert, on: mine)
        #expect(outcome.outcomes.map(\.isApplied) == [true, false])
        // The commit has compared the session.
        #expect(faulty.calls[.heads] == before[.heads])
        #expect(try await there.read(try await there.find(mine.identity.id)).session.version == outcome.session.version)
        // With another process's change in between, the tap comes after it.
        let (other, version) = try await swipedSession()
        let later = try await self.outcome(of: Self.tapAndRevert, on: other)
        #expect(later.session.version > version)
        let state = try await here.read(try await here.find(other.identity.id))
        let taps = state.notifications.since(0).filter { if case .didSelect = $0.kind { true } else { false } }
        #expect(taps.count == 1)
    }

    @Test func aChangeIsNotAnsweredWithAnErrorOfTheComparison() async throws {
        let mine = try await here.create()
        faulty.arm(.init(.unavailable, of: [.heads]))
        _ = try await outcome(of: Self.tapAndRevert, on: mine)
        _ = try await outcome(of: Self.drag, if: .oneOf([try await here.read(mine).session.version]), on: mine)
    }

    /// A refused event has no version, but the clock has moved.
    @Test(arguments: [revert, drag]) func aManualClockNeverMovesBackwards(event: String) async throws {
        let mine = try await here.create()
        let theirs = try await there.find(mine.identity.id)
        _ = try await outcome(of: Self.revert, on: mine)
        let early = try Operation.event(#"{"type":"tap","at":5}"#)
        let error = await #expect(throws: HostError.self) { try await there.perform(early, on: theirs) }
        #expect(error == .timeRunsBackwards(pointer: "/at", former: Instant(1_000_000_000)))
    }

    /// The entry was committed before the other process's.
    @Test func aDecisionAfterAnEntryInFlightIsCompared() async throws {
        let stalling = StallingJournal(NewsJournal(upToDate: memory))
        let table = SessionTable(stalling)
        let mine = try await table.create()
        stalling.stall(.commit)
        async let swiped = table.swipe(mine)
        try await until { stalling.heldCount == 1 }
        let version = try await there.swipe(try await there.find(mine.identity.id))
        var dryRun = try Operation.event(Self.revert)
        dryRun.isDryRun = true
        let result = Lock<Result<OperationResult, HostError>?>(nil)
        table.perform(dryRun, on: mine) { decided in result.withLock { $0 = decided } }
        stalling.release()
        #expect(try await swiped == version - 1)
        try await until { result.withLock { $0 != nil } }
        guard case .success(.applied(let outcome)) = result.withLock(\.self) else { throw HostError.notFound }
        #expect(outcome.session.version == version + 1)
    }
}
