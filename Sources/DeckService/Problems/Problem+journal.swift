import DeckJournal

extension Problem {
    /// What a client is told when the journal did not do what it was asked for.
    init(_ error: JournalError) {
        if case .ownerFull(let limit) = error {
            self.init(.tooManySessionsOfKey, "The API key has \(limit) sessions, which is as many as it may have.")
        } else {
            self.init(.journalUnavailable, error.summary)
            cause = "\(error)"
        }
    }
}

extension JournalError {
    /// What anybody may know of it: where the file is, and what the disk said, is for the log.
    var summary: String {
        switch self {
        case .unavailable, .foreign, .unsupportedFormat: "The journal cannot be used now; the server's log says why."
        case .damaged: "The journal is damaged and not written to any more; the server's log says where."
        case .versionConflict, .alreadyAnswered, .ownerFull, .closed: description
        }
    }
}

extension Result {
    /// The value, or the problem that its absence makes.
    func found() throws(Problem) -> Success where Failure == JournalError {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw Problem(error)
        }
    }

    /// Another value in place of this one.
    func found<Other>(_ other: Other) throws(Problem) -> Other where Failure == JournalError {
        _ = try found()
        return other
    }
}
