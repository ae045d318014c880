import CSQLite
import DeckJournal
import Foundation
import GRDB

/// The file of a journal: how it comes to be, and how it is opened without harm to a file that is something else.
struct JournalFile {
    /// Where it is. It never looks like one of the names that SQLite gives another meaning to.
    let path: String
    /// How many pages of the write-ahead log bring about that it is moved into the file.
    let pagesToCheckpoint: Int
    /// The number of entries above which their sessions' heads are moved into the sessions' rows.
    let foldLimit: (entries: Int, bytes: Int)
    /// How large the write-ahead log may become before it is truncated.
    let logLimit: Int
    /// How long SQLite waits for another connection's lock.
    static let busyMilliseconds = 5000

    private static let largestRewrittenPageCount = 16_384

    init(path: String, pagesToCheckpoint: Int, foldLimit: (entries: Int, bytes: Int), logLimit: Int) {
        self.logLimit = logLimit
        self.foldLimit = foldLimit
        self.path = path.hasPrefix("/") ? path : "./" + path
        self.pagesToCheckpoint = pagesToCheckpoint
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
    func openForWriting() throws(JournalError) -> DatabaseQueue {
        do {
            try FileHeader(path: path).check(path)
            let queue = try DatabaseQueue(path: path, configuration: configuration(isReadonly: false))
            try queue.inDatabase { db in
                try check(db)
                try setUp(db)
            }
            try migrate(queue)
            try queue.inDatabase { db in try checkTables(db) }
            return queue
        } catch {
            throw JournalError(error, in: path)
        }
    }

    /// Opens the file, which is open for writing already, once more for reading.
    func openForReading() throws(JournalError) -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: path, configuration: configuration(isReadonly: true))
        } catch {
            throw JournalError(error, in: path)
        }
    }

    private func configuration(isReadonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = isReadonly
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(Double(Self.busyMilliseconds) / 1000)
        configuration.prepareDatabase { db in
            // A damaged or foreign file must not be changed, and closing it would write to it.
            setCheckpointsOnClose(false, db)
            try db.execute(sql: "PRAGMA cache_size = \(isReadonly ? -2048 : -8192)")
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Checks values of the file's header that the write-ahead log may have changed.
    private func check(_ db: Database) throws {
        let header = try FileHeader(
            applicationID: Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
            format: Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        )
        try header.check(path)
        guard try !JournalSchema.migrator.hasBeenSuperseded(db) else {
            throw JournalError.unsupportedFormat(version: header.format)
        }
    }

    /// Brings a file of an earlier format up to date.
    ///
    /// Such a file cannot shrink. A small one is rewritten so that it can; that of a large one would take too long, so
    /// it only uses its free pages again. A backup of it can shrink.
    private func migrate(_ queue: DatabaseQueue) throws {
        guard try !queue.read(JournalSchema.migrator.hasCompletedMigrations) else { return }
        try JournalSchema.migrator.migrate(queue)
        try queue.inDatabase { db in
            let pageCount = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            guard pageCount <= Self.largestRewrittenPageCount else { return }
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try db.execute(sql: "VACUUM")
        }
    }

    /// The memory for the pages that the writer used last. Rows of many sessions are changed in turn.
    private static let cacheKibibytes = 32_768

    private func setUp(_ db: Database) throws {
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw JournalError.unavailable("\(path): this file system cannot hold a write-ahead log")
        }
        try Fence.makeDurable(db, pagesToCheckpoint: pagesToCheckpoint)
        try db.execute(sql: "PRAGMA journal_size_limit = \(64 << 20)")
        try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibytes)")
    }

    private func checkTables(_ db: Database) throws {
        for table in JournalSchema.tables where try !db.tableExists(table) {
            throw JournalError.damaged("there is no table \(table)")
        }
        _ = try Tally(db)
    }
}

/// Sets whether closing the last connection moves the write-ahead log's content into the file.
func setCheckpointsOnClose(_ isEnabled: Bool, _ db: Database) {
    guard let connection = db.sqliteConnection else { return }
    _ = csqlite_set_checkpoints_on_close(connection, isEnabled ? 1 : 0)
}
