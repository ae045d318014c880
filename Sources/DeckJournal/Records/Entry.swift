/// A change of a session, as one or several requests made it.
public struct Entry: Sendable, Hashable {
    /// A random number that identifies the entry, so that a retry is recognized.
    public var nonce: UInt64
    /// The nonce of the entry that this one must follow; nil: only the revision is compared.
    public var predecessorNonce: UInt64?
    /// When the change was made.
    public var at: WallTime
    /// The session's version afterwards.
    public var version: Int
    /// The whole state of the session afterwards, without its cards and its parts.
    public var state: [UInt8]
    /// The parts of the state.
    public var parts: StateParts
    /// New notifications, in order.
    public var notifications: [[UInt8]]
    /// The change of the session's cards.
    public var cards: CardsChange
    /// What it adds to the feed, in order: changes of verdicts, pending swipes and notices.
    public var feedRecords: [FeedRecord]
    /// Lines to append to the log.
    public var logLines: [[UInt8]]
    /// The answers to the requests that carried idempotency keys. The entry's revision becomes theirs.
    public var answers: [AnswerRecord]

    /// Creates an entry.
    public init(
        nonce: UInt64,
        at: WallTime,
        version: Int,
        state: [UInt8],
        parts: StateParts = StateParts(),
        notifications: [[UInt8]] = [],
        cards: CardsChange = .unchanged,
        feedRecords: [FeedRecord] = [],
        logLines: [[UInt8]] = [],
        answers: [AnswerRecord] = []
    ) {
        self.nonce = nonce
        self.at = at
        self.version = version
        self.state = state
        self.parts = parts
        self.notifications = notifications
        self.cards = cards
        self.feedRecords = feedRecords
        self.logLines = logLines
        self.answers = answers
    }

    /// About how many bytes the entry takes while it waits. A feed record is short.
    public var byteCount: Int {
        var count = 100 + state.count + feedRecords.count * 100
        switch cards {
        case .edited(let bytes): count += bytes.count
        case .replaced(let base): count += base.bytes.count
        case .unchanged: break
        }
        count += parts.new.reduce(0) { $0 + $1.count }
        count += notifications.reduce(0) { $0 + $1.count } + logLines.reduce(0) { $0 + $1.count }
        return count + answers.reduce(0) { $0 + $1.storedBytes }
    }
}

/// The change of the cards that are stored for a session.
public enum CardsChange: Sendable, Hashable {
    /// None.
    case unchanged
    /// One edit, which follows the base and the edits before.
    case edited([UInt8])
    /// A new base without edits.
    case replaced(CardsBase)
}

/// Parts of a session's state that several entries in a row need. Each is stored once.
public struct StateParts: Sendable, Hashable {
    /// The parts that this entry adds, in order.
    public var new: [[UInt8]]
    /// How many of the newest parts the state needs, the new ones included; at most `SessionLimits.parts`.
    public var neededCount: Int

    /// Creates parts.
    public init(new: [[UInt8]] = [], neededCount: Int = 0) {
        self.new = new
        self.neededCount = neededCount
    }
}
