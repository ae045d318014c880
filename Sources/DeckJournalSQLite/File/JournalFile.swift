import DeckJournal
import Foundation

/// The file of a journal: how it comes to be, and how it is opened without harm to a file that is something else.
struct JournalFile {
    /// Where it is, without symbolic links: SQLite names the write-ahead log by this path. It never looks like one of the names
    /// that SQLite gives another meaning to.
    let path: String
    /// After how many pages the write-ahead log is moved into the file.
    let pagesToCheckpoint: Int
    /// What may be left before the fold begins if few sessions have changed.
    let foldLimit: FoldLimit
    /// How large the write-ahead log may become before it is truncated.
    let logLimit: Int

    private static let largestRewrittenPageCount = 16_384

    init(path: String, pagesToCheckpoint: Int, foldLimit: FoldLimit, logLimit: Int) {
        self.logLimit = logLimit
        self.foldLimit = foldLimit
        self.path = Self.resolved(path)
        self.pagesToCheckpoint = pagesToCheckpoint
    }

    /// A file that is not served: one that is copied or replaced.
    init(path: String) {
        self.init(
            path: path,
            pagesToCheckpoint: 2000,
            foldLimit: FoldLimit(entries: 0, bytes: 0),
            logLimit: 64 << 20
        )
    }

    /// Makes the file if there is none, and keeps it for this process for as long as the lock lives.
    func lock() throws(JournalError) -> FileLock {
        do {
            try makeIfMissing()
        } catch {
            throw JournalError(error, in: path)
        }
        return try FileLock(path: path)
    }

    /// Opens the file for writing.
    func openForWriting() throws(JournalError) -> Connection {
        do {
            try FileHeader(path: path).refuseForeign(path)
            try checkPermissions()
            let db = try open(for: .writing, cacheKibibytes: Self.writerCacheKibibytes)
            try check(db)
            try setUp(db)
            try JournalSchema.migrate(db)
            try checkTables(db)
            return db
        } catch {
            throw JournalError(error, in: path)
        }
    }

    /// The generation of a file of any format, which is not migrated. Its write-ahead log is moved into it. No other process may use
    /// the file.
    func readGeneration() throws(JournalError) -> Int {
        do {
            try FileHeader(path: path).refuseForeign(path)
            try checkPermissions()
            let db = try open(for: .writing, cacheKibibytes: 2048)
            try check(db)
            // Files of early formats have none.
            let column = try db.row("SELECT 1 FROM pragma_table_info('tally') WHERE name = 'generation'")
            let generation = try column == nil ? 0 : db.integer("SELECT generation FROM tally") ?? 0
            db.setCheckpointsOnClose(true)
            try db.close()
            return generation
        } catch {
            throw JournalError(error, in: path)
        }
    }

    /// Moves the write-ahead log of a file of the latest format into the file, which is complete without it then. No other process may
    /// use the file.
    ///
    /// SQLite does this when a file is closed, too, but does not report a failure then, for example if the disk is full.
    func moveLogIntoFile() throws(JournalError) {
        let db = try openForWriting()
        do {
            try Self.moveLogIntoFile(db, path)
            try db.close()
        } catch {
            throw JournalError(error, in: path)
        }
    }

    static func moveLogIntoFile(_ db: Connection, _ path: String) throws {
        let isBusy = try db.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
        guard !isBusy else { throw JournalError.unavailable("another program reads \(path)") }
    }

    /// Opens the file, which is open for writing already, once more for reading.
    func openForReading() throws(JournalError) -> Connection {
        do {
            return try open(for: .reading, cacheKibibytes: 2048)
        } catch {
            throw JournalError(error, in: path)
        }
    }

    private func open(for access: Connection.Access, cacheKibibytes: Int) throws -> Connection {
        let db = try Connection(path, for: access)
        // A damaged or foreign file must not be changed, and closing it would write to it.
        db.setCheckpointsOnClose(false)
        try db.execute("PRAGMA cache_size = -\(cacheKibibytes)")
        try db.execute("PRAGMA temp_store = MEMORY")
        return db
    }

    /// Refuses a file that may not be written. SQLite would open it for reading and give its other files the same permissions, and
    /// nothing could be written even after the file's were corrected.
    private func checkPermissions() throws {
        for file in [path, path + "-wal", path + "-shm"] {
            guard access(file, W_OK) == 0 || errno == ENOENT else {
                throw JournalError.unavailable("\(file): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Checks values of the file's header that the write-ahead log may have changed.
    private func check(_ db: Connection) throws {
        let header = try FileHeader(
            applicationID: db.integer("PRAGMA application_id") ?? 0,
            format: JournalSchema.format(of: db)
        )
        try header.refuseForeign(path)
    }

    /// Rebuilds a file so that it can shrink, if it cannot: releases with the formats 1 to 3 made such files. That of a large file
    /// would take too long, so it only uses its free pages again. A backup of it can shrink.
    ///
    /// Fails if the disk has no room for it. The file is as before then, and can be used.
    static func makeShrinkable(_ db: Connection) throws {
        guard try db.integer("PRAGMA auto_vacuum") == 0 else { return }
        guard try db.integer("PRAGMA page_count") ?? 0 <= largestRewrittenPageCount else { return }
        try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try db.execute("VACUUM")
    }

    /// The memory for the pages that the writer used last. Rows of many sessions are changed in turn.
    private static let writerCacheKibibytes = 32_768

    private func setUp(_ db: Connection) throws {
        let mode = try db.row("PRAGMA journal_mode = WAL")?.text(0)
        guard mode == "wal" else {
            throw JournalError.unavailable("\(path): this file system cannot hold a write-ahead log")
        }
        try Fence.makeDurable(db, pagesToCheckpoint: pagesToCheckpoint)
        try db.execute("PRAGMA journal_size_limit = \(64 << 20)")
    }

    private func checkTables(_ db: Connection) throws {
        for table in JournalSchema.tables where try !db.hasTable(table) {
            throw JournalError.damaged("there is no table \(table)")
        }
        _ = try Tally(db)
    }
}
