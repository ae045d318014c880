import DeckHost
import DeckService
import Logging
import MicroHTTP

/// A setting: its key in the file, its default, and the property that gets its value.
///
/// A new setting needs only an entry of ``all`` here. The checks of the file and of the environment, the effective value and
/// the line of `check-config` follow from it. The entries have the order of `config/deckd.yaml`.
struct Setting: Sendable {
    let key: String
    /// Assigns a value; the default for nil.
    let take: @Sendable (inout Settings, WrittenValue?) throws(SettingsError) -> Void
    /// The value in the form of a configuration file.
    let show: @Sendable (Settings) -> String
    /// Whether two settings have different values.
    let differs: @Sendable (Settings, Settings) -> Bool

    static let all: [Setting] = [
        .text("host", "127.0.0.1", \.server.host),
        .number("port", 8080, 0...65_535, \.server.port),
        .text("data", "deckd.sqlite", \.data, shown: DataPlace.withoutPasswords),
        .number("workers", 0, 0...256, \.workers),
        .choice("logLevel", .info, \.logLevel),
        .choice("logFormat", .text, \.logFormat),
        .flag("accessLog", true, \.service.logsRequests),
        .text("tls.certificate", "", \.tlsCertificate),
        .text("tls.key", "", \.tlsKey),
        .text("access.keysFile", "", \.keysFile),
        .text("access.keys", "", \.keysText),
        .text("access.allowedOrigins", "", \.originsText),
        .text("access.allowedHosts", "", \.hostsText),
        .text("proxies.forwardedFor", "", \.forwardedForText),
        .text("proxies.protocol", "", \.proxyProtocolText),
        .text("admin.listen", "", \.adminText),
        .number("limits.connections", 8192, 1...1_000_000, \.server.connectionLimit),
        .number("limits.connectionsPerAddress", 0, 0...1_000_000, \.server.connectionsPerAddress),
        .number("limits.connectionMemoryBytes", 32_768, 4096...1_048_576, \.server.perConnectionMemoryBytes),
        .number("limits.requestTimeoutSeconds", 30, 1...86_400, \.server.requestTimeoutSeconds),
        .number("limits.idleTimeoutSeconds", 60, 1...3600, \.server.idleTimeoutSeconds),
        .number("limits.streamBufferBytes", 262_144, 1024...1_073_741_824, \.server.streamBufferBytes),
        .number("limits.responseBytes", 268_435_456, 1_048_576...1_099_511_627_776, \.server.responseBytes),
        .number("limits.streamHeartbeatSeconds", 15, 0...86_400, \.server.streamHeartbeatSeconds),
        .number("limits.stopGraceSeconds", 10, 0...600, \.stopGraceSeconds),
        .number("limits.drainSeconds", 0, 0...600, \.drainSeconds),
        .number("limits.sessions", 1_000_000, 1...100_000_000, \.service.maximumSessions),
        .number("limits.residentSessions", 50_000, 64...10_000_000, \.service.maximumResidentSessions),
        .number("limits.residentIdleSeconds", 600, 1...31_536_000, \.service.residentIdleSeconds),
        .number("limits.idleSessionDays", 30, 1...36_500, \.idleSessionDays),
        .number("limits.verdictDays", 0, 0...36_500, \.verdictDays),
        .number("limits.logDays", 0, 0...36_500, \.logDays),
        .number("limits.sessionsPerKey", 0, 0...100_000_000, \.service.sessionsPerKey),
        .number("limits.copiesPerSession", 100, 0...100_000_000, \.service.copiesPerSession),
        .number("limits.decks", 10_000, 1...1_000_000, \.service.maximumDecks),
        .number(
            "limits.deckBytes",
            ServiceConfiguration.largestDeckBytes,
            1024...ServiceConfiguration.largestDeckBytes,
            \.service.deckBytes
        ),
        .number(
            "limits.bodyBytes",
            ServiceConfiguration.largestBodyBytes,
            1024...ServiceConfiguration.largestBodyBytes,
            \.service.bodyBytes
        ),
        .number(
            "limits.cardBytesPerSession",
            33_554_432,
            1_048_576...1_099_511_627_776,
            \.service.cardBytesPerSession
        ),
        .number("limits.costPerSecond", 1000, 0...1_000_000, \.service.costPerSecond),
        .number("limits.costBurst", 2000, ServiceConfiguration.largestBatch...1_000_000, \.service.costBurst),
        .number("limits.spectatorCostPerSecond", 1000, 0...1_000_000, \.service.spectatorCostPerSecond),
        .number("limits.spectatorCostBurst", 2000, 1...1_000_000, \.service.spectatorCostBurst),
        .number("limits.workThreads", 0, 0...256, \.workThreads),
        .number("limits.streams", 4096, 1...1_000_000, \.service.maximumStreams),
        .number("limits.streamsPerSession", 16, 1...1_000_000, \.service.maximumStreamsPerSession),
        .number("prices.cardsPerUnit", 256, prices, \.service.prices.cardsPerUnit),
        .number("prices.comparedCardsPerUnit", 64, prices, \.service.prices.comparedCardsPerUnit),
        .number("prices.bytesPerUnit", 16_384, prices, \.service.prices.bytesPerUnit),
        .number("prices.linesPerUnit", 100, prices, \.service.prices.linesPerUnit),
        .number("prices.picture", 4, prices, \.service.prices.picture),
        .number("prices.stream", 10, prices, \.service.prices.stream),
        .number("prices.fork", 50, prices, \.service.prices.fork),
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
