public import DeckJournal
import Foundation
import Locking

extension SQLiteJournal {
    /// Writes a copy of a journal's file, which another process may be using.
    ///
    /// - Parameters:
    ///   - source: the journal's file.
    ///   - path: a file that does not exist yet. Only its owner can read it.
    public static func backup(of source: String, to path: String) throws(JournalError) {
        try FileHeader.checked(source)
        try Backup(of: source, in: path).write()
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
            try FileHeader.checked(backup)
        } catch {
            throw RestoreFailure(path: backup, reason: error)
        }
        do {
            try replace(JournalFile.resolved(path), withCopyOf: backup)
        } catch {
            throw error as? RestoreFailure ?? RestoreFailure(path: path, reason: JournalError(error, in: path))
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
        let former = try fileSize(path) > 0 ? generation(of: path) : 0
        let copy = path + ".restoring"
        removeFiles(of: copy)
        defer { removeFiles(of: copy) }
        do throws(JournalError) {
            try Backup(of: backup, in: copy).write()
            try checkPages(of: copy)
            try raiseGeneration(of: copy, above: former)
        } catch .damaged(let detail) {
            // The copy has what the backup has.
            throw RestoreFailure(path: backup, reason: .damaged(detail.replacing(copy, with: backup)))
        }
        try JournalFile.giveOwner(of: path, to: copy)
        try replace(path, with: copy, lock)
    }

    /// The generation of a file that this process has locked. Closing it moves the write-ahead log into the file.
    private static func generation(of path: String) throws(JournalError) -> Int {
        let db = try JournalFile(path: path).openForWriting()
        do {
            let generation = try Tally(db).generation
            db.setCheckpointsOnClose(true)
            try db.close()
            return generation
        } catch {
            throw JournalError(error, in: path)
        }
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

    /// Removes a copy, or what is left of one.
    private static func removeFiles(of copy: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
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

extension FileHeader {
    /// Refuses a file that is not a journal which this version can read.
    fileprivate static func checked(_ path: String) throws(JournalError) {
        do {
            try FileHeader(path: path).check(path)
        } catch {
            throw error as? JournalError ?? .unavailable("\(path): \(error)")
        }
    }
}

/// A copy of a journal's file.
private struct Backup {
    let source: String
    let path: String

    init(of source: String, in path: String) {
        self.source = source
        self.path = path.hasPrefix("/") ? path : "./" + path
    }

    func write() throws(JournalError) {
        // SQLite writes into an empty file, which has the permissions already: the copy has hashes of tokens.
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        do {
            try copy()
            guard fsync(descriptor) == 0 else {
                throw JournalError.unavailable("\(path): \(String(cString: strerror(errno)))")
            }
            try JournalFile.keepName(of: path)
        } catch {
            unlink(path)
            throw JournalError(error, in: path)
        }
    }

    private func copy() throws {
        let db = try Connection(source, for: .reading)
        db.setCheckpointsOnClose(false)
        // The copy of a file that cannot shrink can. The setting for the copy takes effect, although the same setting for a
        // file that is open for reading is refused.
        try? db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try db.run("VACUUM INTO ?", [.text(path)])
        try db.close()
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
