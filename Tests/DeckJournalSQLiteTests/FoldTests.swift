import DeckJournal
import FileTesting
import JournalTesting
import Locking
import Testing

@testable import DeckJournalSQLite

/// Entries are moved into the sessions' rows while sessions are read and changed.
@Suite struct FoldTests {
    private static let sessions = (0..<6).map { "session \($0)" }
    private static let entryCount = 250

    @Test(arguments: [0, 7, 40]) func readersSeeWholeEntriesWhileTheyAreFolded(entriesToFold: Int) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), entriesToFold: entriesToFold)
        let completed = Lock<[String: Int]>([:])
        for session in Self.sessions {
            try await journal.created(.sample(session, cards: [1]))
            completed.withLock { $0[session] = 1 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in Self.sessions {
                group.addTask {
                    var head = try await journal.stored(session)?.revision ?? Revision(position: 0)
                    for version in 2...Self.entryCount {
                        head = try await journal.appended(Self.entry(session, version), to: session, after: head)
                        completed.withLock { $0[session] = version }
                    }
                }
            }
            for reader in 0..<4 {
                group.addTask {
                    let session = Self.sessions[reader]
                    var last = 1
                    while last < Self.entryCount {
                        last = max(last, completed.withLock { $0[session] ?? 1 })
                        let stored = try #require(try await journal.stored(session))
                        #expect(stored.version >= last, "an older version was read")
                        last = stored.version
                        Self.check(stored, session)
                        try await Self.checkRows(of: session, since: last, journal)
                    }
                }
            }
            group.addTask {
                while completed.withLock({ $0.values.min() ?? 0 }) < Self.entryCount {
                    let least = completed.withLock { $0 }
                    let page = try await value { journal.sessions(after: .start, limit: 9, completion: $0) }
                    #expect(page.sessions.count == Self.sessions.count)
                    for session in page.sessions {
                        #expect(session.version >= least[session.identity.id] ?? 0)
                        let minutes = session.version == 1 ? 0 : session.version
                        #expect(session.lastActiveAt == time(max(Int64(minutes) * 60_000, 1000)))
                    }
                }
            }
            try await group.waitForAll()
        }
        for session in Self.sessions { Self.check(try #require(try await journal.stored(session)), session) }
        try await journal.closed()
        let reopened = try SQLiteJournal(path: folder.file("journal.sqlite"))
        for session in Self.sessions {
            let stored = try #require(try await reopened.stored(session))
            #expect(stored.version == Self.entryCount)
            Self.check(stored, session)
            try await Self.checkRows(of: session, since: stored.version, reopened)
        }
        try await reopened.closed()
    }

    /// Entries of few sessions are moved as soon as there are more than the limit. If more sessions have changed, up to four times
    /// as many are left.
    @Test(arguments: [(sessions: 1, limit: 10), (sessions: 3, limit: 20), (sessions: 10, limit: 40)])
    func moreEntriesAreLeftIfManySessionsHaveChanged(_ sessions: Int, _ limit: Int) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        let journal = try SQLiteJournal(path: path, entriesToFold: 10)
        let reader = try Connection(path, for: .reading)
        func entryCount() throws -> Int? { try reader.integer("SELECT COUNT(*) FROM entry") }
        var heads: [Revision] = []
        for session in 0..<sessions { heads.append(try await journal.created(.sample("\(session)"))) }
        for number in 0...limit {
            let session = number % sessions
            #expect(try entryCount() == number)
            let entry = Entry.sample("\(session)", 2 + number / sessions)
            heads[session] = try await journal.appended(entry, to: "\(session)", after: heads[session])
        }
        #expect(try await eventually { try entryCount() == 0 })
        try reader.close()
        try await journal.closed()
    }

    private static func entry(_ session: String, _ version: Int) -> Entry {
        var entry = Entry.sample(session, version, at: Int64(version) * 60_000, notifications: ["\(version)"])
        entry.cards = version.isMultiple(of: 20) ? .replaced([UInt8(version / 20)]) : .edited([UInt8(version % 20)])
        entry.logLines = [bytes("\(version)")]
        entry.answers = [.sample("\(version)", "")]
        // Every fifth version reverts the verdict before.
        entry.feedRecords = [version.isMultiple(of: 5) ? .reverted(version - 1) : .given(version)]
        return entry
    }

    /// The verdicts that stand at a version.
    private static func standing(at version: Int) -> [Int] {
        (2...max(version, 2)).filter { number in
            number <= version && number % 5 != 0 && (number % 5 != 4 || number == version)
        }
    }

    /// The verdicts and the answers of a session are those of one version that is not older than the given one.
    private static func checkRows(of session: String, since version: Int, _ journal: SQLiteJournal) async throws {
        let numbers = try await journal.standing(in: session).map(\.number)
        let last = max(numbers.last ?? 0, version)
        #expect((last...last + 2).contains { standing(at: $0) == numbers }, "\(session) since \(version)")
        for key in [2, version / 2, version - 1, version] where key >= 2 && key <= version {
            #expect(try await journal.answer("\(key)", of: session)?.key == "\(key)", "\(session) since \(version)")
        }
    }

    /// Everything that is loaded belongs to one version.
    private static func check(_ stored: StoredSession, _ session: String) {
        let version = stored.version
        #expect(stored.state == bytes("\(session) at \(version)"))
        #expect(stored.headNonce == (version == 1 ? 7 : .max - UInt64(version)))
        #expect(stored.notifications.last == (version == 1 ? nil : bytes("\(version)")))
        #expect(stored.notifications.count == min(version - 1, 64))
        #expect(stored.logSize.lineCount == version - 1)
        #expect(stored.answeredKeys.last == (version == 1 ? nil : "\(version)"))
        let first = version - version % 20
        #expect(stored.cards?.base == (first == 0 ? [1] : [UInt8(first / 20)]))
        #expect(stored.cards?.edits.count == (first == 0 ? version - 1 : version - first))
    }
}
