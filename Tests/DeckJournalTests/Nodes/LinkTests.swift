import Testing

@testable import DeckJournalPostgreSQL

/// Connections to a database that cannot be reached.
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
