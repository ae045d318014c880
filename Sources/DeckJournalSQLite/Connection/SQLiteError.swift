import CSQLite

/// An error that SQLite reported.
struct SQLiteError: Error {
    /// The extended result code; https://www.sqlite.org/rescode.html.
    var code: Int32
    var message: String

    /// The class of the code, which is its lowest byte.
    private var primaryCode: Int32 { code & 0xFF }

    var tellsOfDamage: Bool {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB: true
        default: code == csqlite_ioerr_corruptfs
        }
    }

    /// Whether the error is about the data that was written, and not about the file.
    var isAboutTheRecord: Bool {
        switch primaryCode {
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_ERROR: true
        default: false
        }
    }

    /// Whether the error means that the end of the transaction was not written.
    var isIncompleteWrite: Bool {
        primaryCode == SQLITE_FULL || code == csqlite_ioerr_write
    }
}
