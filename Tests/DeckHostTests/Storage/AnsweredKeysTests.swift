import DeckJournal
import Testing

@testable import DeckHost

/// The idempotency keys that a session in memory knows.
struct AnsweredKeysTests {
    @Test func asManyKeysAreKnownAsThereCanBeAnswers() {
        var keys = AnsweredKeys()
        for number in 0..<2 * SessionLimits.answers { keys.add("\(number)") }
        #expect(!keys.mayContain("\(SessionLimits.answers - 1)"))
        for number in SessionLimits.answers..<2 * SessionLimits.answers { #expect(keys.mayContain("\(number)")) }
    }

    /// A key can be used again when its answer was forgotten.
    @Test func aKeyThatIsUsedAgainIsANewOne() {
        var keys = AnsweredKeys()
        keys.add("again")
        for number in 1..<SessionLimits.answers { keys.add("\(number)") }
        keys.add("again")
        for number in 1..<SessionLimits.answers { keys.add("new \(number)") }
        #expect(keys.mayContain("again"))
        keys.add("one more")
        #expect(!keys.mayContain("again"))
    }
}
