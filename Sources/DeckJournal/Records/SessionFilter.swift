/// Which sessions a list has. A session must meet all conditions.
public struct SessionFilter: Sendable, Hashable {
    /// The first characters of the session's id; nil for every id.
    public var idPrefix: String?
    /// The deck that the session was created with; nil for every session.
    public var deck: String?
    /// The user of the session; nil for every session.
    public var user: UserName?

    /// Every session.
    public static let all = SessionFilter()

    /// The maximum number of sessions that are read to fill a page of a filter that has no index, which is a filter with only
    /// a deck. The next page continues after them.
    public static let scannedSessions = 2000

    /// Creates a filter.
    public init(idPrefix: String? = nil, deck: String? = nil, user: UserName? = nil) {
        self.idPrefix = idPrefix
        self.deck = deck
        self.user = user
    }

    /// Whether a session meets the conditions.
    public func allows(_ session: SessionIdentity) -> Bool {
        (idPrefix.map(session.id.hasPrefix) ?? true) && (deck.map { $0 == session.deck } ?? true)
            && (user.map { $0 == session.user } ?? true)
    }

    /// Whether a journal finds the sessions by their ids or users.
    package var hasIndex: Bool { idPrefix != nil || user != nil }

    /// The ids with the prefix lie between these two. Ids consist of letters, digits, `-` and `_`, all of which come before the
    /// second bound's last character.
    package var idBounds: (first: String, end: String)? { idPrefix.map { ($0, $0 + "\u{7F}") } }
}
