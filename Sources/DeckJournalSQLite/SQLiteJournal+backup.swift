public import DeckJournal
import Foundation
import Locking

extension SQLiteJournal {
    /// Writes a copy of the file. It is made on a separate thread in one read transaction, so changes continue meanwhile.
    public func backup(to path: String, completion: @escaping JournalCompletion<Void>) {
        guard !writer.inbox.refuses else { return completion(.failure(.closed)) }
        let source = writer.path
        startThread("journal backup") {
            completion(Result { () throws(JournalError) in try Backup(of: source, in: path).write() })
        }
    }

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
    public static func restore(_ backup: String, to path: String) throws(JournalError) {
        try FileHeader.checked(backup)
        let former = FileManager.default.fileExists(atPath: path) ? try generation(of: path) : 0
        let copy = path + ".restoring"
        unlink(copy)
        try Backup(of: backup, in: copy).write()
        do throws(JournalError) {
            let journal = try SQLiteJournal(path: copy)
            _ = try wait { journal.raiseGeneration(above: former, completion: $0) }
            try wait { journal.close(completion: $0) }
            try giveOwner(of: path, to: copy)
            try replace(path, with: copy)
        } catch {
            for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
            throw error
        }
    }

    /// The generation of a journal that no process uses. Closing it moves the write-ahead log into its file.
    private static func generation(of path: String) throws(JournalError) -> Int {
        let journal = try SQLiteJournal(path: path)
        let generation = journal.statistics.generation
        try wait { journal.close(completion: $0) }
        return generation
    }

    /// Gives a copy the owner of the file that it will replace, so that the server can open it if another user runs the command.
    /// Without such a file, root gives it the owner of the folder.
    private static func giveOwner(of path: String, to copy: String) throws(JournalError) {
        var wanted = stat()
        if stat(path, &wanted) != 0 {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            guard geteuid() == 0, stat(folder, &wanted) == 0 else { return }
        }
        // The group counts for nothing, because only the owner can read the file.
        guard chown(copy, wanted.st_uid, wanted.st_gid) != 0, wanted.st_uid != geteuid() else { return }
        throw .unavailable("\(path) belongs to another user, who must restore it, or root")
    }

    /// Puts a file in the place of a journal's file.
    private static func replace(_ path: String, with copy: String) throws(JournalError) {
        let lock = FileManager.default.fileExists(atPath: path) ? try FileLock(path: path) : nil
        defer { lock?.release() }
        guard !FileManager.default.fileExists(atPath: path + "-wal") else {
            throw .unavailable("\(path) has been opened by another process")
        }
        guard rename(copy, path) == 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
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
