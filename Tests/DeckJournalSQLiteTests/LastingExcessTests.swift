import Testing

@testable import DeckJournalSQLite

struct LastingExcessTests {
    private static let start = ContinuousClock.now
    private var excess = LastingExcess()

    private mutating func due(after seconds: Int, if current: Int) -> Int {
        excess.observe(current, at: Self.start + .seconds(seconds), over: .seconds(60))
        return excess.due
    }

    @Test mutating func whatIsUsedAgainWithinThePeriodStays() {
        #expect(due(after: 0, if: 900) == 0)
        #expect(due(after: 30, if: 100) == 0)
        #expect(due(after: 59, if: 900) == 0)
        #expect(due(after: 60, if: 900) == 100)
        #expect(due(after: 61, if: 40) == 40)
        #expect(due(after: 62, if: -5) == 0)
        #expect(due(after: 121, if: 900) == 0)
    }

    @Test mutating func whatWasRemovedIsNotDueAgain() {
        #expect(due(after: 0, if: 900) == 0)
        #expect(due(after: 60, if: 900) == 900)
        excess.remove(600)
        #expect(due(after: 61, if: 300) == 300)
        excess.remove(300)
        #expect(due(after: 120, if: 0) == 0)
    }
}
