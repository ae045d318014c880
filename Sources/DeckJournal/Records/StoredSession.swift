/// A session as its last entry left it.
public struct StoredSession: Sendable, Hashable {
    /// The properties that never change.
    public var identity: SessionIdentity
    /// The revision of its head, which is its last entry or its creation.
    public var revision: Revision
    /// The journal's generation when the session was loaded.
    public var generation: Int
    /// The nonce of its head.
    public var headNonce: UInt64
    /// Its version.
    public var version: Int
    /// Its state, without its cards and its parts.
    public var state: [UInt8]
    /// The newest parts of its state, in order: as many as its head needs.
    public var parts: [[UInt8]]
    /// Its last notifications, oldest first, at most `SessionLimits.notifications`.
    public var notifications: [[UInt8]]
    /// Its cards; nil if no cards are stored for it.
    public var cards: StoredCards?
    /// The size of its log, removed lines included.
    public var logSize: LogSize
    /// When it was created, changed or touched last.
    public var lastActiveAt: WallTime
    /// The keys that were answered last, oldest first, at most `SessionLimits.answers` and none beyond its age.
    public var answeredKeys: [String]

    /// Creates a session.
    public init(
        identity: SessionIdentity,
        revision: Revision,
        generation: Int = 0,
        headNonce: UInt64,
        version: Int,
        state: [UInt8],
        parts: [[UInt8]] = [],
        notifications: [[UInt8]] = [],
        cards: StoredCards? = nil,
        logSize: LogSize = LogSize(),
        lastActiveAt: WallTime,
        answeredKeys: [String] = []
    ) {
        self.identity = identity
        self.revision = revision
        self.generation = generation
        self.headNonce = headNonce
        self.version = version
        self.state = state
        self.parts = parts
        self.notifications = notifications
        self.cards = cards
        self.logSize = logSize
        self.lastActiveAt = lastActiveAt
        self.answeredKeys = answeredKeys
    }

    /// Whether older data was restored since the session's head was committed. Numbers that were given out after the
    /// backup are then unknown.
    public var isRestored: Bool { generation > revision.generation }
}

/// Cards as they are stored.
public struct StoredCards: Sendable, Hashable {
    /// The cards before the edits.
    public var base: [UInt8]
    /// The edits after the base, in order.
    public var edits: [[UInt8]]

    /// Creates cards.
    public init(base: [UInt8], edits: [[UInt8]] = []) {
        self.base = base
        self.edits = edits
    }
}

/// What a journal knows of a session's id.
public enum SessionFinding: Sendable, Hashable {
    /// The session.
    case session(StoredSession)
    /// The session was ended or has expired.
    case ended
    /// There never was a session with this id.
    case unknown
}

/// The result of ending a session.
public enum SessionEnding: Sendable, Hashable {
    /// It has ended now.
    case ended
    /// It had ended before.
    case hadEnded
    /// There never was a session with this id.
    case unknown
}
