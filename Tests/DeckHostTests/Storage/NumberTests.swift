import DeckEngine
import DeckJournal
import DeckWire
import JournalTesting
import Testing

@testable import DeckHost

/// Numbers that clients see are never used twice, whatever happened to the state that they belonged to.
struct NumberTests {
    private let memory = MemoryJournal()
    private let journal: StallingJournal

    init() {
        journal = StallingJournal(memory)
    }

    /// A table of a process that starts now.
    private func start() -> SessionTable {
        SessionTable(journal)
    }

    private func drag(_ session: HostedSession, in table: SessionTable, at time: Int) async throws {
        let text = #"{"type":"drag","phase":"changed","translation":{"x":7,"y":0},"at":\#(time)}"#
        _ = try await table.perform(try Operation.event(text), on: session)
    }

    private func standingVerdicts(of session: HostedSession) async throws -> [Int] {
        try await memory.standing(in: session.identity.id).map(\.number)
    }

    /// A number of a block is not given out before the entry that reserves the block is committed.
    @Test func aDragWaitsUntilItsBlockIsReserved() async throws {
        let table = start()
        let session = try await table.create()
        journal.stall(.commit)
        async let first: Void = drag(session, in: table, at: 1)
        try await until { journal.heldCount == 1 }
        // The drag is applied, but not visible.
        guard case .unsettled = session.glance() else {
            Issue.record("the drag is visible")
            return
        }
        // The process is killed here. The next one may have the entry or not, and neither repeats a version.
        let second = start()
        let loaded = try await second.read(try await second.find(session.identity.id))
        #expect(loaded.session.version > 1)
        journal.release()
        try await first
        #expect(try await table.read(session).session.version == 1)
        // From here on the block is there, and drags wait for nothing.
        journal.stall(.commit)
        for time in 2...50 { try await drag(session, in: table, at: time) }
        #expect(journal.heldCount == 0)
        #expect(try await table.read(session).session.version == 50)
    }

    /// A commit that fails takes no number back that was given out before.
    @Test func aFailedCommitTakesNoNumberBack() async throws {
        let table = start()
        let session = try await table.create()
        for time in 1...20 { try await drag(session, in: table, at: time) }
        let given = try await table.read(session).session.numbers
        #expect(given.version == 20)
        journal.failNextCommit(with: .unavailable("the disk is full"))
        await #expect(throws: HostError.self) { try await table.swipe(session) }
        let after = try await table.read(try await table.find(session.identity.id)).session.numbers
        // The swipe that failed had the next version, which was not given out.
        #expect(after.version > given.version && after.notification >= given.notification)
        #expect(try await table.swipe(session) > given.version)
    }

    /// Verdicts get their numbers in entries, and a repeated entry is the same, byte for byte.
    @Test func aRepeatedEntryIsTheSame() async throws {
        let table = start()
        let session = try await table.create()
        journal.failNextCommit(with: .unknown("lost"))
        journal.failNextCommit(with: .unknown("lost again"))
        #expect(try await table.swipe(session, key: "k") == 1)
        let entries = journal.entries
        #expect(entries.count == 3)
        #expect(Set(entries).count == 1)
        #expect(entries.first?.feedRecords.map(\.number) == [1])
        #expect(try await standingVerdicts(of: session) == [1])
    }

    /// A block of numbers that a crash takes along is a line of the log, so that playing the log gives the versions that
    /// were served.
    @Test func theLogHasTheNumbersThatTheSessionContinuesAbove() async throws {
        let first = start()
        let session = try await first.create(isRecorded: true)
        try await first.swipe(session)
        // The first drag reserves a block of numbers, and the second one is not saved.
        for time in [2_000_000_000, 2_100_000_000] { try await drag(session, in: first, at: time) }
        // The process is killed here: what is not saved is lost, and the rest of the block with it.
        let second = start()
        let loaded = try await second.find(session.identity.id)
        let swipe = try Operation.event(#"{"type":"swipe","direction":"left","at":3000000000}"#)
        _ = try await second.perform(swipe, on: loaded)
        let state = try await second.read(loaded)
        #expect(state.session.version > 1000)
        let log = try #require(state.log)
        let lines = try await host { second.logLines(of: loaded, log, in: 0..<log.lineCount, $0) }
        #expect(lines.contains { String(decoding: $0, as: UTF8.self).contains(#""numbers":{"version":"#) })
        var replay = LoggedSession()
        for line in lines { #expect(try replay.play(line)) }
        #expect(replay.state?.session == state.session)
        // A moment before the crash has the version that it had.
        let moment = try await host {
            second.past.read(of: loaded, state, at: [999_999_999], paying: loaded.payment, $0)
        }
        #expect(moment.first?.state.session.version == 0)
    }
}
