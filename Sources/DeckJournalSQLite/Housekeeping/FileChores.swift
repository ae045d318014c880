import CSQLite
import DeckJournal
import Foundation
import GRDB

/// Keeps the database file small.
enum FileChores {
    /// How many free pages the file may have, beside one in twenty of all.
    private static let freePages = 256
    private static let pagesPerStep = 64

    /// Returns whether there is more to do.
    static func run(_ work: WriterWork, _ writer: Writer, _ pageCount: inout Int) throws -> Bool {
        pageCount = try Int.fetchOne(work.db.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        let free = try Int.fetchOne(work.db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
        guard free > freePages + pageCount / 20, writer.canShrink else { return false }
        try work.execute("PRAGMA incremental_vacuum(\(pagesPerStep))")
        return true
    }
}

extension WriterWork {
    /// Runs a statement to its end and drops its rows.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
        guard code != SQLITE_OK else { return }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: sql)
    }
}

/// The size of a file in bytes; 0 if there is none.
func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
