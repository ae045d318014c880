import DeckEngine
import DeckJournal
import DeckWire
import FileTesting
import JournalTesting
import Testing

@testable import DeckHost
@testable import DeckJournalSQLite

/// Numbers that clients see are never used twice, even if newer data was replaced by older data.
struct RestoreTests {
    private let folder: TemporaryFolder
    private let journal: SQLiteJournal

    init() throws {
        folder = try TemporaryFolder(isQuick: true)
        journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
    }

    /// A table of a process that starts now.
    private func start() -> SessionTable {
        SessionTable(journal)
    }

    private func drag(_ session: HostedSession, in table: SessionTable, at time: Int) async throws {
        let text = #"{"type":"drag","phase":"changed","translation":{"x":7,"y":0},"at":\#(time)}"#
        _ = try await table.perform(try Operation.event(text), on: session)
    }

    private func raiseGeneration() async throws {
        _ = try await value { journal.raiseGeneration(above: 0, completion: $0) }
    }

    /// A session as a process finds it that starts after older data was restored.
    private func restore(_ session: HostedSession) async throws -> (table: SessionTable, session: HostedSession) {
        try await raiseGeneration()
        let table = start()
        return (table, try await table.find(session.identity.id))
    }

    private func standingVerdicts(of session: HostedSession) async throws -> [Int] {
        try await journal.standing(in: session.identity.id).map(\.number)
    }

    @Test func afterARestoreAllNumbersAreAboveThoseOfEarlierGenerations() async throws {
        let first = start()
        let session = try await first.create()
        try await first.swipe(session)
        // The swipes after the backup are lost, and so is how many there were.
        let (second, restored) = try await restore(session)
        let floor = 1 << 35
        let numbers = try await second.read(restored).session.numbers
        #expect(numbers == SessionNumbers(version: floor + 1, notification: floor, verdict: floor))
        try await second.swipe(restored)
        let later = try await second.read(restored)
        #expect(later.session.version == floor + 2)
        #expect(later.session.lastVerdict == floor + 1)
        #expect(later.notifications.since(floor).first?.sequence == floor + 1)
        // The numbers are lifted once: the head belongs to the new generation now.
        let third = start()
        let loaded = try await third.read(try await third.find(session.identity.id))
        #expect(loaded.session.version == floor + 2)
        try await raiseGeneration()
        let fourth = start()
        let again = try await fourth.read(try await fourth.find(session.identity.id))
        #expect(again.session.version == 2 * floor + 1)
    }

    @Test func aSwipeFromBeforeARestoreCanBeReverted() async throws {
        let first = start()
        let session = try await first.create()
        try await first.swipe(session)
        let (second, restored) = try await restore(session)
        try await second.swipe(restored)
        for (time, standing) in [(2_000_000_000, [1]), (3_000_000_000, [])] {
            _ = try await second.perform(try Operation.event(#"{"type":"revert","at":\#(time)}"#), on: restored)
            #expect(try await standingVerdicts(of: session) == standing)
        }
    }

    /// The number of its verdict was reported when it was queued.
    @Test func aSwipeThatWaitsDuringARestoreHasTheNumberThatWasReported() async throws {
        let first = start()
        let session = try await first.create(isRecorded: true, rules: #"{"whileAnimating":"queue"}"#)
        for _ in 1...2 { try await first.swipe(session) }
        #expect(try await standingVerdicts(of: session) == [1, 2])
        #expect(try await first.read(session).session.lastVerdict == 1)
        let (second, restored) = try await restore(session)
        let swipe = try Operation.event(#"{"type":"swipe","direction":"left","at":5000000000}"#)
        _ = try await second.perform(swipe, on: restored)
        let state = try await second.read(restored)
        let floor = 1 << 35
        #expect(state.session.revertibleVerdicts == [1, 2, floor + 1])
        #expect(try await standingVerdicts(of: session) == [1, 2, floor + 1])
        let log = try #require(state.log)
        var replay = LoggedSession()
        for line in try await host({ second.logLines(of: restored, log, in: 0..<log.lineCount, $0) }) {
            #expect(try replay.play(line))
        }
        #expect(replay.state?.session == state.session)
        #expect(replay.state?.notifications.since(0) == state.notifications.since(0))
    }

    /// A restored session whose second swipe waits.
    private func restored(
        cards: Int,
        refillAt: Int
    ) async throws -> (table: SessionTable, session: HostedSession) {
        let first = start()
        let rules = #"{"whileAnimating":"queue","refillAt":\#(refillAt)}"#
        let session = try await first.create(cards: cards, rules: rules)
        for _ in 1...2 { try await first.swipe(session) }
        return try await restore(session)
    }

    /// A command that waits during a restore adds its rows to the feed.
    @Test func theFeedHasTheNoticesOfACommandThatWaitsDuringARestore() async throws {
        let (table, session) = try await restored(cards: 2, refillAt: 0)
        try await drag(session, in: table, at: 2_000_000_000)
        let kinds = try await journal.wholeFeed().rows.map(\.record.kind)
        #expect(kinds.count { $0 == .ranOut } == 1 && kinds.count { $0 == .needsCards } == 1 && kinds.count == 4)
    }

    /// The rows of a command that waited come before those of the next event.
    @Test func theRowsOfACommandThatWaitsDuringARestoreComeFirst() async throws {
        let (table, session) = try await restored(cards: 3, refillAt: 1)
        let swipe = try Operation.event(#"{"type":"swipe","direction":"left","at":5000000000}"#)
        _ = try await table.perform(swipe, on: session)
        let kinds = try await journal.wholeFeed().rows.map(\.record.kind)
        #expect(kinds.prefix(4) == [.given, .given, .needsCards, .given], "\(kinds)")
    }
}
