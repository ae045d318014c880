import Configuration
import DeckService
import Glibc
import Logging
import MicroHTTP
import SystemPackage

/// Everything that can be configured, in effect.
struct Settings: Sendable {
    var host: String
    var port: Int
    /// The file that keeps decks and sessions; `:memory:`: none does.
    var data: String
    var workers: Int
    var logLevel: Logger.Level
    var connections: Int
    var connectionsPerAddress: Int
    var connectionMemoryBytes: Int
    var requestTimeoutSeconds: Int
    var idleTimeoutSeconds: Int
    var stopGraceSeconds: Int
    var sessions: Int
    var residentSessions: Int
    var idleSessionDays: Int
    var decks: Int

    /// Reads the settings: flags before the environment, that before the file, that before the defaults.
    static func load(host: String?, port: Int?, data: String?, file: String?) async throws -> Settings {
        var flags: [AbsoluteConfigKey: ConfigValue] = [:]
        if let host { flags["host"] = ConfigValue(.string(host), isSecret: false) }
        if let data { flags["data"] = ConfigValue(.string(data), isSecret: false) }
        if let port { flags["port"] = ConfigValue(.int(port), isSecret: false) }
        try SettingsFile.checkEnvironment()
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: flags),
            EnvironmentVariablesProvider().prefixKeys(with: "deckd"),
        ]
        if let file {
            if try SettingsFile.check(file) { providers.append(try await provider(of: file)) }
        }
        providers.append(InMemoryProvider(name: "defaults", values: Setting.defaults))
        return try Settings(ConfigReader(providers: providers))
    }

    private static func provider(of file: String) async throws(SettingsError) -> any ConfigProvider {
        do {
            return try await FileProvider<YAMLSnapshot>(filePath: FilePath(file))
        } catch {
            let reason = "\(error)".split(separator: "\n").first.map(String.init) ?? ""
            throw SettingsError("the configuration file \(file) cannot be read: \(reason)")
        }
    }

    private init(_ reader: ConfigReader) throws(SettingsError) {
        let name = try Self.text(.host, reader)
        // Brackets belong to URLs; without them the address can be a line of a configuration file again.
        host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        port = try Self.number(.port, reader)
        data = try Self.text(.data, reader)
        workers = try Self.number(.workers, reader)
        let level = try Self.text(.logLevel, reader)
        guard let logLevel = Logger.Level(rawValue: level) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError("\(Setting.logLevel.key) must be one of \(levels), not \(level)")
        }
        self.logLevel = logLevel
        connections = try Self.number(.connections, reader)
        connectionsPerAddress = try Self.number(.connectionsPerAddress, reader)
        connectionMemoryBytes = try Self.number(.connectionMemoryBytes, reader)
        requestTimeoutSeconds = try Self.number(.requestTimeoutSeconds, reader)
        idleTimeoutSeconds = try Self.number(.idleTimeoutSeconds, reader)
        stopGraceSeconds = try Self.number(.stopGraceSeconds, reader)
        sessions = try Self.number(.sessions, reader)
        residentSessions = try Self.number(.residentSessions, reader)
        idleSessionDays = try Self.number(.idleSessionDays, reader)
        decks = try Self.number(.decks, reader)
        guard connections >= server.workerCount else {
            throw SettingsError(
                "limits.connections is \(connections), but each of the \(server.workerCount) workers needs one"
            )
        }
        guard isLoopback else {
            throw SettingsError(
                "host is \(host), but without API keys deckd listens on loopback only (127.0.0.1, ::1, localhost)"
            )
        }
    }

    private static func text(_ setting: Setting, _ reader: ConfigReader) throws(SettingsError) -> String {
        do {
            return try reader.requiredString(forKey: ConfigKey(setting.key))
        } catch {
            throw SettingsError("\(setting.key) must be a text")
        }
    }

    private static func number(_ setting: Setting, _ reader: ConfigReader) throws(SettingsError) -> Int {
        let range = setting.range
        let rule = "\(setting.key) must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = try? reader.requiredInt(forKey: ConfigKey(setting.key)) else { throw SettingsError(rule) }
        guard range.contains(number) else { throw SettingsError("\(rule), not \(number)") }
        return number
    }

    /// Whether only this machine can reach the address.
    private var isLoopback: Bool {
        if host == "localhost" { return true }
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }

    /// The settings as a configuration file would have them.
    var lines: [String] {
        [
            "host: \(host)", "port: \(port)", "data: \(data)", "workers: \(workers)", "logLevel: \(logLevel)",
            "limits:",
            "  connections: \(connections)", "  connectionsPerAddress: \(connectionsPerAddress)",
            "  connectionMemoryBytes: \(connectionMemoryBytes)", "  requestTimeoutSeconds: \(requestTimeoutSeconds)",
            "  idleTimeoutSeconds: \(idleTimeoutSeconds)", "  stopGraceSeconds: \(stopGraceSeconds)",
            "  sessions: \(sessions)", "  residentSessions: \(residentSessions)",
            "  idleSessionDays: \(idleSessionDays)", "  decks: \(decks)",
        ]
    }

    var server: ServerConfiguration {
        var server = ServerConfiguration(host: host, port: port)
        if workers > 0 { server.workerCount = workers }
        server.connectionLimit = connections
        server.perConnectionMemoryBytes = connectionMemoryBytes
        server.connectionsPerAddress = connectionsPerAddress
        server.requestTimeoutSeconds = requestTimeoutSeconds
        server.idleTimeoutSeconds = idleTimeoutSeconds
        return server
    }

    var service: ServiceConfiguration {
        var service = ServiceConfiguration()
        service.maximumSessions = sessions
        service.maximumResidentSessions = residentSessions
        service.idleSessionDays = idleSessionDays
        service.maximumDecks = decks
        return service
    }
}

/// Why deckd cannot run with what it was told.
struct SettingsError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
