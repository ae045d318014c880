public import DeckEngine
public import DeckJournal
public import DeckWire

/// Why an operation of the host failed. The session has not changed, except that after `journal(.unknown)` the change may have been
/// saved.
///
/// The cases are indirect, because a `Result` has room for the largest error even when there is none.
public indirect enum HostError: Error, Sendable, Equatable {
    /// The journal did not save or find something.
    case journal(JournalError)
    /// Stored data cannot be read. The string is a sentence with the reason.
    case unreadable(String)
    /// There is no session with this id.
    case notFound
    /// The session has ended.
    case ended
    /// The operation's condition excludes the session's version.
    case preconditionFailed(CurrentSession)
    /// Another operation with this idempotency key has no outcome yet.
    case keyInUse(String)
    /// The idempotency key came with another request before.
    case keyReused(String)
    /// The event at this JSON pointer has a time before the one that it follows.
    case timeRunsBackwards(pointer: String, former: Instant)
    /// The event at this JSON pointer has a time after now, on a clock that runs by itself.
    case timeInTheFuture(pointer: String, now: Instant)
    /// The request does not fit the session.
    case invalid(WireError)
    /// A player may not do what the place with this JSON pointer asks for.
    case notAllowedForPlayers(pointer: String, detail: String)
    /// The session's cards would have more bytes than a session may have.
    case tooManyCardBytes(limit: Int)
    /// The session's requests have cost too much of late for one of this cost.
    case rateLimited(cost: Int, CostLimit, TokenBucket.Left)
    /// The request costs more than a session may ever cost at once.
    case tooExpensive(cost: Int, limit: Int)
    /// The session changed each time the host was about to complete the operation.
    case contended
    /// A moment was requested of a session that is not recorded and has no manual clock.
    case notRecorded
    /// The moment lies before the last event's time, and the session does not record.
    case momentPassed(last: Instant)
    /// The moment lies after now, on a clock that runs by itself.
    case momentToCome
    /// The log ends before the moment, because it was full.
    case logEnded
    /// The log has lost the lines of the moment, because of their age.
    case logForgotten
    /// Too many requests wait for a thread.
    case overloaded
    /// The maximum number of logs is being replayed, in all or of the session.
    case tooManyReplays
}

/// A session at the moment at which its version was compared.
public struct CurrentSession: Sendable, Equatable {
    /// The session's id.
    public let id: String
    /// The session as its last event left it.
    public let session: DeckSession
    /// The time at which it is read.
    public let time: Instant
}
