import DeckJournal

extension Problem {
    /// The problem that a client gets for an error of the journal.
    init(_ error: JournalError) {
        switch error {
        case .full: self.init(.tooManySessions, "The server has the maximum number of sessions.")
        case .ownerFull(let limit):
            self.init(.tooManySessionsOfKey, "The API key has \(limit) sessions, which is the maximum.")
        case .familyFull(let limit):
            self.init(.tooManyCopies, "The session has \(limit) copies, which is the maximum.")
        default:
            self.init(.journalUnavailable, error.summary)
            cause = "\(error)"
        }
    }
}

extension JournalError {
    /// The public part of the error. The file's path and the system's message are only in the log.
    var summary: String {
        switch self {
        case .unavailable, .foreign, .unsupportedFormat: "The journal is unavailable; the server's log has the reason."
        case .unknown: "The journal did not confirm the change; the server's log has the reason."
        case .damaged: "The journal is damaged and read-only; the server's log has the place."
        case .conflict, .deckConflict, .alreadyAnswered, .full, .ownerFull, .familyFull, .closed: description
        }
    }
}

extension Result {
    /// The value. An error is thrown as a problem.
    func getOrProblem() throws(Problem) -> Success where Failure == JournalError {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw Problem(error)
        }
    }
}
