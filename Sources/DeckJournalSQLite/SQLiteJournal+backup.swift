public import DeckJournal
import Foundation
import Locking

extension SQLiteJournal {
    /// Writes a copy of a journal's file, which another process may be using.
    ///
    /// - Parameters:
    ///   - source: the journal's file.
    ///   - path: a file that does not exist yet. Only its owner can read it. It gets this name when it is complete; until then its
    ///     name is followed by `.partial`.
    public static func backup(of source: String, to path: String) throws(JournalError) {
        try FileHeader.check(fileAt: source)
        try Backup(of: source).write(to: path)
    }

    /// Replaces a journal's file with a copy that `backup` wrote. No process may use the file. Afterwards every revision,
    /// cursor and deck revision is greater than all that either file has.
    ///
    /// - Parameters:
    ///   - backup: the copy. It is not changed.
    ///   - path: the journal's file; it may not exist yet. Its owner stays the same, and only its owner can read it.
    public static func restore(_ backup: String, to path: String) throws(RestoreFailure) {
        // As for a journal: a limit on the size of files is an error like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        do {
            try checkHeader(of: backup)
        } catch {
            throw RestoreFailure(path: backup, reason: error)
        }
        do {
            try replace(JournalFile.resolved(path), withCopyOf: backup)
        } catch {
            throw error as? RestoreFailure ?? RestoreFailure(path: path, reason: JournalError(error, in: path))
        }
    }

    private static func checkHeader(of backup: String) throws(JournalError) {
        try FileHeader.check(fileAt: backup)
        // Earlier releases wrote a backup under its own name.
        guard !FileManager.default.fileExists(atPath: backup + "-journal") else {
            throw .damaged("it is not complete: the command that wrote it was interrupted")
        }
    }

    /// Replaces a file with a copy of a backup.
    private static func replace(_ path: String, withCopyOf backup: String) throws {
        // Another restore would write into the same copy, also if there is no file yet that could be locked.
        let folderLock = try FileLock(path: JournalFile.folder(of: path))
        defer { folderLock.release() }
        let lock = FileManager.default.fileExists(atPath: path) ? try FileLock(path: path) : nil
        defer { lock?.release() }
        if lock?.covers(backup) == true {
            throw RestoreFailure(path: backup, reason: .unavailable("it is the file that the command replaces"))
        }
        guard lock != nil || !FileManager.default.fileExists(atPath: path + "-wal") else {
            let detail = "the file is missing, but there is a write-ahead log of it; move \(path)-wal away"
            throw JournalError.damaged(detail)
        }
        let copy = path + ".restoring"
        Backup.removeFiles(of: copy)
        defer { Backup.removeFiles(of: copy) }
        do {
            try Backup(of: backup).make(copy)
            try checkPages(of: copy)
        } catch {
            guard case .damaged(let detail) = error else { throw error }
            // The copy has what the backup has.
            throw RestoreFailure(path: backup, reason: .damaged(detail.replacing(copy, with: backup)))
        }
        // Only now: until the copy is good, the file does not change at all.
        let former = try fileSize(path) > 0 ? JournalFile(path: path).generation() : 0
        try raiseGeneration(of: copy, above: former)
        try JournalFile.giveOwner(of: path, to: copy)
        try replace(path, with: copy, lock)
    }

    /// Raises the generation of a copy above that of the file that it will replace.
    private static func raiseGeneration(of copy: String, above former: Int) throws(JournalError) {
        let journal = try SQLiteJournal(path: copy, mustExist: true)
        _ = try wait { journal.raiseGeneration(above: former, completion: $0) }
        try wait { journal.close(completion: $0) }
    }

    /// Reads all pages of a copy, so that a damaged backup is refused before it replaces the file.
    private static func checkPages(of copy: String) throws(JournalError) {
        let db = try JournalFile(path: copy).openForWriting()
        do {
            let result = try db.row("PRAGMA quick_check(1)")?.text(0)
            try db.close()
            guard result == "ok" else { throw JournalError.damaged(result ?? "its pages cannot be checked") }
        } catch {
            throw JournalError(error, in: copy)
        }
    }

    /// Puts a file in the place of a journal's file.
    ///
    /// - Parameter lock: the lock of the journal's file; nil: there was none.
    private static func replace(_ path: String, with copy: String, _ lock: FileLock?) throws(JournalError) {
        guard lock?.covers(path) ?? true, !FileManager.default.fileExists(atPath: path + "-wal") else {
            throw .unavailable("\(path) has been opened by another process")
        }
        // A file that another process has made since is not overwritten.
        let code = lock == nil ? link(copy, path) : rename(copy, path)
        guard code == 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
        try JournalFile.keepName(of: path)
    }

    /// Waits for the completion of a call.
    static func wait<Value: Sendable>(
        _ body: (@escaping JournalCompletion<Value>) -> Void
    ) throws(JournalError) -> Value {
        let result = Lock<Result<Value, JournalError>?>(nil)
        let done = DispatchSemaphore(value: 0)
        body { value in
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let result = result.withLock({ $0 }) else { throw .closed }
        return try result.get()
    }
}

/// Copies a journal's file.
private struct Backup {
    private let source: String

    /// - Parameter source: the journal's file.
    init(of source: String) {
        self.source = JournalFile.resolved(source)
    }

    /// Writes a copy under another name, and gives it its own when it is complete. So an interrupted backup does not look like one.
    func write(to path: String) throws(JournalError) {
        let path = JournalFile.resolved(path)
        let draft = path + ".partial"
        guard !FileManager.default.fileExists(atPath: path) else { throw Self.failure(path, EEXIST) }
        if FileManager.default.fileExists(atPath: draft) {
            // What is left of an interrupted backup, unless another process writes it now.
            let lock = try FileLock(path: draft)
            Self.removeFiles(of: draft)
            lock.release()
        }
        try make(draft)
        defer { unlink(draft) }
        guard link(draft, path) == 0 else { throw Self.failure(path, errno) }
        try JournalFile.keepName(of: path)
    }

    /// Writes a copy into a new file.
    func make(_ copy: String) throws(JournalError) {
        // SQLite writes into an empty file, which has the permissions already: the copy has hashes of tokens.
        let descriptor = open(copy, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(copy, errno) }
        defer { close(descriptor) }
        do {
            let lock = try FileLock(path: copy)
            defer { lock.release() }
            try fill(copy)
            guard fsync(descriptor) == 0 else { throw Self.failure(copy, errno) }
            try JournalFile.keepName(of: copy)
        } catch {
            Self.removeFiles(of: copy)
            throw JournalError(error, in: copy)
        }
    }

    private func fill(_ copy: String) throws {
        let db = try Connection(source, for: .reading)
        db.setCheckpointsOnClose(false)
        // The copy of a file that cannot shrink can. The setting for the copy takes effect, although the same setting for a
        // file that is open for reading is refused.
        try? db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try db.run("VACUUM INTO ?", [.text(copy)])
        try db.close()
    }

    /// Removes a copy, or what is left of one.
    static func removeFiles(of copy: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(copy + suffix) }
    }

    private static func failure(_ path: String, _ code: CInt) -> JournalError {
        .unavailable("\(path): \(String(cString: strerror(code)))")
    }
}

/// Why a backup was not restored.
public struct RestoreFailure: Error, Sendable, CustomStringConvertible {
    /// The file that is the reason: the backup, or the journal's file.
    public let path: String
    /// What is wrong with it.
    public let reason: JournalError

    /// A line for people.
    public var description: String { "\(path): \(reason)" }
}
