import DeckJournal

extension JournalError {
    /// The journal's error for an error that a read or a write of the file has thrown.
    init(_ error: any Error, in path: String) {
        switch error {
        case JournalError.damaged(let detail): self = .damaged("\(path): \(detail)")
        case let error as JournalError: self = error
        case let error as SQLiteError: self.init(error, in: path)
        default: self = .unavailable("\(path): \(error)")
        }
    }

    private init(_ error: SQLiteError, in path: String) {
        let detail = "\(path): \(error.message) (SQLite's code \(error.code))"
        self = error.tellsOfDamage ? .damaged(detail) : .unavailable(detail)
    }
}
