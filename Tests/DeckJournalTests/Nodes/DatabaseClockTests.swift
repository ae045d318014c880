import DeckJournal
import Testing

@testable import DeckJournalPostgreSQL

/// The clock of the database, as a node knows it.
@Suite struct DatabaseClockTests {
    private func time(_ seconds: Int64) -> WallTime { WallTime(milliseconds: seconds * 1000) }

    @Test(
        arguments: [
            // The response may have waited for a lock.
            (server: 100, sent: 97, received: 103, difference: 0, now: 500), (200, 100, 103, 97, 597),
            (10, 100, 103, 90, 410), (105, 100, 103, 2, 500), (106, 100, 103, 3, 503),
        ] as [(Int64, Int64, Int64, Int64, Int64)]
    )
    func theLeastPossibleDifferenceCounts(
        _ server: Int64,
        _ sent: Int64,
        _ received: Int64,
        _ difference: Int64,
        _ now: Int64
    ) {
        let clock = DatabaseClock { WallTime(milliseconds: 500_000) }
        clock.compare(time(server), sent: time(sent), received: time(received))
        #expect(clock.difference == .seconds(difference))
        #expect(clock.now == time(now))
    }

    @Test func aResponseThatWasLateDoesNotChangeAPossibleDifference() {
        let clock = DatabaseClock(WallTime.now)
        for (received, difference) in [(100, 3), (102, 3), (104, 3), (105, 2)] as [(Int64, Int64)] {
            clock.compare(time(received < 105 ? 103 : 102), sent: time(100), received: time(received))
            #expect(clock.difference == .seconds(difference), "\(received)")
        }
    }

    @Test func aLargeDifferenceIsAnErrorUntilItIsGone() {
        let clock = DatabaseClock(WallTime.now)
        for (server, isError) in [(160, false), (161, true), (-400, true), (100, false)] as [(Int64, Bool)] {
            clock.compare(time(server), sent: time(100), received: time(100))
            #expect(((try? clock.finding.get()) == nil) == isError, "\(server)")
        }
    }
}
