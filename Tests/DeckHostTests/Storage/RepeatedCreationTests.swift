import DeckEngine
import DeckJournal
import FileTesting
import JournalTesting
import Locking
import Testing

@testable import DeckHost
@testable import DeckJournalSQLite

/// A session whose creation was lost is created again under the same key, and so under the same id. Its numbers are above those of the
/// lost one.
struct RepeatedCreationTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder(isQuick: true)
        path = folder.file("journal.sqlite")
    }

    /// A journal after a restore.
    private func openRestored() async throws -> (journal: SQLiteJournal, floor: Int) {
        let journal = try SQLiteJournal(path: path)
        return (journal, try await value { journal.raiseGeneration(above: 0, completion: $0) } << 35)
    }

    @Test func aSessionBeginsAboveTheOneThatARestoreHasReplaced() async throws {
        let former = try SQLiteJournal(path: path)
        let backup = folder.file("backup.sqlite")
        try SQLiteJournal.backup(of: path, to: backup)
        let table = SessionTable(former)
        let lost = try await table.create(isRecorded: true, key: "k")
        #expect(try await table.swipe(lost) == 1)
        try await former.closed()
        try SQLiteJournal.restore(backup, to: path)
        let journal = try SQLiteJournal(path: path)
        let floor = journal.generation(of: 0) << 35
        let second = SessionTable(journal)
        let session = try await second.create(isRecorded: true, key: "k")
        #expect(session.identity.id == lost.identity.id)
        let state = try await second.read(session)
        #expect(state.session.version == floor && state.session.lastVerdict == floor && floor > 0)
        #expect(state.notifications.since(0).first?.sequence == floor + 1)
        #expect(try await second.swipe(session) == floor + 1)
        #expect(try await second.standingVerdicts(of: session) == [floor + 1])
        try await second.expectReplay(of: session)
        // A random id was never used.
        #expect(try await second.read(try await second.create()).session.version == 0)
        try await journal.closed()
    }

    /// The state at the past moment has numbers of before the restore.
    @Test(arguments: ["k", nil]) func aCopyOfThePastBeginsAboveTheOneThatWasLost(key: String?) async throws {
        let (journal, floor) = try await openRestored()
        let table = SessionTable(journal)
        let origin = try await table.create(isRecorded: true)
        try await table.swipe(origin)
        let copy = try await table.fork(origin, at: Instant(999_999_999), key: key)
        let expected = key == nil ? 0 : floor
        #expect(
            try await table.read(copy).session.numbers
                == SessionNumbers(version: expected, notification: max(expected, 1), verdict: expected)
        )
        #expect(try await table.swipe(copy) == expected + 1)
        #expect(try await table.standingVerdicts(of: copy) == [expected + 1])
        try await table.expectReplay(of: copy)
        try await journal.closed()
    }

    /// Another node has started a generation, of which this one has not heard.
    @Test func aSessionThatWasMadeForAnEarlierGenerationIsMadeAgain() async throws {
        let (journal, floor) = try await openRestored()
        let table = SessionTable(LateJournal(journal))
        let session = try await table.create(key: "k")
        #expect(try await table.read(session).session.version == floor)
        try await journal.closed()
    }

    /// The log of a copy has no line at the moment of the copy, at which a command waited.
    @Test func theLogOfARestoredCopyLeadsToIt() async throws {
        let (journal, _) = try await openRestored()
        let first = SessionTable(journal)
        let origin = try await first.create(isRecorded: true, rules: #"{"whileAnimating":"queue"}"#)
        for time in [0, 10] {
            let swipe = #"{"type":"swipe","direction":"right","at":\#(time)}"#
            _ = try await first.perform(try Operation.event(swipe), on: origin)
        }
        let copy = try await first.fork(origin, at: Instant(150), key: nil)
        _ = try await value { journal.raiseGeneration(above: 0, completion: $0) }
        let table = SessionTable(journal)
        let restored = try await table.find(copy.identity.id)
        let shown = try await table.read(restored)
        _ = try await table.perform(try Operation.event(#"{"type":"tap","at":5000}"#), on: restored)
        try await table.expectReplay(of: restored)
        let state = try await table.read(restored)
        let past = try await host {
            table.past.read(of: restored, state, at: [Instant(150)], paying: restored.payment, $0)
        }
        #expect(past.first?.state.session == shown.session)
        try await journal.closed()
    }
}

extension SessionTable {
    /// Plays the log of a session, and compares the result with the session.
    fileprivate func expectReplay(of session: HostedSession) async throws {
        let state = try await read(session)
        let log = try #require(state.log)
        var replay = LoggedSession()
        for line in try await host({ logLines(of: session, log, in: 0..<log.lineCount, $0) }) {
            #expect(try replay.play(line))
        }
        #expect(replay.state?.session == state.session)
        #expect(replay.state?.notifications.since(0) == state.notifications.since(0))
    }
}

/// A journal that reports its generation only after it has refused a session.
private final class LateJournal: ForwardingJournal {
    let inner: any Journal
    private let hasRefused = Lock(false)

    init(_ inner: any Journal) {
        self.inner = inner
    }

    func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
        inner.create(session) { [hasRefused] result in
            if case .failure = result { hasRefused.withLock { $0 = true } }
            completion(result)
        }
    }

    func generation(of database: Int) -> Int { hasRefused.withLock(\.self) ? inner.generation(of: database) : 0 }
}
