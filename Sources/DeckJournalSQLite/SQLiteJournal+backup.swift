import DeckJournal
import Foundation
import Locking

extension SQLiteJournal {
    /// Writes a copy of a journal's file, which another process may be using.
    ///
    /// - Parameters:
    ///   - source: the journal's file.
    ///   - path: a file that does not exist yet. Only its owner can read it. It gets this name when it is complete; until then its
    ///     name is followed by `.partial`.
    public static func backup(of source: String, to path: String) throws(CopyFailure) {
        do {
            try FileHeader.check(fileAt: source)
        } catch {
            throw CopyFailure(path: source, error)
        }
        try FileCopy(of: source).write(to: path)
    }

    /// Replaces a journal's file with a copy that `backup` wrote. No process may use the file. Afterwards every revision,
    /// cursor and deck revision is greater than all that either file has.
    ///
    /// - Parameters:
    ///   - backup: the copy. It is not changed.
    ///   - path: the journal's file; it may not exist yet. Its owner stays the same, and only its owner can read it.
    public static func restore(_ backup: String, to path: String) throws(CopyFailure) {
        try restore(backup, to: path, at: .now())
    }

    /// - Parameter time: the time of the calendar, which raises the generation even if the file was lost.
    static func restore(_ backup: String, to path: String, at time: WallTime) throws(CopyFailure) {
        // As for a journal: a limit on the size of files is an error like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        do {
            try checkHeader(of: backup)
        } catch {
            throw CopyFailure(path: backup, error)
        }
        do {
            try replace(JournalFile.resolved(path), withCopyOf: backup, at: time)
        } catch {
            throw error as? CopyFailure ?? CopyFailure(path: path, JournalError(error, in: path))
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
    private static func replace(_ path: String, withCopyOf backup: String, at time: WallTime) throws {
        // Another restore would write into the same copy, also if there is no file yet that could be locked.
        let folderLock = try FileLock(path: JournalFile.folder(of: path))
        defer { folderLock.release() }
        let lock = try JournalFile.size(of: path) == nil ? nil : FileLock(path: path)
        defer { lock?.release() }
        if lock?.covers(backup) == true {
            throw CopyFailure(path: backup, JournalError.unavailable("it is the file that the command replaces"))
        }
        guard lock != nil || !FileManager.default.fileExists(atPath: path + "-wal") else {
            let detail = "the file is missing, but there is a write-ahead log of it; move \(path)-wal away"
            throw JournalError.damaged(detail)
        }
        let copy = path + ".restoring"
        try FileCopy(of: backup).make(copy)
        defer { FileCopy.removeFiles(of: copy) }
        do {
            try checkPages(of: copy)
        } catch {
            // The copy has what the backup has.
            throw CopyFailure(ofCopy: copy, of: backup, error)
        }
        // Only now: until the copy is good, the file does not change at all.
        let former = try JournalFile.size(of: path) ?? 0 > 0 ? JournalFile(path: path).readGeneration() : 0
        try raiseGeneration(of: copy, above: max(former, Generation.elapsed(at: time)))
        try JournalFile(path: copy).moveLogIntoFile()
        try JournalFile.giveOwner(of: path, to: copy)
        try move(copy, to: path, lock)
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

    /// Puts a complete copy in the place of a journal's file.
    ///
    /// - Parameter lock: the lock of the journal's file; nil: there was none.
    private static func move(_ copy: String, to path: String, _ lock: FileLock?) throws {
        guard lock?.covers(path) ?? true, !FileManager.default.fileExists(atPath: path + "-wal") else {
            throw JournalError.unavailable("\(path) has been opened by another process")
        }
        guard lock != nil else { return try FileCopy.publish(copy, as: path) }
        guard rename(copy, path) == 0 else { throw CopyFailure(path: path, code: errno) }
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
