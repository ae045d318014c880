import DeckHost
import DeckJournal
import FoundationNetworking
import Locking
import Logging
import MicroHTTP

@testable import DeckService

/// Runs a service on a free port of the loopback interface while the body runs.
func withService(
    journal: any Journal = MemoryJournal(),
    configure: (inout ServiceConfiguration) -> Void = { _ in },
    logger: Logger? = nil,
    rooms: ServiceRooms? = nil,
    _ body: (Client) async throws -> Void
) async throws {
    try await withRunningService(journal: journal, configure: configure, logger: logger) { client, service in
        rooms?.enter(service)
        try await body(client)
    }
}

/// The same, where the body also has the service itself.
func withRunningService(
    journal: any Journal = MemoryJournal(),
    configure: (inout ServiceConfiguration) -> Void = { _ in },
    logger: Logger? = nil,
    _ body: (Client, DeckService) async throws -> Void
) async throws {
    var configuration = ServiceConfiguration()
    configure(&configuration)
    let log = configuration.log
    var made = Logger(label: "test") { label in
        if let log { LineLogHandler(label: label, output: log) } else { StreamLogHandler.standardError(label: label) }
    }
    made.logLevel = log == nil ? .critical : .info
    let logger = logger ?? made
    let service = DeckService(configuration: configuration, journal: journal, logger: logger)
    await service.prepare()
    var serverConfiguration = ServerConfiguration(host: "127.0.0.1", port: 0)
    serverConfiguration.workerCount = 2
    let server = Server(configuration: serverConfiguration, application: service, logger: logger)
    try server.start()
    defer { server.stop(grace: .zero) }
    service.watch(server)
    let client = Client(server.address.url)
    defer { client.session.invalidateAndCancel() }
    try await body(client, service)
}

extension DeckService {
    /// Evicts every session from memory that has no stream. The configuration must have `residentIdleSeconds` 0, and no one
    /// may use the sessions in the meantime.
    func evictAll() async throws {
        _ = try await eventually("an empty memory") {
            sessions.evictIdle()
            if sessions.residentCount <= streams.count { return true }
            try await Task.sleep(for: .milliseconds(1))
            return nil
        }
    }
}

/// A look at who waits in a service while it runs.
final class ServiceRooms: Sendable {
    private let service = Lock<DeckService?>(nil)

    fileprivate func enter(_ service: DeckService) {
        self.service.withLock { $0 = service }
    }

    /// How many requests wait.
    func polls() -> Int {
        service.withLock { $0?.polls.count ?? 0 }
    }

    /// How many streams are open.
    func streams() -> Int {
        service.withLock { $0?.streams.count ?? 0 }
    }

    /// Asks all to leave.
    func close() {
        service.withLock { $0 }?.drain()
    }
}
