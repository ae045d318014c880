import DeckHost
import DeckService
import Logging
import MicroHTTP

/// A setting: its key in the file, and the property that gets its value. The default is what the property has in a new value of
/// ``Settings``.
///
/// A new setting needs only a property and an entry of ``all`` here. The checks of the file and of the environment, the effective value and
/// the line of `check-config` follow from it. The entries have the order of `config/deckd.yaml`.
struct Setting: Sendable {
    let key: String
    /// Assigns a value.
    let take: @Sendable (inout Settings, WrittenValue) throws(SettingsError) -> Void
    /// The value in the form of a configuration file.
    let show: @Sendable (Settings) -> String
    /// Whether two settings have different values.
    let differs: @Sendable (Settings, Settings) -> Bool

    static let all: [Setting] = [
        .text("host", \.server.host),
        .number("port", 0...65_535, \.server.port),
        .text("data", \.data, shown: DataPlace.withoutPasswords),
        .number("workers", 0...256, \.workers),
        .choice("logLevel", \.logLevel),
        .choice("logFormat", \.logFormat),
        .flag("accessLog", \.service.logsRequests),
        .text("tls.certificate", \.tlsCertificate),
        .text("tls.key", \.tlsKey),
        .text("access.keysFile", \.keysFile),
        .text("access.keys", \.keysText),
        .text("access.allowedOrigins", \.originsText),
        .text("access.allowedHosts", \.hostsText),
        .text("proxies.forwardedFor", \.forwardedForText),
        .text("proxies.protocol", \.proxyProtocolText),
        .text("admin.listen", \.adminText),
        .number("limits.connections", 1...1_000_000, \.server.connectionLimit),
        .number("limits.connectionsPerAddress", 0...1_000_000, \.server.connectionsPerAddress),
        .number("limits.connectionMemoryBytes", 4096...1_048_576, \.server.perConnectionMemoryBytes),
        .number("limits.requestTimeoutSeconds", 1...86_400, \.server.requestTimeoutSeconds),
        .number("limits.idleTimeoutSeconds", 1...3600, \.server.idleTimeoutSeconds),
        .number("limits.streamBufferBytes", 1024...1_073_741_824, \.server.streamBufferBytes),
        .number("limits.responseBytes", 1_048_576...1_099_511_627_776, \.server.responseBytes),
        .number("limits.streamHeartbeatSeconds", 0...86_400, \.server.streamHeartbeatSeconds),
        .number("limits.stopGraceSeconds", 0...600, \.stopGraceSeconds),
        .number("limits.drainSeconds", 0...600, \.drainSeconds),
        .number("limits.sessions", 1...100_000_000, \.service.maximumSessions),
        .number("limits.residentSessions", 64...10_000_000, \.service.maximumResidentSessions),
        .number("limits.residentIdleSeconds", 1...31_536_000, \.service.residentIdleSeconds),
        .number("limits.idleSessionDays", 1...36_500, \.idleSessionDays),
        .number("limits.verdictDays", 0...36_500, \.verdictDays),
        .number("limits.logDays", 0...36_500, \.logDays),
        .number("limits.sessionsPerKey", 0...100_000_000, \.service.sessionsPerKey),
        .number("limits.copiesPerSession", 0...100_000_000, \.service.copiesPerSession),
        .number("limits.decks", 1...1_000_000, \.service.maximumDecks),
        .number(
            "limits.deckBytes",
            1024...ServiceConfiguration.largestDeckBytes,
            \.service.deckBytes
        ),
        .number(
            "limits.bodyBytes",
            1024...ServiceConfiguration.largestBodyBytes,
            \.service.bodyBytes
        ),
        .number(
            "limits.cardBytesPerSession",
            1_048_576...1_099_511_627_776,
            \.service.cardBytesPerSession
        ),
        .number("limits.costPerSecond", 0...1_000_000, \.service.costPerSecond),
        .number("limits.costBurst", ServiceConfiguration.largestBatch...1_000_000, \.service.costBurst),
        .number("limits.spectatorCostPerSecond", 0...1_000_000, \.service.spectatorCostPerSecond),
        .number("limits.spectatorCostBurst", 1...1_000_000, \.service.spectatorCostBurst),
        .number("limits.workThreads", 0...256, \.workThreads),
        .number("limits.streams", 1...1_000_000, \.service.maximumStreams),
        .number("limits.streamsPerSession", 1...1_000_000, \.service.maximumStreamsPerSession),
        .number("prices.cardsPerUnit", prices, \.service.prices.cardsPerUnit),
        .number("prices.comparedCardsPerUnit", prices, \.service.prices.comparedCardsPerUnit),
        .number("prices.bytesPerUnit", prices, \.service.prices.bytesPerUnit),
        .number("prices.linesPerUnit", prices, \.service.prices.linesPerUnit),
        .number("prices.patch", prices, \.service.prices.patch),
        .number("prices.picture", prices, \.service.prices.picture),
        .number("prices.stream", prices, \.service.prices.stream),
        .number("prices.fork", prices, \.service.prices.fork),
    ]

    private static let prices = 1...1_000_000

    /// The environment variable: `DECKD_LIMITS_IDLE_TIMEOUT_SECONDS` for `limits.idleTimeoutSeconds`.
    var environmentVariable: String {
        var name = "DECKD_"
        for character in key {
            if character == "." {
                name += "_"
            } else {
                if character.isUppercase { name += "_" }
                name += character.uppercased()
            }
        }
        return name
    }
}
