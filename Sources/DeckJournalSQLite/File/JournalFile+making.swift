import DeckJournal
import Foundation

extension JournalFile {
    /// What follows the name of a file into which another journal is copied.
    static let importSuffix = ".importing"

    /// Makes the file under another name and then renames it. So it is there whole or not at all, and a file that another
    /// process makes meanwhile is not overwritten.
    func makeIfMissing() throws {
        guard try Self.size(of: path) ?? 0 == 0 else { return }
        // Processes that start together would use the same draft. A folder that may not be read cannot be locked.
        let folderLock = try? FileLock(path: Self.folder(of: path), waits: true)
        defer { folderLock?.release() }
        guard try Self.size(of: path) ?? 0 == 0 else { return }
        guard try Self.size(of: path + "-wal") ?? 0 == 0 else {
            throw JournalError.damaged("it is empty or missing, but there is a write-ahead log of it")
        }
        guard try Self.size(of: path + Self.importSuffix) == nil else {
            throw JournalError.unavailable("another journal is being copied into it; end that with deckd import")
        }
        let draft = path + ".new"
        for file in [draft, draft + "-journal", draft + "-wal", draft + "-shm"] { unlink(file) }
        defer { unlink(draft) }
        try makeEmptyFile(draft)
        try makeTables(draft)
        try publish(draft)
    }

    /// Only the owner may read it: it holds the hashes of tokens. SQLite gives its other files the same permissions.
    private func makeEmptyFile(_ draft: String) throws {
        let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("making \(draft)") }
        close(descriptor)
    }

    private func makeTables(_ draft: String) throws {
        let db = try Connection(draft, for: .writing)
        // This must come before the first table.
        try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try JournalSchema.migrate(db)
        try db.execute("PRAGMA journal_mode = WAL")
        try db.close()
    }

    private func publish(_ draft: String) throws {
        if try Self.size(of: path) == 0 {
            guard rename(draft, path) == 0 else { throw Self.failure("making \(path)") }
        } else {
            guard link(draft, path) == 0 || errno == EEXIST else { throw Self.failure("making \(path)") }
        }
        try Self.keepName(of: path)
    }

    /// Waits until the name of a new file is on the disk. If the folder or the file system does not allow this, the name is
    /// written some time later.
    static func keepName(of path: String) throws(JournalError) {
        let folder = folder(of: path)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 || errno == EACCES else { throw failure("reading \(folder)") }
        defer { close(descriptor) }
        guard descriptor < 0 || fsync(descriptor) == 0 || errno == EINVAL else { throw failure("keeping \(path)") }
    }

    /// Gives a new file the owner of the file that it will replace, so that the server can open it if another user runs the
    /// command. Without such a file, root gives it the owner of the folder.
    static func giveOwner(of path: String, to draft: String) throws(JournalError) {
        var wanted = stat()
        if stat(path, &wanted) != 0 {
            guard geteuid() == 0, stat(folder(of: path), &wanted) == 0 else { return }
        }
        // The group counts for nothing, because only the owner can read the file.
        guard chown(draft, wanted.st_uid, wanted.st_gid) != 0, wanted.st_uid != geteuid() else { return }
        throw .unavailable("\(path) belongs to another user; run the command as that user or as root")
    }

    /// The size of a file in bytes; nil: there is none.
    ///
    /// - Throws: for a device, a pipe or a socket, which would look like an empty file.
    static func size(of path: String) throws -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure("reading \(path)") }
            return nil
        }
        try FileHeader.requireFile(status, at: path)
        return Int(status.st_size)
    }

    private static func failure(_ deed: String) -> JournalError {
        .unavailable("\(deed): \(String(cString: strerror(errno)))")
    }
}
