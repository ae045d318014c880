import DeckHost
import Testing

@testable import DeckService

/// How many streams clients can open.
struct StreamCountsTests {
    private func openStreams(_ counts: StreamCounts, _ session: String, as payer: Payer) -> Int {
        var count = 0
        while (try? counts.enter(session, as: payer)) != nil { count += 1 }
        return count
    }

    @Test(arguments: [(1, 1, 0), (2, 1, 1), (3, 2, 1), (16, 12, 4)])
    func spectatorsLeaveAQuarterOfASessionsStreamsToPlayers(maximum: Int, spectators: Int, players: Int) {
        let counts = StreamCounts(maximum: 100, maximumPerSession: maximum)
        #expect(openStreams(counts, "a", as: .spectator) == spectators)
        #expect(openStreams(counts, "a", as: .player) == players)
        #expect(openStreams(counts, "b", as: .player) == maximum)
        #expect(openStreams(counts, "b", as: .spectator) == 0)
    }

    @Test func spectatorsLeaveAQuarterOfAllStreamsToPlayers() {
        let counts = StreamCounts(maximum: 8, maximumPerSession: 100)
        #expect(openStreams(counts, "a", as: .spectator) == 6)
        #expect(openStreams(counts, "b", as: .spectator) == 0)
        #expect(openStreams(counts, "b", as: .player) == 2)
    }

    @Test func aStreamThatIsOverLeavesItsPlace() throws {
        let counts = StreamCounts(maximum: 4, maximumPerSession: 2)
        let leave = try counts.enter("a", as: .spectator)
        #expect(openStreams(counts, "a", as: .spectator) == 0)
        leave()
        #expect(openStreams(counts, "a", as: .spectator) == 1)
        #expect(openStreams(counts, "a", as: .player) == 1)
    }
}
