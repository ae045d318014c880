/// The feed: the verdicts and the notices of all sessions as rows, in the order in which they were saved.
public protocol Feed: Sendable {
    /// Rows after a cursor. The work is bounded: after ``FeedFilter/mostRowsRead`` rows of which few are wanted, reading stops,
    /// and the page is partial.
    ///
    /// - Parameter end: the last place that the page may have; nil: there is none.
    func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    )

    /// Finds where the page with the same arguments ends, without reading its rows.
    func feedEnd(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedEnd>
    )

    /// Calls an observer, until the journal is released, whenever the feed has new rows. It is called on any thread and must
    /// not block.
    func onNewFeedRows(_ observer: @escaping @Sendable () -> Void)
}

extension Feed {
    /// Rows after a cursor.
    public func feed(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        feed(after: cursor, upTo: nil, filter: filter, limit: limit, completion: completion)
    }
}

/// Which rows of the feed are wanted. A row must meet all conditions.
public struct FeedFilter: Sendable, Hashable {
    /// The kinds of rows; nil for all.
    public var kinds: Set<FeedRecord.Kind>?
    /// The deck of the sessions; nil for every session.
    public var deck: String?
    /// The user of the sessions; nil for every session.
    public var user: UserName?
    /// The id of the session; nil for every session.
    public var session: String?

    /// Every row.
    public static let all = FeedFilter()

    /// The most verdicts, and the most notices, that are read in the order of the feed for one page if some of them may not be
    /// wanted. Other readers of the journal wait for about as long as this takes.
    public static let mostRowsRead = 10_000

    /// If a filter names at most this number of sessions, an index finds their rows.
    package static let mostSessionsByIndex = 2_000
    /// If these sessions together have more verdicts and notices than this, the feed is read in its order instead.
    package static let mostRowsByIndex = 50_000

    /// Creates a filter.
    public init(
        kinds: Set<FeedRecord.Kind>? = nil,
        deck: String? = nil,
        user: UserName? = nil,
        session: String? = nil
    ) {
        self.kinds = kinds
        self.deck = deck
        self.user = user
        self.session = session
    }

    /// Whether it has a condition on sessions other than their decks.
    package var namesSessions: Bool { session != nil || user != nil }

    /// Whether rows of a kind are wanted.
    public func allows(_ kind: FeedRecord.Kind) -> Bool { kinds?.contains(kind) ?? true }

    /// Whether a row is wanted.
    package func allows(_ row: FeedRow) -> Bool {
        allows(row.record.kind) && (deck == nil || deck == row.deck) && (user == nil || user == row.user)
            && (session == nil || session == row.session)
    }

    /// The wanted kinds among verdicts or among notices, in the order of their numbers.
    package func kinds(areNotices: Bool) -> [FeedRecord.Kind] {
        FeedRecord.Kind.allCases.filter { $0.isNotice == areNotices && allows($0) }
    }
}

/// A row of the feed.
public struct FeedRow: Sendable, Hashable {
    /// Its place.
    public var cursor: FeedCursor
    /// The session's id.
    public var session: String
    /// The deck of the session; nil if its deck came with the request that created it.
    public var deck: String?
    /// The user of the session; nil: none was given.
    public var user: UserName?
    /// When it was saved.
    public var savedAt: WallTime
    /// What the row says.
    public var record: FeedRecord

    /// Creates a row.
    public init(
        cursor: FeedCursor,
        session: String,
        deck: String?,
        user: UserName?,
        savedAt: WallTime,
        record: FeedRecord
    ) {
        self.cursor = cursor
        self.session = session
        self.deck = deck
        self.user = user
        self.savedAt = savedAt
        self.record = record
    }
}

/// A page of the feed.
public struct FeedPage: Sendable, Hashable {
    /// The rows, in order.
    public var rows: [FeedRow]
    /// Where the next page starts. For a full page this is the place of its last row, and for a partial one the last place that
    /// was read. Otherwise it is the end of the feed, or the last place that was asked for.
    public var end: FeedCursor
    /// The end of the feed when the page was read. A cursor that is ahead of it is from data that was replaced by older data.
    public var newest: FeedCursor
    /// Whether the page is not full although it does not reach the end, because most of the rows that were read are not wanted.
    public var isPartial: Bool

    /// Creates a page.
    public init(rows: [FeedRow], end: FeedCursor, newest: FeedCursor, isPartial: Bool = false) {
        self.rows = rows
        self.end = end
        self.newest = newest
        self.isPartial = isPartial
    }
}

/// Where a page of the feed ends.
public struct FeedEnd: Sendable, Hashable {
    /// As for the page.
    public var end: FeedCursor
    /// How many rows the page has.
    public var count: Int
    /// As for the page.
    public var isPartial: Bool

    /// Creates the end of a page.
    public init(_ end: FeedCursor, count: Int, isPartial: Bool) {
        self.end = end
        self.count = count
        self.isPartial = isPartial
    }

    /// The end of a page that was read.
    public init(_ page: FeedPage) {
        self.init(page.end, count: page.rows.count, isPartial: page.isPartial)
    }
}
