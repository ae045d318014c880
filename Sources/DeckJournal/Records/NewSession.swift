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
    /// The verdicts it begins with, as a copy of another session does.
    public var verdicts: [VerdictRecord]
    /// When it was made, from when on it counts as active.
    public var at: WallTime
    /// How many sessions its owner may have, this one included; nil: any number.
    public var ownerLimit: Int?

    /// Creates a session.
    ///
    /// - Parameter at: nil: when its identity says that it was created.
    public init(
        identity: SessionIdentity,
        version: Int,
        snapshot: [UInt8],
        cards: [UInt8]? = nil,
        logLines: [[UInt8]] = [],
        verdicts: [VerdictRecord] = [],
        at: WallTime? = nil,
        ownerLimit: Int? = nil
    ) {
        self.identity = identity
        self.version = version
        self.snapshot = snapshot
        self.cards = cards
        self.logLines = logLines
        self.verdicts = verdicts
        self.at = at ?? identity.createdAt
        self.ownerLimit = ownerLimit
    }
}
