/// A session at its beginning.
public struct NewSession: Sendable, Hashable {
    /// What never changes of it.
    public var identity: SessionIdentity
    /// Its version.
    public var version: Int
    /// The session as it is.
    public var snapshot: [UInt8]
    /// Its cards, where it has cards of its own.
    public var cards: [UInt8]?
    /// The lines its log begins with.
    public var logLines: [[UInt8]]

    /// Creates a session.
    public init(
        identity: SessionIdentity,
        version: Int,
        snapshot: [UInt8],
        cards: [UInt8]? = nil,
        logLines: [[UInt8]] = []
    ) {
        self.identity = identity
        self.version = version
        self.snapshot = snapshot
        self.cards = cards
        self.logLines = logLines
    }
}
