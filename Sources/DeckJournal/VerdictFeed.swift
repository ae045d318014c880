/// The verdicts of all sessions in the order in which they were kept.
public protocol VerdictFeed: Sendable {
    /// Verdicts after a cursor.
    ///
    /// - Parameter deck: the deck whose sessions' verdicts are wanted; nil: all.
    func verdicts(
        after cursor: VerdictCursor,
        deck: String?,
        limit: Int,
        completion: @escaping JournalCompletion<VerdictPage>
    )

    /// Has an observer told, as long as the journal lives, whenever there are new verdicts. It is called on any thread
    /// with a place at or after the newest of them, and must not block.
    func onNewVerdicts(_ observer: @escaping @Sendable (VerdictCursor) -> Void)
}

/// A place in the feed of verdicts: places that come later are greater.
public struct VerdictCursor: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The place; nothing follows from how far two are apart.
    public var position: Int64

    /// The place before all verdicts.
    public static let start = VerdictCursor(position: 0)

    /// Creates a cursor.
    public init(position: Int64) {
        self.position = position
    }

    /// Reads what `description` wrote; nil: it is something else.
    public init?(_ description: String) {
        guard let position = Int64(description), position >= 0, String(position) == description else { return nil }
        self.position = position
    }

    /// The cursor as text for clients.
    public var description: String { String(position) }

    /// Whether one place comes before another.
    public static func < (left: VerdictCursor, right: VerdictCursor) -> Bool {
        left.position < right.position
    }
}

/// A verdict as the feed has it.
public struct VerdictEntry: Sendable, Hashable {
    /// Its place.
    public var cursor: VerdictCursor
    /// The session it is of.
    public var session: String
    /// The deck of the session; nil: one of its own.
    public var deck: String?
    /// What was given or reverted.
    public var verdict: VerdictRecord

    /// Creates an entry.
    public init(cursor: VerdictCursor, session: String, deck: String?, verdict: VerdictRecord) {
        self.cursor = cursor
        self.session = session
        self.deck = deck
        self.verdict = verdict
    }
}

/// Some of the feed.
public struct VerdictPage: Sendable, Hashable {
    /// The verdicts, in order.
    public var entries: [VerdictEntry]
    /// Where to go on: after the last entry, or after all that there is if the page was not full.
    public var end: VerdictCursor

    /// Creates a page.
    public init(entries: [VerdictEntry], end: VerdictCursor) {
        self.entries = entries
        self.end = end
    }
}
