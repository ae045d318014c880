/// How much a host has at a time.
public struct HostLimits: Sendable {
    /// The most sessions there are, in memory or not.
    public var sessions: Int
    /// The most sessions in memory. See ``SessionTable`` for those that are in memory above it.
    public var residentSessions: Int
    /// A session that was not used for this time leaves memory.
    public var residentIdleTime: Duration
    /// The most sessions that one owner has; nil: any number.
    public var sessionsPerOwner: Int?
    /// How many copies of a session, and of its copies, are there at most that were made with a session's token; nil: any
    /// number.
    public var copiesPerFamily: Int?
    /// How many bytes the ids, the data and the labels of a session's cards may have before more cards are refused.
    public var cardBytesPerSession: Int
    /// How much the requests of a session may cost.
    public var cost: Account.Limits
    /// What requests cost.
    public var prices: Prices
    /// How long the attempts to commit a change may take together, as long as its outcome is unknown.
    public var commitTime: Duration
    /// How many threads do long work.
    public var workThreads: Int

    /// Limits for one host.
    public init(
        sessions: Int,
        residentSessions: Int,
        residentIdleTime: Duration = .seconds(600),
        sessionsPerOwner: Int? = nil,
        copiesPerFamily: Int? = nil,
        cardBytesPerSession: Int = .max,
        cost: Account.Limits = .none,
        prices: Prices = Prices(),
        commitTime: Duration = .seconds(60),
        workThreads: Int = 1
    ) {
        self.sessions = sessions
        self.residentSessions = residentSessions
        self.residentIdleTime = residentIdleTime
        self.sessionsPerOwner = sessionsPerOwner
        self.copiesPerFamily = copiesPerFamily
        self.cardBytesPerSession = cardBytesPerSession
        self.cost = cost
        self.prices = prices
        self.commitTime = commitTime
        self.workThreads = workThreads
    }
}
