/// A session among others.
public struct SessionSummary: Sendable, Hashable {
    /// What never changes of it.
    public var identity: SessionIdentity
    /// Its version.
    public var version: Int
    /// When it was created, last committed or touched.
    public var lastActiveAt: WallTime
    /// Its place in the order of sessions.
    public var cursor: SessionCursor

    /// Creates a summary.
    public init(identity: SessionIdentity, version: Int, lastActiveAt: WallTime, cursor: SessionCursor) {
        self.identity = identity
        self.version = version
        self.lastActiveAt = lastActiveAt
        self.cursor = cursor
    }
}

/// A place in the order of sessions: those active in the latest minute first, and within a minute the newest first. Sessions
/// with the same number are in the order of their databases. A session that becomes active again moves to the front.
public struct SessionCursor: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The minute in which the session was last active, since 1970 began.
    public var minute: Int64
    /// Grows from each session to the next that is created in the same database.
    public var number: Int
    /// The number of the database.
    public var database: Int

    /// The cursor before all sessions.
    public static let start = SessionCursor(minute: .max, number: .max)

    /// Creates a cursor.
    public init(minute: Int64, number: Int, database: Int = 0) {
        self.minute = minute
        self.number = number
        self.database = database
    }

    /// Reads what `description` wrote; nil: it is something else.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, let minute = Int64(parts[0]), let number = Int(parts[1]) else { return nil }
        guard let database = parts.count == 3 ? Int(parts[2]) : 0 else { return nil }
        self.init(minute: minute, number: number, database: database)
        guard minute >= 0, number >= 0, database >= 0, self.description == description else { return nil }
    }

    /// The cursor as text for clients.
    public var description: String { "\(minute).\(number)" + (database > 0 ? ".\(database)" : "") }

    /// Whether one cursor comes before another.
    public static func < (left: SessionCursor, right: SessionCursor) -> Bool {
        (left.minute, left.number, right.database) > (right.minute, right.number, left.database)
    }
}

/// Some of the sessions.
public struct SessionPage: Sendable, Hashable {
    /// The sessions, in order.
    public var sessions: [SessionSummary]
    /// The cursor after which the next page starts; nil: this is the last page. With a filter a page can have fewer sessions
    /// than its limit, or none, and there can still be a next page.
    public var next: SessionCursor?

    /// Creates a page.
    public init(sessions: [SessionSummary], next: SessionCursor?) {
        self.sessions = sessions
        self.next = next
    }
}
