/// The properties of a session that never change.
public struct SessionIdentity: Sendable, Hashable {
    /// Its id.
    public var id: String
    /// The hash of the token that allows everything.
    public var tokenHash: [UInt8]
    /// The hash of the token that allows reading.
    public var spectatorTokenHash: [UInt8]
    /// The hash of the token that allows playing; nil: a release without such tokens has created the session.
    public var playerTokenHash: [UInt8]?
    /// The deck it was created with; nil if the deck came with the request.
    public var deck: String?
    /// When it was created.
    public var createdAt: WallTime
    /// The kind of its clock.
    public var clock: String
    /// Whether it records a log.
    public var isRecorded: Bool
    /// The name of the API key that it was created with; nil if there was none.
    public var owner: String?
    /// The id of the first session of its family, if it was copied with a session's token: that session, the copies that
    /// were made with its token, and those that were made with theirs are a family. nil: it was not.
    public var root: String?
    /// The application's name for the person who plays; nil: none was given.
    public var user: UserName?
    /// Data of the application about the session, as JSON; nil: none was given.
    public var metadata: String?

    /// Creates an identity.
    public init(
        id: String,
        tokenHash: [UInt8],
        spectatorTokenHash: [UInt8],
        playerTokenHash: [UInt8]? = nil,
        deck: String?,
        createdAt: WallTime,
        clock: String,
        isRecorded: Bool,
        owner: String? = nil,
        root: String? = nil,
        user: UserName? = nil,
        metadata: String? = nil
    ) {
        self.id = id
        self.tokenHash = tokenHash
        self.spectatorTokenHash = spectatorTokenHash
        self.playerTokenHash = playerTokenHash
        self.deck = deck
        self.createdAt = createdAt
        self.clock = clock
        self.isRecorded = isRecorded
        self.owner = owner
        self.root = root
        self.user = user
        self.metadata = metadata
    }
}
