import DeckJournal

extension JournalError {
    /// What an error that reading or writing the file threw means to the journal's user.
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
