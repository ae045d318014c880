import Configuration

/// One thing that can be configured: its key in the file, its default, and for a number the range it can have.
struct Setting: Sendable {
    var key: String
    var fallback: ConfigContent
    var range = 0...0

    static let host = Setting(key: "host", fallback: .string("127.0.0.1"))
    static let port = Setting(key: "port", fallback: .int(8080), range: 0...65_535)
    static let data = Setting(key: "data", fallback: .string("deckd.sqlite"))
    static let workers = Setting(key: "workers", fallback: .int(0), range: 0...256)
    static let logLevel = Setting(key: "logLevel", fallback: .string("info"))
    static let connections = Setting(key: "limits.connections", fallback: .int(8192), range: 1...1_000_000)
    static let connectionsPerAddress = Setting(
        key: "limits.connectionsPerAddress",
        fallback: .int(0),
        range: 0...1_000_000
    )
    static let connectionMemoryBytes = Setting(
        key: "limits.connectionMemoryBytes",
        fallback: .int(32_768),
        range: 4096...1_048_576
    )
    static let requestTimeoutSeconds = Setting(
        key: "limits.requestTimeoutSeconds",
        fallback: .int(30),
        range: 1...86_400
    )
    static let idleTimeoutSeconds = Setting(key: "limits.idleTimeoutSeconds", fallback: .int(60), range: 1...3600)
    static let stopGraceSeconds = Setting(key: "limits.stopGraceSeconds", fallback: .int(10), range: 0...600)
    static let sessions = Setting(key: "limits.sessions", fallback: .int(1_000_000), range: 1...100_000_000)
    static let residentSessions = Setting(
        key: "limits.residentSessions",
        fallback: .int(50_000),
        range: 64...10_000_000
    )
    static let idleSessionDays = Setting(key: "limits.idleSessionDays", fallback: .int(30), range: 1...36_500)
    static let decks = Setting(key: "limits.decks", fallback: .int(10_000), range: 1...1_000_000)

    static let all = [
        host, port, data, workers, logLevel, connections, connectionsPerAddress, connectionMemoryBytes,
        requestTimeoutSeconds, idleTimeoutSeconds, stopGraceSeconds, sessions, residentSessions, idleSessionDays, decks,
    ]

    static var defaults: [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for setting in all {
            values[AbsoluteConfigKey(ConfigKey(setting.key))] = ConfigValue(setting.fallback, isSecret: false)
        }
        return values
    }

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
