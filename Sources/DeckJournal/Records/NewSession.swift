/// A session that is being created.
public struct NewSession: Sendable, Hashable {
    /// The properties that never change.
    public var identity: SessionIdentity
    /// A random number that identifies the creation, so that a retry is recognized.
    public var nonce: UInt64
    /// The generation for which its numbers were chosen; nil: its id is random, so no lost session had any number of it.
    public var generation: Int?
    /// Its version.
    public var version: Int
    /// Its state, without its cards and its parts.
    public var state: [UInt8]
    /// The parts of its state.
    public var parts: [[UInt8]]
    /// Its notifications, oldest first.
    public var notifications: [[UInt8]]
    /// Its cards; nil if no cards are stored for it.
    public var cards: CardsBase?
    /// The first lines of its log.
    public var logLines: [[UInt8]]
    /// Its first records in the feed.
    public var feedRecords: [FeedRecord]
    /// The session that this one is a fork of, and the verdicts that it shares with it. They do not appear in the feed
    /// again.
    public var origin: SessionOrigin?
    /// The answers to the request that creates it, if that carried an idempotency key.
    public var answers: [AnswerRecord]
    /// When it is created, which is the first time at which it is active.
    public var at: WallTime
    /// How many sessions the journal may have, this one included; nil for no limit.
    public var limit: Int?
    /// How many sessions its owner may have, this one included; nil for no limit.
    public var ownerLimit: Int?
    /// How many copies its family may have, this one included; nil for no limit.
    public var familyLimit: Int?

    /// Creates a session.
    ///
    /// - Parameter at: nil for the creation time of its identity.
    public init(
        identity: SessionIdentity,
        nonce: UInt64,
        generation: Int? = nil,
        version: Int,
        state: [UInt8],
        parts: [[UInt8]] = [],
        notifications: [[UInt8]] = [],
        cards: CardsBase? = nil,
        logLines: [[UInt8]] = [],
        feedRecords: [FeedRecord] = [],
        origin: SessionOrigin? = nil,
        answers: [AnswerRecord] = [],
        at: WallTime? = nil,
        limit: Int? = nil,
        ownerLimit: Int? = nil,
        familyLimit: Int? = nil
    ) {
        self.identity = identity
        self.nonce = nonce
        self.generation = generation
        self.version = version
        self.state = state
        self.parts = parts
        self.notifications = notifications
        self.cards = cards
        self.logLines = logLines
        self.feedRecords = feedRecords
        self.origin = origin
        self.answers = answers
        self.at = at ?? identity.createdAt
        self.limit = limit
        self.ownerLimit = ownerLimit
        self.familyLimit = familyLimit
    }

    /// About how many bytes it takes while it waits.
    package var byteCount: Int {
        var count = 200 + state.count + (cards?.bytes.count ?? 0) + feedRecords.count * 100
        count += parts.reduce(0) { $0 + $1.count }
        count += notifications.reduce(0) { $0 + $1.count } + logLines.reduce(0) { $0 + $1.count }
        return count + answers.reduce(0) { $0 + $1.storedBytes }
    }
}

/// The session that another one was forked from, and the verdicts that both share.
///
/// A shared verdict is the one that the origin gave last under its number before the fork was created. The fork can
/// revert it. What the origin does later does not affect the fork, and neither does the origin's end.
public struct SessionOrigin: Sendable, Hashable {
    /// The id of the origin.
    public var session: String
    /// The numbers of the shared verdicts: ranges in order that do not overlap.
    public var standing: [ClosedRange<Int>]

    /// Creates an origin.
    public init(session: String, standing: [ClosedRange<Int>]) {
        self.session = session
        self.standing = standing
    }

    /// Creates an origin.
    ///
    /// - Parameter numbers: the numbers of the shared verdicts, in any order.
    public init(session: String, numbers: some Sequence<Int>) {
        self.session = session
        standing = []
        for number in numbers.sorted() {
            guard let last = standing.last, number <= last.upperBound + 1 else {
                standing.append(number...number)
                continue
            }
            standing[standing.count - 1] = last.lowerBound...max(last.upperBound, number)
        }
    }
}
