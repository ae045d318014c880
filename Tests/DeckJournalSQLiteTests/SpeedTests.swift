import DeckJournal
import FileTesting
import Glibc
import JournalTesting
import Locking
import Testing

@testable import DeckJournalSQLite

/// Measurements, printed. Bytes are judged, and one processor time: that of the start with a million sessions, which runs alone.
@Suite(.serialized) struct SpeedTests {
    /// Groups of entries over many sessions, each as large as a swipe's.
    @Test(arguments: [1, 256]) func appendsPerSecond(callers: Int) async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        let sessionCount = callers == 1 ? 1 : 16_000
        let load = Load(journal: journal, try await Load.create(sessionCount, in: journal))
        let before = journal.statistics
        let appends = callers == 1 ? 2000 : 64_000
        let duration = await ContinuousClock().measure { await load.run(callers: callers, appends: appends) }
        let commits = journal.statistics.commits - before.commits
        let rate = Int(Double(appends) / (duration / .seconds(1)))
        print("\(callers) callers over \(sessionCount) sessions: \(rate) appends/s, \(appends / commits) in a group")
        #expect(load.failures == 0)
        try await journal.closed()
    }

    @Test func bytesPerAppendInGroups() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), pagesToCheckpoint: 1_000_000)
        let load = Load(journal: journal, try await Load.create(4000, in: journal))
        let before = journal.statistics.walBytes
        await load.run(callers: 256, appends: 40_000)
        let written = (journal.statistics.walBytes - before) / 40_000
        print("bytes written by an append in groups over 4,000 sessions, folding included: \(written)")
        #expect(load.failures == 0)
        // Without other entries in its group an append writes 17,000 bytes.
        #expect((300..<4000).contains(written))
        try await journal.closed()
    }

    /// What an append costs depends on what it changes, and not on the session's history.
    @Test func anAppendWritesTheSameAfterALongHistory() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        // Without a checkpoint, the log only grows.
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), pagesToCheckpoint: 1_000_000)
        var head = try await journal.created(.sample("a"))
        var written: [Int: Int] = [:]
        for version in 2...1100 {
            let before = journal.statistics.walBytes
            let entry = Entry.sample("a", version, feedRecords: [.given(version)], notifications: ["\(version)"])
            head = try await journal.appended(entry, to: "a", after: head)
            let bytes = journal.statistics.walBytes - before
            for history in [10, 1000] where version >= history && version < history + 100 {
                written[history, default: 0] += bytes
            }
        }
        let (short, long) = (written[10] ?? 0, written[1000] ?? 0)
        print("bytes written by an append alone: \(short / 100) after 10, \(long / 100) after 1,000 entries")
        // Splits of pages differ a little.
        #expect(short > 0 && long < short * 5 / 4)
        try await journal.closed()
    }

    @Test func anEditOfCardsWritesOnlyTheEdit() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), pagesToCheckpoint: 1_000_000)
        let cards = [UInt8](repeating: 1, count: 100_000 * 100)
        var head = try await journal.created(.sample("a", cards: cards))
        let before = journal.statistics.walBytes
        for version in 2...11 {
            var entry = Entry.sample("a", version)
            entry.cards = .edited(bytes("insert one card"))
            head = try await journal.appended(entry, to: "a", after: head)
        }
        let written = (journal.statistics.walBytes - before) / 10
        print("bytes written by an edit of 10 MB of cards: \(written)")
        #expect(written < 32_768)
        let stored = try await journal.stored("a")?.cards
        #expect(stored?.base == cards && stored?.edits.count == 10)
        try await journal.closed()
    }

    /// A file with a million sessions is open, and one of them is loaded, in less than a second. The file is in memory, so what
    /// counts is the processor time.
    @Test func aMillionSessionsAreOpenInASecond() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        let journal = try SQLiteJournal(path: path)
        var new = NewSession.sample("0", cards: bytes("cards"))
        new.state = [UInt8](repeating: 1, count: 600)
        try await journal.created(new)
        try await journal.closed()
        try multiply(to: 1_000_000, in: path)
        let (start, used) = (ContinuousClock.now, clock())
        let reopened = try SQLiteJournal(path: path)
        let opened = ContinuousClock.now
        #expect(try await reopened.stored("999999")?.state == new.state)
        let time = ContinuousClock.now - start
        let seconds = Double(clock() - used) / Double(CLOCKS_PER_SEC)
        print("a million sessions: opened in \(opened - start), one loaded after \(time), \(seconds) s at work")
        #expect(seconds < 1)
        #expect(try await reopened.totals().sessions == 1_000_000)
        // It works as any other.
        let head = try #require(try await reopened.stored("77")?.revision)
        try await reopened.appended(.sample("77", 2), to: "77", after: head)
        try await reopened.closed()
    }

    /// Copies the only session of a file, which would take minutes through the journal.
    private func multiply(to count: Int, in path: String) throws {
        let db = try Connection(path, for: .writing)
        let names = try db.rows("SELECT name FROM pragma_table_info('session')").map { try $0.text(0) }
        let list = names.filter { $0 != "number" && $0 != "id" }.joined(separator: ", ")
        let numbers = """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count - 1))
            """
        try db.transaction {
            try db.execute(
                """
                INSERT INTO session (number, id, \(list)) \(numbers)
                SELECT 1 + n, CAST(n AS TEXT), \(list) FROM numbers, (SELECT \(list) FROM session WHERE number = 1);
                UPDATE tally SET sessionCount = \(count);
                """
            )
        }
        try db.close()
    }
}

