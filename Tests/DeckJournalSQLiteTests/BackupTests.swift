import DeckJournal
import FileTesting
import Foundation
import JournalTesting
import Locking
import Testing

@testable import DeckJournalSQLite

@Suite struct BackupTests {
    @Test func aBackupHasEverythingAndIsPrivate() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        var model = Model()
        for session in ["a", "b"] { try await model.create(session, in: journal) }
        for _ in 0..<50 {
            let (entry, revision) = model.next(of: "a")
            model.follow("a", try await journal.appended(entry, to: "a", after: revision))
        }
        let copy = folder.file("copy.sqlite")
        try await value { journal.backup(to: copy, completion: $0) }
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // A file that exists is not overwritten.
        #expect(await failure { journal.backup(to: copy, completion: $0) }?.isUnavailable == true)
        let missing = folder.file("missing/copy.sqlite")
        #expect(await failure { journal.backup(to: missing, completion: $0) }?.isUnavailable == true)
        let restored = try SQLiteJournal(path: copy)
        try await model.check(restored, "restored")
        try await restored.closed()
        try await journal.closed()
    }

    /// root restores a file for the user that the server runs as.
    @Test(arguments: [true, false])
    func aRestoredFileHasTheOwnerOfTheFormerOneOrOfTheFolder(isThere: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("journal.sqlite")
        let journal = try SQLiteJournal(path: path)
        let copy = folder.file("copy.sqlite")
        try await value { journal.backup(to: copy, completion: $0) }
        try await journal.closed()
        if !isThere { try FileManager.default.removeItem(atPath: path) }
        let user = geteuid() == 0 ? 65_534 : geteuid()
        let beside = URL(filePath: path).deletingLastPathComponent().path
        #expect(chown(isThere ? path : beside, user, .max) == 0)
        try SQLiteJournal.restore(copy, to: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == user)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let files = try FileManager.default.contentsOfDirectory(atPath: beside)
        #expect(Set(files) == ["copy.sqlite", "journal.sqlite"], "no file of another owner is beside it")
    }

    /// A copy of a journal with one session.
    ///
    /// - Parameter keepsJournal: whether the journal, which is closed, is still there.
    private func makeCopy(keepsJournal: Bool) async throws -> (TemporaryFolder, path: String, copy: String) {
        let folder = try TemporaryFolder()
        let (path, copy) = (folder.file("journal.sqlite"), folder.file("copy.sqlite"))
        let journal = try SQLiteJournal(path: path)
        try await journal.created(.sample("a"))
        try await value { journal.backup(to: copy, completion: $0) }
        try await journal.closed()
        if !keepsJournal { try FileManager.default.removeItem(atPath: path) }
        return (folder, path, copy)
    }

    /// A page in the middle of a backup is damaged. The data stay as they are.
    @Test func aDamagedBackupIsRefused() async throws {
        let (folder, path, copy) = try await makeCopy(keepsJournal: true)
        let before = try Data(contentsOf: URL(filePath: path))
        var bytes = try Data(contentsOf: URL(filePath: copy))
        // The head of a file has the size of its pages.
        let pageBytes = Int(bytes[16]) << 8 + Int(bytes[17])
        for page in 1..<bytes.count / pageBytes {
            // A page that begins with one of these numbers is of a table or of an index, and its cells are at its end.
            guard [2, 5, 10, 13].contains(bytes[page * pageBytes]) else { continue }
            for place in stride(from: page * pageBytes, to: (page + 1) * pageBytes, by: 64) { bytes[place] ^= 0xFF }
        }
        try bytes.write(to: URL(filePath: copy))
        let error = try #require(throws: CopyFailure.self) { try SQLiteJournal.restore(copy, to: path) }
        #expect(error.path == copy && error.reason.hasPrefix("The journal is damaged: \(copy): "), "\(error)")
        #expect(!error.reason.contains("restoring"), "\(error)")
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == ["copy.sqlite", "journal.sqlite"])
    }

    @Test(arguments: [true, false])
    func restoresAtTheSameTimeInstallAWholeCopy(isThere: Bool) async throws {
        let (folder, path, copy) = try await makeCopy(keepsJournal: isThere)
        let successes = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { (try? SQLiteJournal.restore(copy, to: path)) != nil }
            }
            var count = 0
            for await isRestored in group where isRestored { count += 1 }
            return count
        }
        #expect(successes > 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == ["copy.sqlite", "journal.sqlite"])
        let restored = try SQLiteJournal(path: path)
        #expect(try await restored.stored("a") != nil)
        try await restored.closed()
    }

    /// A restore locks the folder, because the file may not exist yet.
    @Test func aRestoreIsRefusedWhileAnotherOneRuns() async throws {
        let (folder, path, copy) = try await makeCopy(keepsJournal: false)
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        #expect(isLocked)
        let error = #expect(throws: CopyFailure.self) { try SQLiteJournal.restore(copy, to: path) }
        #expect(error?.path == path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy.sqlite"])
        flock(descriptor, LOCK_UN)
        close(descriptor)
        try SQLiteJournal.restore(copy, to: path)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    /// The link can also name a file that does not exist.
    @Test(arguments: [true, false])
    func aRestoreReplacesTheFileOfALink(isThere: Bool) async throws {
        let (folder, path, copy) = try await makeCopy(keepsJournal: isThere)
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "journal.sqlite")
        try SQLiteJournal.restore(copy, to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "journal.sqlite")
        let restored = try SQLiteJournal(path: path)
        #expect(restored.statistics.generation > 0)
        try await restored.closed()
    }

    /// The file is lost with all that a client has seen of it. The same backup is restored again.
    @Test func aRestoreContinuesAboveAnotherOneWhoseFileIsLost() async throws {
        let (folder, path, copy) = try await makeCopy(keepsJournal: false)
        defer { withExtendedLifetime(folder) {} }
        var last: Revision?
        for hour in [8000, 8001, 8010] {
            let time = WallTime(milliseconds: 1_767_225_600_000 + Int64(hour) * 3_600_000)
            try SQLiteJournal.restore(copy, to: path, at: time)
            let journal = try SQLiteJournal(path: path)
            #expect(journal.statistics.generation == hour + 1)
            let revision = try await journal.appended(.sample("a", 2), to: "a")
            if let last { #expect(revision > last) }
            last = revision
            try await journal.closed()
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// The error does not name the unfinished copy.
    @Test func aSourceThatCannotBeReadIsNamed() async throws {
        let (folder, path, _) = try await makeCopy(keepsJournal: true)
        // SQLite cannot open the log. On a read-only file system it fails in the same way.
        try FileManager.default.createDirectory(atPath: path + "-wal", withIntermediateDirectories: false)
        let target = folder.file("target.sqlite")
        for copying in [SQLiteJournal.backup(of:to:), { try SQLiteJournal.restore($0, to: $1) }] {
            let error = #expect(throws: CopyFailure.self) { try copying(path, target) }
            #expect(error?.path == path && error?.reason.contains(target) == false, "\(error as Any)")
        }
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
                == ["copy.sqlite", "journal.sqlite", "journal.sqlite-wal"]
        )
    }

    @Test func aBackupUnderLoadIsConsistent() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), entriesToFold: 20)
        var model = Model()
        let sessions = (0..<8).map { "\($0)" }
        for session in sessions { try await model.create(session, in: journal) }
        let initial = model
        let answered = Lock([String: Int]())
        let answeredBefore = try await withThrowingTaskGroup(of: [[String: Int]].self) { group in
            for session in sessions {
                group.addTask {
                    var head = try #require(initial.sessions[session]?.revision)
                    for version in 2...200 {
                        head = try await journal.appended(Model.entry(session, version), to: session, after: head)
                        answered.withLock { $0[session] = version }
                    }
                    return []
                }
            }
            group.addTask {
                var answeredBefore: [[String: Int]] = []
                for number in 0..<5 {
                    answeredBefore.append(answered.withLock { $0 })
                    let copy = folder.file("copy \(number).sqlite")
                    #expect(await failure { journal.backup(to: copy, completion: $0) } == nil)
                }
                return answeredBefore
            }
            return try await group.reduce([], +)
        }
        #expect(answered.withLock { $0.values.allSatisfy { $0 == 200 } })
        // The first backup is made while changes are answered, and not before or after all of them.
        #expect(answeredBefore[1].values.contains { (2..<200).contains($0) }, "\(answeredBefore)")
        for (number, answered) in answeredBefore.enumerated() {
            let copy = try SQLiteJournal(path: folder.file("copy \(number).sqlite"))
            var model = Model()
            for session in sessions {
                let stored = try #require(try await copy.stored(session))
                #expect(stored.version >= answered[session] ?? 1)
                model.sessions[session] = (stored.version, stored.revision)
            }
            try await model.check(copy, "copy \(number)")
            try await copy.closed()
        }
        try await journal.closed()
    }
}

extension SQLiteJournal {
    /// Writes a copy of its file, as `deckd backup` does beside a server. It is made on a separate thread, so changes continue
    /// meanwhile.
    fileprivate func backup(to path: String, completion: @escaping JournalCompletion<Void>) {
        let source = writer.path
        startThread("backup") {
            do throws(CopyFailure) {
                completion(.success(try SQLiteJournal.backup(of: source, to: path)))
            } catch {
                completion(.failure(.unavailable("\(error)")))
            }
        }
    }
}
