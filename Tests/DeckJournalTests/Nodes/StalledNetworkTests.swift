import DeckJournal
import JournalTesting
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
}
