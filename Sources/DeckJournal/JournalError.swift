/// The reason why a call of the journal failed. Except after `unknown`, nothing has changed.
public enum JournalError: Error, Sendable, Hashable {
    /// The session's head is not the expected revision. `current` is the head's revision; nil if there is no such
    /// session or it has ended.
    case conflict(current: Revision?)
    /// The deck is not the expected one. `current` is its revision; nil if there is no such deck.
    case deckConflict(current: Int?)
    /// It cannot be done now, but possibly later: the queue is full, the disk is full, or an operation on it failed.
    case unavailable(String)
    /// The change may or may not have happened. Load the session and compare its nonce, or append the same entry again.
    case unknown(String)
    /// A request with the same idempotency key was answered already.
    case alreadyAnswered
    /// There are as many sessions as allowed.
    case full(limit: Int)
    /// The session's owner has as many sessions as allowed.
    case ownerFull(limit: Int)
    /// The session's family has as many copies as allowed.
    case familyFull(limit: Int)
    /// The stored data cannot be read. Nothing more is written, so that what can be saved is not lost.
    case damaged(String)
    /// The file belongs to another program.
    case foreign(String)
    /// The file was written by a later version of this program.
    case unsupportedFormat(version: Int)
    /// The journal has been closed.
    case closed
}

extension JournalError: CustomStringConvertible {
    /// A sentence for the log.
    public var description: String {
        switch self {
        case .conflict(let current?): "The session is at revision \(current), which is not the expected one."
        case .conflict(nil): "There is no such session, or it has ended."
        case .deckConflict(let current?): "The deck is at revision \(current), which is not the expected one."
        case .deckConflict(nil): "There is no deck with this id."
        case .unavailable(let detail): "The journal is unavailable: \(detail)."
        case .unknown(let detail): "The change may or may not have been saved: \(detail)."
        case .alreadyAnswered: "A request with the same idempotency key was answered already."
        case .full(let limit): "There are \(limit) sessions already, which is the limit."
        case .familyFull(let limit): "There are \(limit) copies of the session already, which is the limit."
        case .ownerFull(let limit): "The session's owner has \(limit) sessions already, which is the limit."
        case .damaged(let detail): "The journal is damaged: \(detail). Nothing more is written to it."
        case .foreign(let detail): "The file is not a journal: \(detail). It was not changed."
        case .unsupportedFormat(let version):
            "The journal has format \(version), which only a later version of deckd can read. It was not changed."
        case .closed: "The journal is closed."
        }
    }
}
