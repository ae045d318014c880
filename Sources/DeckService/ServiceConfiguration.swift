public import DeckHost
internal import DeckWire
package import SteadyClock

/// The settings of a service.
public struct ServiceConfiguration: Sendable {
    /// The most sessions there are at a time.
    public var maximumSessions = 1_000_000
    /// How many sessions are in memory at a time; the others are read when they are used.
    public var maximumResidentSessions = 50_000
    /// The most decks it holds at a time.
    public var maximumDecks = 10_000
    /// Sessions that were not used for this time leave memory. This is checked once a minute.
    public var residentIdleSeconds = 600
    /// What runs, for who gathers metrics.
    public var release = "unknown"
    /// Where the lines of the log go; nil: wherever the logger has them go.
    public var log: LogOutput?
    /// Whether each request gets a line there.
    public var logsRequests = true
    /// The keys that open everything; none: everything is open to every client that can reach the server.
    public var apiKeys: [APIKey] = []
    /// Host names, without ports, under which a server without keys can be reached besides loopback.
    public var allowedHosts: [String] = []
    /// The origins whose scripts may read the answers, as browsers write them; `*` alone: all.
    public var allowedOrigins: [String] = []
    /// The maximum number of existing sessions that one API key has created; 0: no limit.
    public var sessionsPerKey = 0
    /// The most copies of one session there are at a time that were made with its token or with those of its copies; 0: as
    /// many as there are.
    public var copiesPerSession = 100
    /// The bytes that the ids, the data and the labels of a session's cards may have before more cards are refused.
    public var cardBytesPerSession = 33_554_432
    /// The units of cost that the requests of a session's players may have each second; 0: any number.
    public var costPerSecond = 1000
    /// The units of cost that they may have at once after a rest; at least as many as a batch may have events.
    public var costBurst = 2000
    /// The units of cost that the requests of all spectators of a session together may have each second; 0: any number.
    public var spectatorCostPerSecond = 1000
    /// The units of cost that they may have at once after a rest.
    public var spectatorCostBurst = 2000
    /// The clock by which the units come back.
    package var costClock: @Sendable () -> SteadyTime = { .now() }
    /// What requests cost.
    public var prices = Prices()
    /// The threads for large changes and other long work.
    public var workThreads = 1
    /// The longest body with a deck, of at most ``largestDeckBytes``.
    public var deckBytes = largestDeckBytes
    /// The longest other body, of at most ``largestBodyBytes``.
    public var bodyBytes = largestBodyBytes
    /// The most streams there are at a time.
    public var maximumStreams = 4096
    /// The most streams one session has at a time.
    public var maximumStreamsPerSession = 16

    /// The limits that `config/deckd.yaml` has.
    public init() {}

    /// No body with a deck is longer than this.
    public static let largestDeckBytes = WireLimits.deckBytes
    /// No other body is longer than this.
    public static let largestBodyBytes = WireLimits.bodyBytes
    /// The maximum number of events in a batch.
    public static let largestBatch = WireLimits.eventsPerBatch
}

extension ServiceConfiguration {
    /// What the requests of a session may cost.
    var costLimits: Account.Limits {
        var limits = Account.Limits(
            player: CostLimit(perSecond: costPerSecond, burst: max(costBurst, WireLimits.eventsPerBatch)),
            spectator: CostLimit(perSecond: spectatorCostPerSecond, burst: spectatorCostBurst)
        )
        limits.clock = costClock
        return limits
    }
}
