import ArgumentParser
import DeckJournal
import DeckService
import Logging
import MicroHTTP
import UnixSignals

/// Serves until a signal stops it.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves decks until SIGTERM or SIGINT."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        var settings = try options.settings()
        let log = LogOutput(format: settings.logFormat)
        // However this ends, the log is written until then.
        defer { log.close() }
        var logger = Logger(label: "deckd") { LineLogHandler(label: $0, output: log) }
        logger.logLevel = settings.logLevel
        let supervisor = Supervisor()
        settings.warnOfExpiredKeys(logger)
        try adoptSockets(of: supervisor, in: &settings, logger)
        // From here on signals are queued until they are read.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        let journal = try await Opening(settings: settings, log: log, logger: logger).journal()
        settings.service.release = Deckd.release
        settings.service.log = log
        let service = DeckService(configuration: settings.service, journal: journal, logger: logger)
        await service.prepare()
        let servers = try start(service, settings, logger)
        guard let server = servers.first else { return }
        greet(server.address.url, admin: servers.dropFirst().first?.address.url, !settings.service.apiKeys.isEmpty)
        if !supervisor.tell("READY=1\nSTATUS=Serving at \(server.address.url)") {
            logger.warning("cannot notify the supervisor that deckd is ready")
        }
        let tidying = Task { try await tidy(service) }
        let watching = Task { try await report(service, to: supervisor) }
        let reload = Reload(
            options: options,
            started: settings,
            service: service,
            servers: servers,
            supervisor: supervisor,
            logger: logger
        )
        let reloading = Task { await reload.obey(reloads) }
        let stop = Stop(servers: servers, service: service, journal: journal, settings: settings, logger: logger)
        await stop.wait(for: signals) {
            // The time in the unit's file need not follow the settings.
            supervisor.tell("STOPPING=1\nEXTEND_TIMEOUT_USEC=\(stop.limit.components.seconds * 1_000_000)")
        }
        tidying.cancel()
        watching.cancel()
        reloading.cancel()
    }

    /// Starts the server, and the server of the operators' routes if there is one.
    private func start(_ service: DeckService, _ settings: Settings, _ logger: Logger) throws -> [Server] {
        var servers: [Server] = []
        if let admin = settings.admin {
            let application = service.forThePublic
            servers.append(Server(configuration: settings.server, application: application, logger: logger))
            servers.append(Server(configuration: admin, application: service, logger: logger))
        } else {
            servers.append(Server(configuration: settings.server, application: service, logger: logger))
        }
        for server in servers {
            do {
                try server.start()
            } catch {
                try fail("\(error)", status: 1)
            }
            let version = Server.libraryVersion
            logger.info("serving", metadata: ["url": "\(server.address.url)", "libmicrohttpd": "\(version)"])
            service.watch(server)
        }
        return servers
    }

    /// Lets the server listen on the inherited sockets, if there are any.
    private func adoptSockets(of supervisor: Supervisor, in settings: inout Settings, _ logger: Logger) throws {
        do {
            let sockets = try supervisor.sockets()
            guard !sockets.isEmpty else { return try settings.checkListeners() }
            let urls = try settings.adopt(sockets).map(\.url).joined(separator: ", ")
            logger.info("listening on inherited sockets; host and port are not used", metadata: ["sockets": "\(urls)"])
        } catch let error as SettingsError {
            try fail(error.description, status: 2)
        } catch {
            try fail("\(error)", status: 1)
        }
    }

    /// Notifies the supervisor that deckd is alive as long as every worker is, if the supervisor watches it.
    private func report(_ service: DeckService, to supervisor: Supervisor) async throws {
        guard let interval = supervisor.watchdogInterval else { return }
        while true {
            service.afterATurnOfEachLoop {
                // A worker must not wait for the supervisor.
                Task { supervisor.tell("WATCHDOG=1") }
            }
            try await Task.sleep(for: interval / 2)
        }
    }

    /// Does the housekeeping of the service once a minute, see ``DeckService/tidy()``.
    private func tidy(_ service: DeckService) async throws {
        while true {
            service.tidy()
            try await Task.sleep(for: .seconds(60))
        }
    }

    /// Prints the address of the server, and a command that creates a session.
    ///
    /// - Parameter admin: the address where sessions are created, if it is another one.
    private func greet(_ url: String, admin: String?, _ isGuarded: Bool) {
        let header = isGuarded ? "-H 'Authorization: Bearer KEY' " : ""
        let body = #"{"deck": "\#(DeckService.sampleDeckID)", "viewport": {"width": 375, "height": 600}}"#
        var lines = ["deckd \(Deckd.release) at \(url)"]
        if let admin { lines.append("Operators' routes are at \(admin)") }
        lines.append("Open \(admin ?? url)/ in a browser, or create a session with the sample deck:")
        lines.append("  curl \(header)--json '\(body)' '\(admin ?? url)/v1/sessions'")
        let text = lines.joined(separator: "\n")
        // The server must not wait for a reader who has stopped.
        startThread("greeting") { StandardOutput.write(lineIfRead: text) }
    }
}
