/// A session among others.
public struct SessionSummary: Sendable, Hashable {
    /// What never changes of it.
    public var identity: SessionIdentity
    /// Its version.
    public var version: Int
    /// When it was created, last committed or touched.
    public var lastActiveAt: WallTime
    /// Its place in the order of sessions.
    public var place: SessionPlace

    /// Creates a summary.
    public init(identity: SessionIdentity, version: Int, lastActiveAt: WallTime, place: SessionPlace) {
        self.identity = identity
        self.version = version
        self.lastActiveAt = lastActiveAt
        self.place = place
    }
}

/// A place in the order of sessions: those active in the latest minute first, and within a minute the newest first. A
/// session that becomes active again moves to the front.
public struct SessionPlace: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The minute in which the session was last active, since 1970 began.
    public var minute: Int64
    /// Grows from each session to the next that is created.
    public var number: Int

    /// The place before all sessions.
    public static let start = SessionPlace(minute: .max, number: .max)

    /// Creates a place.
    public init(minute: Int64, number: Int) {
        self.minute = minute
        self.number = number
    }

    /// Reads what `description` wrote; nil: it is something else.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let minute = Int64(parts[0]), let number = Int(parts[1]) else { return nil }
        self.init(minute: minute, number: number)
        guard min(minute, Int64(number)) >= 0, self.description == description else { return nil }
    }

    /// The place as text for clients.
    public var description: String { "\(minute).\(number)" }

    /// Whether one place comes before another.
    public static func < (left: SessionPlace, right: SessionPlace) -> Bool {
        (left.minute, left.number) > (right.minute, right.number)
    }
}

/// Some of the sessions.
public struct SessionPage: Sendable, Hashable {
    /// The sessions, in order.
    public var sessions: [SessionSummary]
    /// Whether there are more after them.
    public var hasMore: Bool

    /// Creates a page.
    public init(sessions: [SessionSummary], hasMore: Bool) {
        self.sessions = sessions
        self.hasMore = hasMore
    }
}
