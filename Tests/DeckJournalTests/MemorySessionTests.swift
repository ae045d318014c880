import JournalTesting
import Testing

@testable import DeckJournal

struct MemorySessionTests {
    private func session(_ verdictCount: Int) -> MemorySession {
        var new = NewSession.sample("s")
        new.feedRecords = (1...verdictCount).map { .given($0) }
        return MemorySession(new, number: 1, revision: Revision(position: 1), at: time(1000))
    }

    private func readAll(_ session: MemorySession) -> Int {
        var (next, count) = (Optional(0), 0)
        while let number = next {
            let page = session.standingVerdicts(after: number, limit: .max)
            count += page.verdicts.count
            next = page.next
        }
        return count
    }

    /// The journal's lock is held while a page is read, so a page must not cost more because there are many others.
    @Test func readingManyVerdictsTakesAsLongForEach() {
        let (few, many) = (session(4_000), session(64_000))
        #expect(readAll(many) == 64_000)
        let ratio = leastProcessorTime { _ = readAll(many) } / leastProcessorTime { _ = readAll(few) }
        #expect(ratio < 50, "16 times as many")
    }

    /// Every second verdict stands, so that the shared numbers are as many ranges.
    @Test func sharingManyVerdictsTakesAsLongForEach() {
        func inherit(_ count: Int) -> Duration {
            let origin = session(count)
            let numbers = SessionOrigin(session: "s", numbers: stride(from: 1, through: count, by: 2)).standing
            return leastProcessorTime {
                var copy = MemorySession(.sample("c"), number: 2, revision: Revision(position: 2), at: time(1000))
                copy.inherit(numbers, from: origin)
                #expect(copy.standingVerdicts(after: 0, limit: 2).verdicts.map(\.number) == [1, 3])
            }
        }
        #expect(inherit(16_000) / inherit(1_000) < 50, "16 times as many")
    }
}
