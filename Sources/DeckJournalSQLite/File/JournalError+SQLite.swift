import DeckJournal
import GRDB

extension JournalError {
    /// What an error that reading or writing the file threw means to the journal's user.
    init(_ error: any Error, in path: String) {
        switch error {
        case JournalError.damaged(let detail): self = .damaged("\(path): \(detail)")
        case let error as JournalError: self = error
        case let error as DatabaseError: self.init(error, in: path)
        default: self = .unavailable("\(path): \(error)")
        }
    }

    private init(_ error: DatabaseError, in path: String) {
        let code = error.extendedResultCode.rawValue
        let detail = "\(path): \(error.message ?? "no detail is known") (SQLite's code \(code))"
        self = error.tellsOfDamage ? .damaged(detail) : .unavailable(detail)
    }
}

extension DatabaseError {
    var tellsOfDamage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: true
        default: extendedResultCode == .SQLITE_IOERR_CORRUPTFS
        }
    }

    /// Whether the error is about the data that was written, and not about the file.
    var isAboutTheRecord: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_ERROR: true
        default: false
        }
    }
}
