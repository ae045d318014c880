/// What an API key allows.
public struct KeyScopes: OptionSet, Sendable, Hashable {
    /// A bit for each scope.
    public let rawValue: Int

    /// A set of scopes.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Reading and changing decks.
    public static let decks = KeyScopes(rawValue: 1)
    /// Creating sessions, and everything with every session.
    public static let sessions = KeyScopes(rawValue: 2)
    /// Reading the feed.
    public static let feed = KeyScopes(rawValue: 4)
    /// Listing sessions and decks, and reading every session and every deck, as `/inspect` does.
    public static let operate = KeyScopes(rawValue: 8)
    /// Everything.
    public static let all: KeyScopes = [.decks, .sessions, .feed, .operate]

    private static let named: [(name: String, scope: KeyScopes)] = [
        ("decks", .decks), ("sessions", .sessions), ("feed", .feed), ("operate", .operate),
    ]

    /// The names of all scopes.
    public static let knownNames = named.map(\.name)

    /// The names of the scopes.
    public var names: [String] { Self.named.filter { contains($0.scope) }.map(\.name) }

    /// Reads names of scopes; nil: there is none, or one is unknown or repeated.
    public init?(names: some Sequence<some StringProtocol>) {
        self = []
        for name in names {
            guard let scope = Self.named.first(where: { $0.name == name })?.scope, insert(scope).inserted else {
                return nil
            }
        }
        guard !isEmpty else { return nil }
    }
}
