/// A change that another process or housekeeping made.
public enum JournalNews: Sendable, Hashable {
    /// Another process appended an entry; the session's head is now this revision or a later one.
    case changed(session: String, to: Revision)
    /// The session was ended or has expired.
    case ended(session: String)
    /// Another process has put or removed a deck.
    case deckChanged(id: String)
    /// Another process asks for previews of a session, with the changes of this process that are not committed, until some
    /// seconds after it asked last. The number identifies the request.
    case previewRequested(session: String, request: UInt64)
    /// The uncommitted changes of another process.
    case preview(session: String, SessionPreview)
    /// Changes that other processes made in a database may not have been reported. ``NewsCoverage/since`` is later now.
    case interrupted(database: Int)
}

/// A session as one process has it after changes that need no commit, such as a drag in progress.
public struct SessionPreview: Sendable, Hashable {
    /// The revision of the last committed entry.
    public var revision: Revision
    /// The state after it, without its cards.
    public var state: [UInt8]
    /// The notifications since then, oldest first.
    public var notifications: [[UInt8]]
    /// The requests that the preview answers: it was made after all of them.
    public var requests: [UInt64]

    /// Creates a preview.
    public init(revision: Revision, state: [UInt8], notifications: [[UInt8]], requests: [UInt64] = []) {
        self.revision = revision
        self.state = state
        self.notifications = notifications
        self.requests = requests
    }
}

/// The time for which a journal guarantees that it has reported the changes of other processes.
public struct NewsCoverage: Sendable, Hashable {
    /// Changes before this time may be missing.
    public var since: ContinuousClock.Instant
    /// Changes after this time may not have been reported yet.
    public var until: ContinuousClock.Instant

    /// Creates a coverage.
    public init(since: ContinuousClock.Instant, until: ContinuousClock.Instant) {
        self.since = since
        self.until = until
    }

    /// How long a process may answer from memory after the last sign of the others.
    public static let maximumSilence = Duration.seconds(2)

    /// Whether a process may answer from a copy that was current at a time, and of which no news has come.
    public func allowsUse(ofCopyFrom time: ContinuousClock.Instant) -> Bool {
        currency(ofCopyFrom: time) > .now - Self.maximumSilence
    }

    /// The time of which a copy is known to be current, if it was current at a time and no news of its session has come.
    public func currency(ofCopyFrom time: ContinuousClock.Instant) -> ContinuousClock.Instant {
        time >= since ? max(time, until) : time
    }
}
