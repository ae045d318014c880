import JournalTesting
import Testing

@testable import DeckJournalPostgreSQL

/// Connections to a database that cannot be reached, or cannot be used.
struct LinkTests {
    /// No server listens on this port.
    private static let address = "postgres://127.0.0.1:1/deckd"

    /// Each pause is a random part of a limit, from its half on, and the limit doubles.
    @Test func attemptsHavePausesThatGrowAndAreRandom() async throws {
        let link = Link(Connection.Target(address: Self.address))
        for limit in [50, 100, 200, 400] {
            #expect(throws: (any Error).self) { try link.connected() }
            let pause = link.pauseBeforeNextAttempt
            // Some milliseconds may have passed since the attempt.
            #expect(pause > .milliseconds(limit / 4) && pause <= .milliseconds(limit), "\(limit)")
            // An attempt within the pause fails at once, and does not make it longer.
            #expect(throws: (any Error).self) { try link.connected() }
            #expect(link.pauseBeforeNextAttempt <= pause)
            try await Task.sleep(for: link.pauseBeforeNextAttempt)
        }
    }

    /// Only a connection that was of use ends the pauses, and is followed.
    @Test func aRefusalIsAnAttemptThatFailed() async throws {
        let lead = Lead()
        let link = Link(Connection.Target(address: try PostgreSQLServer.newAddress()), leads: lead)
        let refusal = DatabaseFailure(code: "25006", message: "read-only", isConnectionLost: false)
        func refuse(_ limit: Int) async throws {
            _ = try link.connected()
            link.abandon(after: refusal)
            let pause = link.pauseBeforeNextAttempt
            #expect(pause <= .milliseconds(limit) && !link.mayReconnect, "\(limit)")
            // A shorter pause may be over already.
            if limit >= 800 {
                #expect(pause > .milliseconds(limit / 4))
                #expect(throws: DatabaseFailure.self) { try link.connected() }
            }
            try await Task.sleep(for: link.pauseBeforeNextAttempt)
        }
        for limit in [50, 100, 200, 400, 800] { try await refuse(limit) }
        #expect(lead.number == 0)
        for _ in 0..<2 {
            _ = try link.connected()
            link.prove()
        }
        #expect(lead.number == 1)
        // One that was of use is replaced at once.
        link.abandon(after: refusal)
        try await refuse(50)
        #expect(lead.number == 1)
    }

    @Test func nodesDoNotAllComeAtTheSameTime() {
        let pauses = (0..<20).map { _ in
            let link = Link(Connection.Target(address: Self.address))
            #expect(throws: (any Error).self) { try link.connected() }
            return link.pauseBeforeNextAttempt
        }
        guard let shortest = pauses.min(), let longest = pauses.max() else { return }
        #expect(longest - shortest > .milliseconds(5), "\(pauses)")
    }
}
