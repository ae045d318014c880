import DeckEngine
import DeckJournal
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// A database with a standby, which gets the creations of sessions and none of their entries.
final class FailoverJournal: ForwardingJournal {
    let standby = MemoryJournal()
    private let primary = MemoryJournal()
    private let hasFailed = Lock(false)

    var inner: any Journal { hasFailed.withLock(\.self) ? standby : primary }

    func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        standby.create(session) { [primary] _ in primary.create(session, completion: completion) }
    }

    /// From now on the standby is used.
    func failOver() {
        hasFailed.withLock { $0 = true }
    }
}

/// A host whose database has lost an entry, after another host has saved one that has the same revision.
struct FailoverTests {
    private let database = FailoverJournal()
    private let journal: NewsJournal
    private let here: SessionTable
    private let there: SessionTable

    init() {
        journal = NewsJournal(upToDate: database)
        here = SessionTable(journal)
        there = SessionTable(database.standby)
    }

    private func swipe(_ direction: String) throws -> Operation {
        try .event(#"{"type":"swipe","direction":"\#(direction)","at":1000000000}"#)
    }

    /// Swipes a card to the left here, which is lost, and to the right there.
    ///
    /// - Returns: the session here and there.
    private func swipeOnBoth() async throws -> (mine: HostedSession, theirs: HostedSession) {
        let mine = try await here.create()
        let theirs = try await there.find(mine.identity.id)
        _ = try await here.perform(try swipe("left"), on: mine)
        database.failOver()
        _ = try await there.perform(try swipe("right"), on: theirs)
        #expect(mine.revision == theirs.revision && mine.head != theirs.head)
        return (mine, theirs)
    }

    private func expect(_ session: HostedSession, is expected: HostedSession.State) async throws {
        let found = try await here.read(session).session
        #expect(found.snapshot(withCards: true) == expected.session.snapshot(withCards: true))
    }

    @Test func aChangeFollowsTheOtherEntry() async throws {
        let (mine, theirs) = try await swipeOnBoth()
        let swipe = try swipe("left")
        _ = try await here.perform(swipe, on: mine)
        #expect(here.conflictCount == 1)
        var expected = try await there.read(theirs)
        _ = try expected.apply(swipe.action, by: theirs.clock)
        try await expect(try await here.find(mine.identity.id), is: expected)
    }

    @Test func afterAnInterruptionTheOtherEntryIsShown() async throws {
        let (mine, theirs) = try await swipeOnBoth()
        journal.report(.interrupted(database: 0))
        try await until { mine.isStale }
        try await expect(try await here.find(mine.identity.id), is: try await there.read(theirs))
    }

    @Test func whoAsksForTheLatestVersionGetsTheOtherEntry() async throws {
        let (mine, theirs) = try await swipeOnBoth()
        let latest = try await host { here.findLatest(mine.identity.id, $0) }
        #expect(latest !== mine)
        try await expect(latest, is: try await there.read(theirs))
    }
}
