import ArgumentParser
import MicroHTTP

/// The command: `deckd serve`, `deckd check-config`, `deckd key`, `deckd replay`, `deckd backup`,
/// `deckd restore`, `deckd import`.
@main
struct Deckd: AsyncParsableCommand {
    static let release = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "deckd",
        abstract: "Hosts swipe decks over HTTP.",
        discussion: """
            A setting is a line of the configuration file or an environment variable (DECKD_PORT=8080); some are flags, too. \
            A flag overrides the environment, and the environment overrides the file.
            """,
        version: "deckd \(release) (libmicrohttpd \(Server.libraryVersion))",
        subcommands: [
            Serve.self, CheckConfig.self, Key.self, Replay.self, Backup.self, Restore.self, Import.self,
        ]
    )
}

/// The options of `serve` and `check-config`.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: "The address to listen on. Without API keys it must be a loopback address.")
    var host: String?

    @Option(help: "The port to listen on. 0 takes a free port.")
    var port: Int?

    @Option(help: "Where decks and sessions are stored: a file, :memory:, or the address of a PostgreSQL database.")
    var data: String?

    @Option(name: .customLong("config"), help: "The configuration file (YAML).")
    var configurationFile: String?

    /// Reads the settings.
    func load() throws(SettingsError) -> Settings {
        try Settings.load(host: host, port: port, data: data, file: configurationFile)
    }

    /// Reads the settings, or ends the command.
    func settings() throws -> Settings {
        do {
            return try load()
        } catch {
            try fail(error.description, status: 2)
        }
    }
}

/// Prints in one line why the command cannot continue, and ends it.
func fail(_ reason: String, status: Int32) throws -> Never {
    StandardError.write("deckd: \(reason)\n")
    throw ExitCode(status)
}
