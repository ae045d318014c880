import DeckJournal
import Foundation
import JournalTesting
import Locking
import Testing

@testable import DeckJournalPostgreSQL

/// Connections that stay open and pass nothing more.
@Suite struct StalledNetworkTests {
    /// The server's own limits do not see the network between node and proxy.
    @Test func aNodeThatIsCutOffWhileItSendsDoesNotStopTheOthers() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let proxy = try DatabaseProxy(to: address)
        defer { proxy.endStall() }
        let cutOff = try Connection(Connection.Target(address: proxy.address))
        proxy.stall(afterBytes: 100_000)
        let long = Statement("SELECT $1", [.text(String(repeating: "x", count: 1_000_000))])
        #expect(throws: DatabaseFailure.self) {
            try cutOff.run([Statement("BEGIN"), Tally.locking, long], within: .milliseconds(500))
        }
        let start = ContinuousClock.now
        #expect(await eventually { (try? await journal.created(.sample("a"))) != nil })
        #expect(.now - start < .seconds(30))
        withExtendedLifetime(cutOff) {}
        try await journal.closed()
    }

    /// The kernel does not end the connection here, as it does not end one over a Unix socket.
    @Test func aServerThatReadsNothingIsGivenUpInTime() async throws {
        let proxy = try DatabaseProxy(to: PostgreSQLServer.newAddress())
        defer { proxy.endStall() }
        let failure = Lock<DatabaseFailure?>(nil)
        let duration = Lock<Duration>(.zero)
        Thread.detachNewThread {
            guard
                let connection = try? Connection(
                    Connection.Target(address: proxy.address + "&tcp_user_timeout=0&keepalives=0")
                )
            else { return }
            proxy.stall(afterBytes: 0)
            let long = Statement("SELECT length($1)", [.text(String(repeating: "x", count: 40_000_000))])
            let start = ContinuousClock.now
            do {
                _ = try connection.run([long], within: .seconds(1))
            } catch {
                duration.withLock { $0 = .now - start }
                failure.withLock { $0 = error as? DatabaseFailure }
            }
        }
        #expect(await eventually { failure.withLock { $0 != nil } })
        #expect(failure.withLock { $0?.isConnectionLost } == true)
        #expect((.seconds(1) ... .seconds(5)).contains(duration.withLock(\.self)))
    }
}