/// Callers that each append again, to another session, as soon as their last entry is completed.
private final class Load: Sendable {
    private let journal: SQLiteJournal
    private let state: Lock<(heads: [Revision], next: Int, end: Int, failures: Int)>

    var failures: Int { state.withLock { $0.failures } }

    init(journal: SQLiteJournal, _ heads: [Revision]) {
        self.journal = journal
        state = Lock((heads, 0, 0, 0))
    }

    /// Creates sessions and returns their revisions.
    static func create(_ count: Int, in journal: SQLiteJournal) async throws -> [Revision] {
        var heads: [Revision] = []
        for first in stride(from: 0, to: count, by: 5000) {
            let part = await withTaskGroup(of: (Int, Revision?).self) { group in
                for session in first..<min(first + 5000, count) {
                    group.addTask { (session, try? await journal.created(.sample("\(session)"))) }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            heads += part.sorted { $0.key < $1.key }.map(\.value)
        }
        return heads
    }

    func run(callers: Int, appends: Int) async {
        state.withLock { $0.end = appends }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask { await withCheckedContinuation { self.append($0) } }
            }
        }
    }

    private func append(_ finished: CheckedContinuation<Void, Never>) {
        let next = state.withLock { state -> (number: Int, head: Revision)? in
            guard state.next < state.end else { return nil }
            defer { state.next += 1 }
            return (state.next, state.heads[state.next % state.heads.count])
        }
        guard let next else { return finished.resume() }
        let version = 2 + next.number
        let entry = Entry(
            nonce: UInt64(next.number),
            at: time(Int64(version)),
            version: version,
            state: [UInt8](repeating: UInt8(truncatingIfNeeded: version), count: 300),
            notifications: [[UInt8](repeating: 1, count: 60)],
            feedRecords: [.given(version)]
        )
        let session = next.number % state.withLock { $0.heads.count }
        guard let reservation = try? journal.reserve(bytes: entry.byteCount, for: "\(session)") else {
            return finish(finished)
        }
        journal.append(entry, to: "\(session)", after: next.head, using: reservation) { result in
            switch result {
            case .success(let revision): self.state.withLock { $0.heads[session] = revision }
            case .failure: self.state.withLock { $0.failures += 1 }
            }
            self.append(finished)
        }
    }

    private func finish(_ finished: CheckedContinuation<Void, Never>) {
        state.withLock { $0.failures += 1 }
        finished.resume()
    }
}
