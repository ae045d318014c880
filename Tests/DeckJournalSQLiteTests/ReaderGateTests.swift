import Testing

@testable import DeckJournalSQLite

struct ReaderGateTests {
    @Test func aPauseEndsByItself() {
        let gate = ReaderGate()
        let start = ContinuousClock.now
        // The time runs from the first call on.
        for _ in 0..<3 { #expect(gate.pause(upTo: .zero, endingWithin: .milliseconds(100))) }
        #expect(gate.pass { ContinuousClock.now - start } >= .milliseconds(100))
        gate.resume()
        #expect(gate.pause(upTo: .zero, endingWithin: .seconds(3600)))
        gate.resume()
        #expect(gate.pass { true })
    }

    @Test func aPauseWaitsForReads() {
        let gate = ReaderGate()
        gate.pass {
            #expect(!gate.pause(upTo: .milliseconds(10), endingWithin: .milliseconds(20)))
        }
        #expect(gate.pause(upTo: .milliseconds(10), endingWithin: .milliseconds(20)))
    }
}
