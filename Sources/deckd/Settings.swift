import DeckService
import Logging
import MicroHTTP

/// The effective settings. A new value has the defaults of all settings that can be written.
struct Settings: Sendable {
    /// The settings of the HTTP server.
    var server = ServerConfiguration()
    /// The limits of the service.
    var service = ServiceConfiguration()
    /// Where decks and sessions are stored, as `DataPlace` reads it.
    var data = "deckd.sqlite"
    /// Event loops; 0: one for each core that the process may use.
    var workers = 0
    /// The number of threads for long work; 0: half the number of cores.
    var workThreads = 0
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.text
    /// The files of the certificate and its key; both empty: no TLS.
    var tlsCertificate = ""
    var tlsKey = ""
    var stopGraceSeconds = 10
    var drainSeconds = 0
    /// Sessions are ended after this number of days without use.
    var idleSessionDays = 30
    /// For this number of days verdicts are stored; 0: forever.
    var verdictDays = 0
    /// For this number of days lines of logs are stored; 0: as long as their session.
    var logDays = 0
    /// The file of API keys; empty: none.
    var keysFile = ""
    /// API keys, as they are written in the configuration.
    var keysText = ""
    /// The origins whose scripts may read the answers, as they are written in the configuration.
    var originsText = ""
    var hostsText = ""
    /// The addresses of trusted proxies, as they are written in the configuration.
    var forwardedForText = ""
    var proxyProtocolText = ""
    /// The address of the operators' routes, as it is written in the configuration; empty: that of the others.
    var adminText = ""
    /// The server of operators' routes; nil: they are served with the others.
    var admin: ServerConfiguration?
    /// Where the settings are written, by their keys. Those that have their defaults are written nowhere.
    private var places: [String: String] = [:]

    /// Reads the settings. Flags override the environment, which overrides the file, which overrides the defaults.
    static func load(host: String?, port: Int?, data: String?, file: String?) throws(SettingsError) -> Settings {
        var settings = try values(host: host, port: port, data: data, file: file)
        try settings.complete()
        return settings
    }

    /// Reads only the values of the settings, and not the files that they name: certificates and keys may be readable only
    /// while the service runs.
    static func values(
        host: String? = nil,
        port: Int? = nil,
        data: String?,
        file: String?
    ) throws(SettingsError) -> Settings {
        var values = try file.map(SettingsFile.values(in:)) ?? [:]
        values.merge(try SettingsEnvironment.values()) { $1 }
        for (key, flag) in ["host": host, "port": port.map(String.init), "data": data] {
            if let flag { values[key] = WrittenValue(flag, at: "--\(key)") }
        }
        return try Settings(values)
    }

    /// - Parameter values: by the keys of their settings. Other settings have their defaults.
    private init(_ values: [String: WrittenValue]) throws(SettingsError) {
        places = values.mapValues(\.place)
        for setting in Setting.all {
            if let value = values[setting.key] { try setting.take(&self, value) }
        }
        try DataPlace.check(data, of: title(of: "data"))
    }

    /// The key of a setting for error messages, after the place where it is written.
    func title(of key: String) -> String {
        places[key].map { "\($0): \(key)" } ?? key
    }

    /// Reads the files that the settings name, and checks the settings together.
    private mutating func complete() throws(SettingsError) {
        // Brackets are part of a URL. Without them the address can be written into a configuration file again.
        server.host = withoutBrackets(server.host)
        service.workThreads = workThreads > 0 ? workThreads : max(1, ServerConfiguration.availableProcessors / 2)
        if workers > 0 { server.workerCount = workers }
        try checkConnections()
        service.apiKeys = try apiKeys()
        service.allowedOrigins = try allowedOrigins()
        service.allowedHosts = try allowedHosts()
        server.forwardingProxies = try Self.addressRanges(forwardedForText, of: title(of: "proxies.forwardedFor"))
        server.proxyHeaderPeers = try Self.addressRanges(proxyProtocolText, of: title(of: "proxies.protocol"))
        server.tls = try tlsIdentity()
        admin = try adminServer()
    }

    /// Requires a connection limit of at least one for each worker.
    func checkConnections() throws(SettingsError) {
        guard server.connectionLimit >= server.workerCount else {
            let title = title(of: "limits.connections")
            throw SettingsError(
                "\(title) is \(server.connectionLimit), but each of the \(server.workerCount) workers needs one"
            )
        }
    }

    /// Checks that a server without keys can only be reached from its machine.
    ///
    /// - Parameter name: the name of what has the host, for the error message.
    func checkReach(of host: String, called name: String) throws(SettingsError) {
        guard isLoopback(host) || !service.apiKeys.isEmpty else {
            throw SettingsError(
                """
                \(name) is \(String(reflecting: host)), but without API keys deckd listens on loopback only \
                (127.0.0.1, ::1, localhost)
                """
            )
        }
    }

    /// The settings in the form of a configuration file.
    var lines: [String] {
        var lines: [String] = []
        var group: [Substring] = []
        for setting in Setting.all {
            let names = setting.key.split(separator: ".")
            for depth in names.indices.dropLast() where group.prefix(depth + 1) != names.prefix(depth + 1) {
                lines.append(String(repeating: "  ", count: depth) + "\(names[depth]):")
            }
            group = names.dropLast()
            lines.append(String(repeating: "  ", count: group.count) + "\(names[group.count]): \(setting.show(self))")
        }
        return lines
    }
}

/// Why deckd cannot run with its settings.
struct SettingsError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
