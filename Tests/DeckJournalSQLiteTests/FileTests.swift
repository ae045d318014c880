import CSQLite
import DeckJournal
import DeckJournalSQLite
import Foundation
import JournalTesting
import Testing

@Suite struct FileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("journal.sqlite")
    }

    @Test func reopeningFindsEverything() async throws {
        var journal = try SQLiteJournal(path: path)
        let begun = NewSession.sample("a", cards: [7], logLines: [bytes("begun")])
        try await value { [journal] in journal.createSession(begun, completion: $0) }
        try await value { [journal] in journal.createSession(.sample("gone"), completion: $0) }
        _ = try await value { [journal] in journal.endSession("gone", completion: $0) }
        var record = SessionRecord.sample("a", 2, verdicts: [.given(1), .given(2), .reverted(2)])
        record.logLines = [bytes("swiped")]
        record.answer = AnswerRecord(key: "k", fingerprint: [1], status: 200, body: bytes("{}"), at: time(5))
        try await value { [journal, record] in journal.commit(record, expecting: 1, completion: $0) }
        let putting = try await value { [journal] in
            journal.putDeck("places", bytes("deck"), if: .none, atMost: 9, completion: $0)
        }
        let feed = try await value { [journal] in
            journal.verdicts(after: .start, deck: nil, limit: 9, completion: $0)
        }
        try await value { [journal] in journal.close(completion: $0) }

        journal = try SQLiteJournal(path: path)
        let again = journal
        let session = try await value { again.loadSession("a", completion: $0) }.session
        #expect(session?.identity == begun.identity)
        #expect(session?.version == 2)
        #expect(session?.snapshot == record.snapshot)
        #expect(session?.cards == [7])
        #expect(try await value { again.loadSession("gone", completion: $0) } == .ended)
        #expect(try await value { again.log(of: "a", from: 0, limit: 9, completion: $0) }.count == 2)
        #expect(try await value { again.answer(of: "a", key: "k", completion: $0) } == record.answer)
        #expect(
            try await value { again.standingVerdicts(of: "a", after: 0, limit: 9, completion: $0) } == [.given(1)]
        )
        #expect(try await value { again.verdicts(after: .start, deck: nil, limit: 9, completion: $0) } == feed)
        #expect(try await value { again.counts(completion: $0) } == JournalCounts(decks: 1, sessions: 1))
        let second = try await value { again.putDeck("b", [], if: .none, atMost: 9, completion: $0) }
        #expect(putting == .created(revision: 1))
        #expect(second == .created(revision: 2))
        try await value { again.close(completion: $0) }
    }

    /// A file as the first format had it comes to have what later ones add, and keeps all that was in it.
    @Test func aFileOfAnEarlierFormatGoesOn() async throws {
        let journal = try SQLiteJournal(path: path)
        let begun = NewSession.sample("a", cards: [7], logLines: [bytes("begun")])
        try await value { journal.createSession(begun, completion: $0) }
        try await value { journal.close(completion: $0) }
        try run(
            """
            DROP TABLE owner; ALTER TABLE session DROP COLUMN owner; ALTER TABLE session DROP COLUMN logByteCount;
            DELETE FROM grdb_migrations WHERE identifier <> 'format 1'; PRAGMA user_version = 1
            """
        )
        #expect(FileManager.default.contents(atPath: path)?[63] == 1)
        for id in ["b", "c"] {
            let opened = try SQLiteJournal(path: path)
            var owned = NewSession.sample(id)
            owned.identity.owner = "app"
            owned.ownerLimit = 1
            let refusal = await failure { [owned] in opened.createSession(owned, completion: $0) }
            #expect(refusal == (id == "b" ? nil : .ownerFull(limit: 1)))
            let again = try await value { opened.loadSession("a", completion: $0) }.session
            #expect(again?.identity == begun.identity && again?.cards == [7])
            #expect(try await value { opened.counts(completion: $0) }.sessions == 2)
            try await value { opened.close(completion: $0) }
            #expect(FileManager.default.contents(atPath: path)?[63] == 3)
        }
    }

    private func run(_ sql: String) throws {
        var connection: OpaquePointer?
        #expect(sqlite3_open(path, &connection) == SQLITE_OK)
        #expect(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
        #expect(sqlite3_close(connection) == SQLITE_OK)
    }

    @Test func onlyTheOwnerMayReadTheFile() async throws {
        let journal = try SQLiteJournal(path: path)
        try await value { journal.createSession(.sample("a"), completion: $0) }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(file))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        try await value { journal.close(completion: $0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["journal.sqlite"])
    }

    @Test func aDroppedJournalClosesItsFile() async throws {
        try await value { try? SQLiteJournal(path: path).createSession(.sample("a"), completion: $0) }
        let deadline = ContinuousClock.now + .seconds(10)
        while try FileManager.default.contentsOfDirectory(atPath: folder.path).count > 1, .now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["journal.sqlite"])
    }

    @Test func anotherProgramsFileIsLeftAsItIs() throws {
        var connection: OpaquePointer?
        #expect(sqlite3_open(path, &connection) == SQLITE_OK)
        #expect(sqlite3_exec(connection, "CREATE TABLE notes (text TEXT)", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(connection)
        try refused { if case .foreign = $0 { true } else { false } }
    }

    @Test func whatIsNoDatabaseIsLeftAsItIs() throws {
        for content in ["x", "a shopping list", String(repeating: "text ", count: 5000)] {
            try Data(content.utf8).write(to: URL(filePath: path))
            try refused { if case .damaged = $0 { true } else { false } }
        }
    }

    @Test func aFileOfALaterFormatIsLeftAsItIs() async throws {
        let journal = try SQLiteJournal(path: folder.file("original.sqlite"))
        try await value { journal.createSession(.sample("a"), completion: $0) }
        // The copy is one of a journal that was not closed, so that there is a log, which a closing would take in.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file("original.sqlite") + suffix,
                toPath: path + suffix
            )
        }
        try await value { journal.close(completion: $0) }
        var content = try Data(contentsOf: URL(filePath: path))
        content[63] = 4
        try content.write(to: URL(filePath: path))
        try refused { $0 == .unsupportedFormat(version: 4) }
        // The header is sound, and only the log says that the format is later.
        content[63] = 3
        try content.write(to: URL(filePath: path))
        var connection: OpaquePointer?
        #expect(sqlite3_open(path, &connection) == SQLITE_OK)
        csqlite_set_checkpoints_on_close(connection, 0)
        #expect(sqlite3_exec(connection, "PRAGMA user_version = 5", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(connection)
        try refused { $0 == .unsupportedFormat(version: 5) }
    }

    /// As a process that is being started has them, until it runs its program.
    @Test func aFileIsFreeThoughCopiesOfItsDescriptorsAreOpen() async throws {
        let journal = try SQLiteJournal(path: path)
        var copies: [CInt] = []
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap({ CInt($0) })
        {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            if target?.hasSuffix(path) == true { copies.append(dup(descriptor)) }
        }
        defer { for copy in copies { close(copy) } }
        #expect(!copies.isEmpty)
        try await value { journal.close(completion: $0) }
        let again = try SQLiteJournal(path: path)
        try await value { again.close(completion: $0) }
    }

    @Test func aLogWithoutItsFileIsLeftAsItIs() throws {
        try Data("what was committed".utf8).write(to: URL(filePath: path + "-wal"))
        try refused { if case .damaged = $0 { true } else { false } }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func anEmptyFileBecomesAJournal() async throws {
        try Data().write(to: URL(filePath: path))
        let journal = try SQLiteJournal(path: path)
        try await value { journal.createSession(.sample("a"), completion: $0) }
        try await value { journal.close(completion: $0) }
    }

    @Test func whatIsLeftOfAnInterruptedMakingIsInNobodysWay() async throws {
        try Data("half of a file".utf8).write(to: URL(filePath: path + ".new"))
        let journal = try SQLiteJournal(path: path)
        try await value { journal.close(completion: $0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["journal.sqlite"])
    }

    @Test func aFolderThatIsMissingMakesTheJournalUnavailable() {
        #expect {
            try SQLiteJournal(path: folder.file("missing/journal.sqlite"))
        } throws: {
            ($0 as? JournalError)?.isUnavailable ?? false
        }
    }

    /// Checks that opening is refused, and changes no file.
    private func refused(_ isExpected: (JournalError) -> Bool) throws {
        let before = try contents()
        #expect {
            try SQLiteJournal(path: path)
        } throws: { error in
            (error as? JournalError).map(isExpected) ?? false
        }
        #expect(try contents() == before)
    }

    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for file in ["journal.sqlite", "journal.sqlite-wal"] {
            contents[file] = FileManager.default.contents(atPath: folder.file(file))
        }
        return contents
    }
}
