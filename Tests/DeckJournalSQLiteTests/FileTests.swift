import CSQLite
import DeckJournal
@testable import DeckJournalSQLite
import FileTesting
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
        let journal = try SQLiteJournal(path: path)
        let new = NewSession.sample("a", cards: [7], logLines: [bytes("start")])
        let first = try await journal.created(new)
        try await journal.created(.sample("gone"))
        _ = try await journal.ended("gone")
        var entry = Entry.sample("a", 2, feedRecords: [.given(1), .given(2), .reverted(2)], notifications: ["x"])
        entry.logLines = [bytes("swiped")]
        entry.answers = [.sample("k", "outcome")]
        entry.cards = .edited([8])
        try await journal.appended(entry, to: "a", after: first)
        let putResult = try await value {
            journal.putDeck("places", bytes("deck"), if: .none, atMost: 9, completion: $0)
        }
        let session = try await journal.stored("a")
        let answer = try await journal.answer("k", of: "a")
        let feed = try await journal.wholeFeed()
        try await journal.closed()

        let again = try SQLiteJournal(path: path)
        #expect(try await again.stored("a") == session)
        #expect(session?.cards == StoredCards(base: [7], edits: [[8]]))
        #expect(try await again.found("gone") == .ended)
        #expect(try await again.wholeLog(of: "a").lines.count == 2)
        #expect(try await again.answer("k", of: "a") == answer)
        #expect(try await again.standing(in: "a") == [.given(1)])
        #expect(try await again.wholeFeed() == feed)
        #expect(try await again.totals() == JournalCounts(decks: 1, sessions: 1, hasHadDecks: true))
        let second = try await value { again.putDeck("b", [], if: .none, atMost: 9, completion: $0) }
        #expect(putResult == .created(revision: 1))
        #expect(second == .created(revision: 2))
        try await again.closed()
    }

    /// What only the log has would be lost with the process.
    @Test(arguments: [true, false]) func aLogThatIsRemovedIsMovedIntoTheFile(isReplaced: Bool) async throws {
        let journal = try SQLiteJournal(path: path)
        try await journal.created(.sample("a"))
        try FileManager.default.removeItem(atPath: path + "-wal")
        if isReplaced { try Data().write(to: URL(filePath: path + "-wal")) }
        let refusal = await failure { journal.putDeck("late", [], if: .none, atMost: 9, completion: $0) }
        #expect(refusal?.tellsOfDamage == true)
        #expect(await failure { journal.check(completion: $0) }?.tellsOfDamage == true)
        // As a kill leaves it.
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try await journal.closed()
        for file in [copy, path] {
            let again = try SQLiteJournal(path: file)
            #expect(try await again.stored("a") != nil)
            #expect(try await again.totals().decks == 0)
            try await again.closed()
        }
    }

    /// The probe notices it also if nothing is written.
    @Test func aLogThatIsRemovedIsNoticedByTheProbe() async throws {
        let journal = try SQLiteJournal(path: path)
        try await journal.created(.sample("a"))
        try FileManager.default.removeItem(atPath: path + "-wal")
        #expect(await failure { journal.check(completion: $0) }?.tellsOfDamage == true)
        try await journal.closed()
        let again = try SQLiteJournal(path: path)
        #expect(try await again.stored("a") != nil)
        try await again.closed()
    }

    @Test func onlyTheOwnerMayReadTheFile() async throws {
        let journal = try SQLiteJournal(path: path)
        try await journal.created(.sample("a"))
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(file))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        try await journal.closed()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["journal.sqlite"])
    }

    @Test func aDroppedJournalClosesItsFile() async throws {
        _ = try await value { try? SQLiteJournal(path: path).create(.sample("a"), completion: $0) }
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
        try await journal.created(.sample("a"))
        // The copied journal was not closed, so it has a log, which closing would remove.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file("original.sqlite") + suffix,
                toPath: path + suffix
            )
        }
        try await journal.closed()
        var content = try Data(contentsOf: URL(filePath: path))
        content[63] = 9
        try content.write(to: URL(filePath: path))
        try refused { $0 == .unsupportedFormat(version: 9) }
        // The header is sound, and only the log says that the format is later.
        content[63] = 5
        try content.write(to: URL(filePath: path))
        var connection: OpaquePointer?
        #expect(sqlite3_open(path, &connection) == SQLITE_OK)
        csqlite_set_checkpoints_on_close(connection, 0)
        #expect(sqlite3_exec(connection, "PRAGMA user_version = 9", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(connection)
        try refused { $0 == .unsupportedFormat(version: 9) }
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
        try await journal.closed()
        let again = try SQLiteJournal(path: path)
        try await again.closed()
    }

    @Test func aLogWithoutItsFileIsLeftAsItIs() throws {
        try Data("what was committed".utf8).write(to: URL(filePath: path + "-wal"))
        try refused { if case .damaged = $0 { true } else { false } }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func anEmptyFileBecomesAJournal() async throws {
        try Data().write(to: URL(filePath: path))
        let journal = try SQLiteJournal(path: path)
        try await journal.created(.sample("a"))
        try await journal.closed()
        let again = try SQLiteJournal(path: path, mustExist: true)
        #expect(try await again.stored("a")?.version == 1)
        try await again.closed()
    }

    @Test func aFileThatMustExistIsNotMade() throws {
        #expect(throws: JournalError.self) { try SQLiteJournal(path: path, mustExist: true) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: URL(filePath: path))
        #expect(throws: JournalError.self) { try SQLiteJournal(path: path, mustExist: true) }
        #expect(FileManager.default.contents(atPath: path) == Data())
    }

    /// The write-ahead log is beside the file, and not beside the link.
    @Test(arguments: [true, false])
    func aLinkToAFileIsFollowed(isThere: Bool) async throws {
        if isThere { try await SQLiteJournal(path: path).closed() }
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "journal.sqlite")
        let journal = try SQLiteJournal(path: link)
        try await journal.created(.sample("a"))
        #expect(journal.statistics.walBytes > 0)
        try await journal.closed()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == ["journal.sqlite", "link.sqlite"])
        try FileManager.default.removeItem(atPath: path)
        try Data("what was committed".utf8).write(to: URL(filePath: path + "-wal"))
        #expect(throws: JournalError.self) { try SQLiteJournal(path: link) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatIsLeftOfAnInterruptedMakingIsInNobodysWay() async throws {
        try Data("half of a file".utf8).write(to: URL(filePath: path + ".new"))
        let journal = try SQLiteJournal(path: path)
        try await journal.closed()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["journal.sqlite"])
    }

    @Test func oneOfSeveralThatStartTogetherMakesTheFile() async throws {
        for round in 0..<20 {
            let path = folder.file("\(round).sqlite")
            let opened = await withTaskGroup(of: SQLiteJournal?.self) { group in
                for _ in 0..<4 { group.addTask { try? SQLiteJournal(path: path) } }
                return await group.reduce(into: [SQLiteJournal]()) { opened, journal in
                    if let journal { opened.append(journal) }
                }
            }
            #expect(opened.count == 1)
            for journal in opened { try await journal.closed() }
            try await SQLiteJournal(path: path).closed()
        }
    }

    @Test func aFolderThatIsMissingMakesTheJournalUnavailable() {
        #expect {
            try SQLiteJournal(path: folder.file("missing/journal.sqlite"))
        } throws: {
            ($0 as? JournalError)?.isUnavailable ?? false
        }
    }

    /// A pipe has no bytes, as an empty file, and so has a device such as `/dev/null`.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func whatIsNoFileIsLeftAsItIs(isLinked: Bool) async throws {
        let pipe = folder.file(isLinked ? "pipe" : "journal.sqlite")
        #expect(mkfifo(pipe, 0o600) == 0)
        if isLinked { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "pipe") }
        let journal = try SQLiteJournal(path: folder.file("other.sqlite"))
        try await journal.closed()
        let copy = folder.file("copy.sqlite")
        try SQLiteJournal.backup(of: folder.file("other.sqlite"), to: copy)
        #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
        #expect(throws: CopyFailure.self) { try SQLiteJournal.restore(copy, to: path) }
        #expect(throws: CopyFailure.self) { try SQLiteJournal.restore(path, to: folder.file("new.sqlite")) }
        let error = #expect(throws: CopyFailure.self) {
            try SQLiteJournal.backup(of: path, to: folder.file("new.sqlite"))
        }
        #expect(error?.reason.contains("is not a file") == true)
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
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
