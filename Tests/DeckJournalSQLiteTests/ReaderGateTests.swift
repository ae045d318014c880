import Testing

@testable import DeckJournalSQLite

struct ReaderGateTests {
    @Test func aPauseEndsByItself() {
        let gate = ReaderGate(longestPause: .milliseconds(100))
        let start = ContinuousClock.now
        // The time runs from the first call on.
        for _ in 0..<3 { #expect(gate.pause(upTo: .zero) == .quiet) }
        #expect(gate.pass { ContinuousClock.now - start } >= .milliseconds(100))
        #expect(gate.isPaused)
        gate.resume()
        #expect(!gate.isPaused)
    }

    @Test func aPauseEndsWhenReadsAreResumed() {
        let gate = ReaderGate(longestPause: .seconds(3600))
        #expect(gate.pause(upTo: .zero) == .quiet)
        gate.resume()
        #expect(!gate.isPaused)
        #expect(gate.pass { true })
    }

    @Test func aPauseWaitsForReads() {
        let gate = ReaderGate(longestPause: .seconds(3600))
        gate.pass { #expect(gate.pause(upTo: .milliseconds(10)) == .waiting) }
        #expect(gate.pause(upTo: .milliseconds(10)) == .quiet)
    }

    @Test func aPauseThatEndsByItselfIsOver() {
        let gate = ReaderGate(longestPause: .milliseconds(5))
        gate.pass { #expect(gate.pause(upTo: .milliseconds(10)) == .over) }
    }
}
