/// A session as the last commit left it.
public struct StoredSession: Sendable, Hashable {
    /// What never changes of it.
    public var identity: SessionIdentity
    /// Its version.
    public var version: Int
    /// The session as it is.
    public var snapshot: [UInt8]
    /// Its cards, where it has cards of its own.
    public var cards: [UInt8]?
    /// How long its log is.
    public var logSize: LogSize
    /// When it was created, last committed or touched.
    public var lastActiveAt: WallTime

    /// Creates a session.
    public init(
        identity: SessionIdentity,
        version: Int,
        snapshot: [UInt8],
        cards: [UInt8]?,
        logSize: LogSize,
        lastActiveAt: WallTime
    ) {
        self.identity = identity
        self.version = version
        self.snapshot = snapshot
        self.cards = cards
        self.logSize = logSize
        self.lastActiveAt = lastActiveAt
    }
}

/// What a journal knows of a session's id.
public enum SessionFinding: Sendable, Hashable {
    /// The session.
    case session(StoredSession)
    /// There was one, and it was ended or has expired.
    case ended
    /// There never was one.
    case unknown
}

/// What came of ending a session.
public enum SessionEnding: Sendable, Hashable {
    /// It has ended now.
    case ended
    /// It had ended before.
    case hadEnded
    /// There never was one.
    case unknown
}
