import CSQLite
import DeckJournal
@testable import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import Testing

/// Files of earlier formats are migrated when they are opened.
@Suite struct FormatTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("journal.sqlite")
        // The database of the former release, which has format 3.
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let release = tests.appending(path: "DeckdTests/Releases/format-1.sqlite")
        try FileManager.default.copyItem(at: release, to: URL(filePath: path))
    }

    @Test(arguments: [1, 2, 3]) func aFileOfTheFormerReleaseIsUnchanged(format: Int) async throws {
        if format < 3 { try downgrade(to: format) }
        let sessions = try rows("SELECT id, version, hex(snapshot), lastActiveAt, logLineCount FROM session")
        let cards = try rows(
            "SELECT id, hex(cards) FROM session JOIN session_cards ON session_cards.session = session.number"
        )
        let feed = try rows(
            """
            SELECT position, id, verdict.number, kind FROM verdict JOIN session ON session.number = verdict.session
            ORDER BY position
            """
        )
        #expect(sessions.count == 49 && feed.count == 136)
        for _ in 0..<2 {
            let journal = try SQLiteJournal(path: path)
            for session in sessions {
                guard let stored = try await journal.stored(session[0]) else {
                    #expect(session[2].isEmpty)
                    #expect(try await journal.found(session[0]) == .ended)
                    continue
                }
                let found = [
                    session[0], "\(stored.version)", hex(stored.state), "\(stored.lastActiveAt.milliseconds)",
                    "\(stored.logSize.lineCount)",
                ]
                #expect(found == session)
                #expect(try await journal.wholeLog(of: session[0]).lines.count == stored.logSize.lineCount)
                let expected = cards.first { $0[0] == session[0] }?[1]
                #expect(stored.cards.map { hex($0.base) } == expected)
                #expect(stored.cards?.edits.isEmpty ?? true)
            }
            let rows = try await journal.wholeFeed().rows
            #expect(
                rows.map {
                    ["\($0.cursor)", $0.session, "\($0.record.number)", "\($0.record.kind.rawValue)"]
                } == feed
            )
            #expect(try await journal.totals().sessions == sessions.count { !$0[2].isEmpty })
            try await journal.closed()
            #expect(FileManager.default.contents(atPath: path)?[63] == 8)
        }
    }

    @Test func aMigratedSessionGoesOn() async throws {
        let journal = try SQLiteJournal(path: path)
        let sessions = try await value { journal.sessions(after: .start, limit: 100, completion: $0) }.sessions
        #expect(sessions.count == 48)
        var revisions: [String: Revision] = [:]
        for session in sessions {
            let id = session.identity.id
            let before = try #require(try await journal.stored(id))
            let entry = Entry.sample(id, before.version + 1, notifications: ["x"])
            let revision = try await journal.appended(entry, to: id, after: before.revision)
            #expect(revision > before.revision)
            revisions[id] = revision
        }
        #expect(Set(revisions.values).count == 48)
        try await journal.closed()
        let again = try SQLiteJournal(path: path)
        for (id, revision) in revisions { #expect(try await again.stored(id)?.revision == revision) }
        try await again.closed()
        // A small file is rewritten, so that it can shrink.
        #expect(try rows("PRAGMA auto_vacuum") == [["2"]])
    }

    /// The migration of a release was interrupted before the file was rebuilt, or there was no room for that.
    @Test func aSmallFileIsRebuiltAtAnyStart() async throws {
        let path = folder.file("rigid.sqlite")
        let journal = try SQLiteJournal(path: path)
        try await journal.created(.sample("a"))
        try await journal.closed()
        try run("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL", in: path)
        func mode() throws -> Int? {
            let db = try Connection(path, for: .reading)
            defer { try? db.close() }
            return try db.integer("PRAGMA auto_vacuum")
        }
        #expect(try mode() == 0)
        let other = try Connection(path, for: .writing)
        try other.begin()
        let blocked = try SQLiteJournal(path: path)
        #expect(blocked.statistics.housekeepingFailures.count == 1)
        #expect(try await blocked.stored("a") != nil)
        try other.rollBack()
        try other.close()
        try await blocked.closed()
        #expect(try mode() == 0)
        let rebuilt = try SQLiteJournal(path: path)
        #expect(rebuilt.statistics.housekeepingFailures.count == 0)
        #expect(try await rebuilt.stored("a") != nil)
        try await rebuilt.closed()
        #expect(try mode() == 2)
    }

    @Test func aFileOfFormat4KeepsItsVerdictsAndTheAnswersOfCreations() async throws {
        let path = folder.file("format-4.sqlite")
        let journal = try SQLiteJournal(path: path)
        var session = NewSession.sample("a")
        session.answers = [.sample("", "created")]
        var head = try await journal.created(session)
        for version in 2...9 {
            var entry = Entry.sample("a", version)
            entry.feedRecords = [version == 9 ? .reverted(8) : .given(version)]
            entry.answers = [.sample("\(version)", "{}")]
            head = try await journal.appended(entry, to: "a", after: head)
        }
        try await journal.closed()
        let sql = """
            \(Self.toFormat5)
            DROP TABLE session_verdict; DROP TABLE session_answer;
            DROP TABLE family; ALTER TABLE session DROP COLUMN root;
            CREATE INDEX verdict_by_session ON verdict (session, number);
            CREATE UNIQUE INDEX answer_by_key ON answer (session, key);
            ALTER TABLE tally DROP COLUMN indexedPosition; ALTER TABLE tally DROP COLUMN indexedAnswer;
            ALTER TABLE tally DROP COLUMN lastAnswer; ALTER TABLE tally DROP COLUMN answerBytes;
            ALTER TABLE tally DROP COLUMN deadAnswerBytes;
            DELETE FROM grdb_migrations WHERE identifier = 'format 5'; PRAGMA user_version = 4;
            """
        try run(sql, in: path)
        let migrated = try SQLiteJournal(path: path)
        #expect(try await migrated.standing(in: "a").map(\.number) == [2, 3, 4, 5, 6, 7])
        #expect(try await migrated.answer("", of: "a")?.outcome == bytes("created"))
        // Outcomes of events were stored in a form that is not read any more.
        #expect(try await migrated.answer("9", of: "a") == nil)
        var entry = Entry.sample("a", 10, feedRecords: [.given(10)])
        entry.answers = [.sample("9", "again")]
        head = try await migrated.appended(entry, to: "a", after: head)
        #expect(try await migrated.standing(in: "a").map(\.number) == [2, 3, 4, 5, 6, 7, 10])
        #expect(try await migrated.answer("9", of: "a")?.revision == head)
        try await migrated.closed()
    }

    private static let toFormat7 = """
        INSERT INTO session_cards SELECT number, cards FROM session JOIN session_cards AS base
            ON base.session = (1 << 40) + cardsBase;
        INSERT INTO cards_part SELECT number, part, bytes FROM session JOIN cards_part AS base
            ON base.session = (1 << 40) + cardsBase;
        DELETE FROM session_cards WHERE session > 1 << 40; DELETE FROM cards_part WHERE session > 1 << 40;
        DROP TABLE cards_base; DROP INDEX session_by_cards; ALTER TABLE session DROP COLUMN cardsBase;
        DELETE FROM grdb_migrations WHERE identifier = 'format 8'; PRAGMA user_version = 7;
        """
    private static let toFormat6 = """
        \(toFormat7)
        DROP TABLE notice; DROP INDEX session_by_user; ALTER TABLE deck_key DROP COLUMN cardCount;
        DELETE FROM grdb_migrations WHERE identifier = 'format 7'; PRAGMA user_version = 6;
        """
    private static let toFormat5 = """
        \(toFormat6)
        ALTER TABLE session DROP COLUMN playerTokenHash; ALTER TABLE session DROP COLUMN userName;
        ALTER TABLE session DROP COLUMN metadata;
        DELETE FROM grdb_migrations WHERE identifier = 'format 6'; PRAGMA user_version = 5;
        """

    @Test func aFeedOfFormat6ContinuesWithNotices() async throws {
        let path = folder.file("format-6.sqlite")
        let journal = try SQLiteJournal(path: path)
        var session = NewSession.sample("a")
        session.identity.user = "zoë"
        let first = try await journal.created(session)
        let head = try await journal.appended(.sample("a", 2, feedRecords: [.given(1)]), to: "a", after: first)
        let key = DeckKey(owner: "", key: "k", fingerprint: [1], cardCount: 9)
        let putResult = try await value {
            journal.putDeck("d", [1], if: .none, atMost: 9, once: key, completion: $0)
        }
        guard case .created(let revision) = putResult else { throw JournalError.deckConflict(current: nil) }
        try await journal.closed()
        try run(Self.toFormat6, in: path)
        let migrated = try SQLiteJournal(path: path)
        let before = DeckPutResult.putBefore(revision: revision, isNew: true, cardCount: 0)
        #expect(try await value { migrated.deckPutResult(of: key, completion: $0) } == before)
        let ranOut = FeedRecord.notice(.ranOut, atMilliseconds: 9)
        try await migrated.appended(.sample("a", 3, feedRecords: [.given(2), ranOut]), to: "a", after: head)
        _ = try await migrated.ended("a")
        let page = try await value {
            migrated.feed(after: .start, filter: FeedFilter(user: "zoë"), limit: 9, completion: $0)
        }
        #expect(page.rows.map(\.record.kind) == [.given, .given, .ranOut, .ended])
        try await migrated.closed()
    }

    @Test func aSessionOfFormat7HasItsCardsAlone() async throws {
        let path = folder.file("format-7.sqlite")
        let journal = try SQLiteJournal(path: path)
        var sessions = try await SessionsWithOwnCards(in: journal)
        try await journal.closed()
        try run(Self.toFormat7, in: path)
        let migrated = try SQLiteJournal(path: path)
        try await sessions.addOne(to: migrated)
        for (id, cards) in sessions.cards { #expect(try await migrated.stored(id)?.cards == cards, "\(id)") }
        try await sessions.change(in: migrated)
        for (id, cards) in sessions.cards { #expect(try await migrated.stored(id)?.cards == cards, "\(id)") }
        try await migrated.closed()
        // Those of the other kinds of sessions are copied, too.
        let target = folder.file("copy.sqlite")
        let source = try SQLiteSource(path: path)
        _ = try Transfer(from: source, to: try SQLiteTarget(path: target)).run(from: "file") { _ in }
        try source.close()
        let copy = try SQLiteJournal(path: target)
        for (id, cards) in sessions.cards { #expect(try await copy.stored(id)?.cards == cards, "\(id)") }
        try await copy.closed()
        #expect(try rows("SELECT COUNT(cardsBase) FROM session GROUP BY cardsBase", in: target) == [["0"], ["3"]])
    }

    @Test func aSessionOfFormat5HasNoPlayerAndNoUser() async throws {
        let path = folder.file("format-5.sqlite")
        let journal = try SQLiteJournal(path: path)
        var session = NewSession.sample("a")
        (session.identity.user, session.identity.metadata) = ("zoë", "[1]")
        let first = try await journal.created(session)
        let head = try await journal.appended(.sample("a", 2, feedRecords: [.given(1)]), to: "a", after: first)
        try await journal.closed()
        try run(Self.toFormat5, in: path)
        let migrated = try SQLiteJournal(path: path)
        let stored = try #require(try await migrated.stored("a"))
        var identity = NewSession.sample("a").identity
        identity.playerTokenHash = nil
        #expect(stored.identity == identity && stored.revision == head)
        #expect(try await migrated.wholeFeed().rows.map(\.user) == [nil])
        // New sessions have both.
        session.identity.id = "b"
        try await migrated.created(session)
        #expect(try await migrated.stored("b")?.identity == session.identity)
        try await migrated.closed()
        #expect(FileManager.default.contents(atPath: path)?[63] == 8)
    }

    private func downgrade(to format: Int) throws {
        var sql = "ALTER TABLE session DROP COLUMN logByteCount;"
        if format < 2 { sql += "DROP TABLE owner; ALTER TABLE session DROP COLUMN owner;" }
        let later = (format + 1...3).map { "'format \($0)'" }.joined(separator: ", ")
        _ = try rows("DELETE FROM grdb_migrations WHERE identifier IN (\(later))")
        try run(sql + "PRAGMA user_version = \(format)")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    private func run(_ sql: String, in file: String? = nil) throws {
        var connection: OpaquePointer?
        #expect(sqlite3_open(file ?? path, &connection) == SQLITE_OK)
        #expect(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
        #expect(sqlite3_close(connection) == SQLITE_OK)
    }

    /// The values of all rows as text; NULL is empty.
    private func rows(_ sql: String, in file: String? = nil) throws -> [[String]] {
        var connection: OpaquePointer?
        #expect(sqlite3_open(file ?? path, &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        var statement: OpaquePointer?
        #expect(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                }
            )
        }
        return rows
    }
}
