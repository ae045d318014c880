import DeckJournal

/// An error of the server or of the connection to it.
struct DatabaseFailure: Error {
    /// The code of five characters (appendix A of PostgreSQL's manual); empty if the server did not answer.
    var code: String
    /// What the server or libpq says, in one line.
    var message: String
    /// Whether the connection cannot be used any more.
    var isConnectionLost: Bool

    /// Whether it is about the data of a statement: data exceptions and violated constraints. An exceeded limit (54) is that of the
    /// queue of notifications.
    var isAboutTheRecord: Bool { ["22", "23"].contains(code.prefix(2)) }

    /// Whether another transaction has held a lock for too long, or waits for one of this transaction.
    var isOfLock: Bool { ["55P03", "40P01"].contains(code) }

    /// Whether the server does not take changes, because another one has become the primary.
    var isOfStandby: Bool { code == "25006" }

    var journalError: JournalError {
        let detail = code.isEmpty ? message : "\(message) (PostgreSQL's code \(code))"
        return switch code {
        case "XX001", "XX002": .damaged(detail)
        default: .unavailable(detail)
        }
    }
}

extension JournalError {
    /// The journal's error for an error that a read or a write has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as JournalError: self = error
        case let error as DatabaseFailure: self = error.journalError
        default: self = .unavailable("\(error)")
        }
    }
}
