public import DeckHost
internal import DeckWire
package import SteadyClock

/// The settings of a service.
public struct ServiceConfiguration: Sendable {
    /// The maximum number of stored sessions.
    public var maximumSessions = 1_000_000
    /// The maximum number of sessions in memory. Others are loaded when they are used. Sessions that cannot leave memory at once,
    /// such as watched ones, can exceed it.
    public var maximumResidentSessions = 50_000
    /// The maximum number of stored decks.
    public var maximumDecks = 10_000
    /// A session that is unused for this time leaves memory. This is checked when ``DeckService/tidy()`` is called.
    public var residentIdleSeconds = 600
    /// The release of the program, for the metrics.
    public var release = "unknown"
    /// The output of the log, for the access log and the count of dropped lines; nil: there is no access log.
    public var log: LogOutput?
    /// Whether each request is logged there.
    public var logsRequests = true
    /// The API keys. Without any, every client that can reach the server is allowed to do everything.
    public var apiKeys: [APIKey] = []
    /// Host names, without ports, under which a server without keys can be reached besides loopback.
    public var allowedHosts: [String] = []
    /// The origins whose scripts may read responses, as browsers write them; `*` alone: all origins.
    public var allowedOrigins: [String] = []
    /// The maximum number of existing sessions that one API key has created; 0: no limit.
    public var sessionsPerKey = 0
    /// The maximum number of existing copies of one session that were made with its token or with the tokens of its copies; 0: no
    /// limit.
    public var copiesPerSession = 100
    /// The maximum number of bytes of the ids, the data and the labels of a session's cards together.
    public var cardBytesPerSession = 33_554_432
    /// The units of cost that are added each second to the bucket of a session's players; 0: no limit.
    public var costPerSecond = 1000
    /// The size of that bucket in units, at least ``largestBatch``.
    public var costBurst = 2000
    /// The units of cost that are added each second to the bucket of all spectators of a session together; 0: no limit.
    public var spectatorCostPerSecond = 1000
    /// The size of that bucket in units.
    public var spectatorCostBurst = 2000
    /// The clock by which the buckets are filled.
    package var costClock: @Sendable () -> SteadyTime = { .now() }
    /// What requests cost.
    public var prices = Prices()
    /// The number of threads for large changes and other long work.
    public var workThreads = 1
    /// The maximum length of a body with a deck in bytes, at most ``largestDeckBytes``.
    public var deckBytes = largestDeckBytes
    /// The maximum length of any other body in bytes, at most ``largestBodyBytes``.
    public var bodyBytes = largestBodyBytes
    /// The maximum number of open streams.
    public var maximumStreams = 4096
    /// The maximum number of open streams of one session.
    public var maximumStreamsPerSession = 16

    /// The defaults of `config/deckd.yaml`.
    public init() {}

    /// The largest value of ``deckBytes``, in bytes.
    public static let largestDeckBytes = WireLimits.deckBytes
    /// The largest value of ``bodyBytes``, in bytes.
    public static let largestBodyBytes = WireLimits.bodyBytes
    /// The maximum number of events in a batch.
    public static let largestBatch = WireLimits.eventsPerBatch
}

extension ServiceConfiguration {
    var hostLimits: HostLimits {
        HostLimits(
            sessions: maximumSessions,
            residentSessions: maximumResidentSessions,
            residentIdleTime: .seconds(residentIdleSeconds),
            sessionsPerOwner: sessionsPerKey > 0 ? sessionsPerKey : nil,
            copiesPerFamily: copiesPerSession > 0 ? copiesPerSession : nil,
            cardBytesPerSession: cardBytesPerSession,
            cost: costLimits,
            prices: prices,
            workThreads: workThreads
        )
    }

    /// What the requests of a session may cost.
    private var costLimits: Account.Limits {
        var limits = Account.Limits(
            player: CostLimit(perSecond: costPerSecond, burst: max(costBurst, WireLimits.eventsPerBatch)),
            spectator: CostLimit(perSecond: spectatorCostPerSecond, burst: spectatorCostBurst)
        )
        limits.clock = costClock
        return limits
    }
}
