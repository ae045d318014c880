import DeckJournal
import Foundation

/// Copies a journal's file, which another process may be using.
struct FileCopy {
    private let source: String

    /// - Parameter source: the journal's file.
    init(of source: String) {
        self.source = JournalFile.resolved(source)
    }

    /// Writes a copy under another name, and gives it its own when it is complete. So an interrupted backup does not look like one.
    func write(to path: String) throws(CopyFailure) {
        let path = JournalFile.resolved(path)
        let draft = path + ".partial"
        // Checked here, too, so that a long copy is not made in vain.
        guard !FileManager.default.fileExists(atPath: path) else { throw CopyFailure(path: path, code: EEXIST) }
        try make(draft)
        defer { unlink(draft) }
        try Self.publish(draft, as: path)
    }

    /// Writes a copy into a new file. First removes what an interrupted command has left under its name.
    func make(_ copy: String) throws(CopyFailure) {
        try removeRemains(of: copy)
        // SQLite writes into an empty file, which has the permissions already: the copy has hashes of tokens.
        let descriptor = open(copy, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CopyFailure(path: copy, code: errno) }
        defer { close(descriptor) }
        do {
            let lock = try FileLock(path: copy)
            defer { lock.release() }
            let db = try openSource()
            try db.run("VACUUM INTO ?", [.text(copy)])
            try db.close()
            guard fsync(descriptor) == 0 else { throw CopyFailure(path: copy, code: errno) }
            try JournalFile.keepName(of: copy)
        } catch {
            Self.removeFiles(of: copy)
            throw error as? CopyFailure ?? CopyFailure(ofCopy: copy, of: source, JournalError(error, in: copy))
        }
    }

    /// Opens the source and reads from it, so that a later error is about the copy, unless it says that data is damaged.
    private func openSource() throws(CopyFailure) -> Connection {
        do {
            let db = try Connection(source, for: .reading)
            db.setCheckpointsOnClose(false)
            _ = try db.integer("SELECT COUNT(*) FROM sqlite_schema")
            // The copy of a file that cannot shrink can. The setting for the copy takes effect, although the same setting for a
            // file that is open for reading is refused.
            try? db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            return db
        } catch {
            throw CopyFailure(path: source, JournalError(error, in: source))
        }
    }

    /// Removes what an interrupted command has left. The source itself, a file that is in use, and a file that is something else stay.
    private func removeRemains(of copy: String) throws(CopyFailure) {
        guard FileManager.default.fileExists(atPath: copy) else { return }
        do {
            let lock = try FileLock(path: copy)
            defer { lock.release() }
            guard try !lock.covers(source) && FileHeader.canBeOfCopy(copy) else {
                throw CopyFailure(path: copy, code: EEXIST)
            }
            Self.removeFiles(of: copy)
        } catch {
            throw error as? CopyFailure ?? CopyFailure(path: copy, JournalError(error, in: copy))
        }
    }

    /// Gives a complete copy its name. A file that has this name already stays.
    ///
    /// An empty file reserves the name, because some file systems have neither links nor a way to rename that replaces nothing.
    static func publish(_ copy: String, as path: String) throws(CopyFailure) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CopyFailure(path: path, code: errno) }
        close(descriptor)
        do {
            // A server that has found the empty file meanwhile has made a journal of it.
            let lock = try FileLock(path: path)
            defer { lock.release() }
            guard rename(copy, path) == 0 else {
                let code = errno
                unlink(path)
                throw CopyFailure(path: path, code: code)
            }
            try JournalFile.keepName(of: path)
        } catch {
            throw error as? CopyFailure ?? CopyFailure(path: path, JournalError(error, in: path))
        }
    }

    /// Removes a copy, or what is left of one.
    static func removeFiles(of copy: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(copy + suffix) }
    }
}

/// Why a journal's file was not copied or replaced.
public struct CopyFailure: Error, Sendable, CustomStringConvertible {
    /// The file that is the reason: the one that is copied, or one that is written.
    public let path: String
    /// What is wrong with it, as a sentence.
    public let reason: String

    init(path: String, _ error: JournalError) {
        self.path = path
        reason = "\(error)"
    }

    /// - Parameter code: that of the system, such as `EEXIST`.
    init(path: String, code: CInt) {
        self.path = path
        reason = "\(String(cString: strerror(code)))."
    }

    /// - Parameters:
    ///   - copy: the file that was written.
    ///   - source: the file that is copied. If the copy is damaged, this file is.
    init(ofCopy copy: String, of source: String, _ error: JournalError) {
        if case .damaged(let detail) = error {
            self.init(path: source, .damaged(detail.replacing(copy, with: source)))
        } else {
            self.init(path: copy, error)
        }
    }

    /// A line for people.
    public var description: String { "\(path): \(reason)" }
}
