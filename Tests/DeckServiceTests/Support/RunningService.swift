import DeckJournal
import FoundationNetworking
import Logging
import MicroHTTP

@testable import DeckService

/// Runs a service on a free port of the loopback interface while the body runs.
func withService(
    journal: any Journal = MemoryJournal(),
    configure: (inout ServiceConfiguration) -> Void = { _ in },
    _ body: (Client) async throws -> Void
) async throws {
    var configuration = ServiceConfiguration()
    configure(&configuration)
    var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    let service = DeckService(configuration: configuration, journal: journal, logger: logger)
    await service.prepare()
    var serverConfiguration = ServerConfiguration(host: "127.0.0.1", port: 0)
    serverConfiguration.workerCount = 2
    let server = Server(configuration: serverConfiguration, application: service, logger: logger)
    try server.start()
    defer { server.stop(grace: .zero) }
    let client = Client(server.address.url)
    defer { client.session.invalidateAndCancel() }
    try await body(client)
}
