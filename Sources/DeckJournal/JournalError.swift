/// Why a journal did not do what it was asked for; whatever it was, it has changed nothing.
public enum JournalError: Error, Sendable, Hashable {
    /// It cannot be done now, later it may: the disk is full, or an operation on it failed.
    case unavailable(String)
    /// What is to be changed is not what the caller takes it for. `current` is its version or revision now; nil: there
    /// is none, or not any more.
    case versionConflict(current: Int?)
    /// A request with the same idempotency key was answered already.
    case alreadyAnswered
    /// The session's owner has as many as it may have.
    case ownerFull(limit: Int)
    /// What is stored cannot be read. Nothing more is written, so that what can be saved stays so.
    case damaged(String)
    /// The file is another program's.
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
        case .unavailable(let detail): "The journal cannot be used now: \(detail)."
        case .versionConflict(let current?): "The journal has version \(current), which is not the expected one."
        case .versionConflict(nil): "The journal has no such thing, or not any more."
        case .alreadyAnswered: "A request with the same idempotency key was answered already."
        case .ownerFull(let limit): "The session's owner has \(limit) already, which is as many as it may have."
        case .damaged(let detail): "The journal is damaged: \(detail). Nothing is written to it any more."
        case .foreign(let detail): "The file is no journal: \(detail). It was left as it is."
        case .unsupportedFormat(let version):
            "The journal has format \(version), which only a later version of deckd can read. It was left as it is."
        case .closed: "The journal is closed."
        }
    }
}
