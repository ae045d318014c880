import DeckJournal
import Foundation

/// Keeps the database file small.
enum FileChores {
    /// How many free pages the file may have, beside one in twenty of all.
    private static let freePages = 256
    private static let pagesPerStep = 64

    /// Returns whether there is more to do.
    static func run(_ work: WriterWork, _ writer: Writer, _ pageCount: inout Int) throws -> Bool {
        pageCount = try work.db.integer("PRAGMA page_count") ?? 0
        let free = try work.db.integer("PRAGMA freelist_count") ?? 0
        guard free > freePages + pageCount / 20, writer.canShrink else { return false }
        try work.db.execute("PRAGMA incremental_vacuum(\(pagesPerStep))")
        return true
    }
}

/// The size of a file in bytes; 0 if there is none.
func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
