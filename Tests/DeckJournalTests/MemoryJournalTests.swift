import DeckJournal
import JournalTesting
import Testing

@Suite struct MemoryJournalTests {
    @Test func theFeedForgetsItsOldest() async throws {
        let journal = MemoryJournal(feedCapacity: 20)
        for (id, deck) in [("a", "x"), ("b", "y")] {
            try await value { journal.createSession(.sample(id, deck: deck), completion: $0) }
        }
        for version in 2...4 {
            let record = SessionRecord.sample("b", version, verdicts: [.given(version)])
            try await value { journal.commit(record, expecting: version - 1, completion: $0) }
        }
        for version in 2...100 {
            let record = SessionRecord.sample("a", version, verdicts: [.given(version)])
            try await value { journal.commit(record, expecting: version - 1, completion: $0) }
        }
        let all = try await value { journal.verdicts(after: .start, deck: nil, limit: 999, completion: $0) }
        #expect((18...20).contains(all.entries.count))
        #expect(all.entries.map(\.verdict.number) == Array((101 - all.entries.count)...100))
        #expect(all.end.position == 102)
        #expect(try await value { journal.verdicts(after: .start, deck: "x", limit: 999, completion: $0) } == all)
        let other = try await value { journal.verdicts(after: .start, deck: "y", limit: 999, completion: $0) }
        #expect(other.entries.isEmpty)
        let last = try await value {
            journal.verdicts(after: VerdictCursor(position: 101), deck: nil, limit: 9, completion: $0)
        }
        #expect(last.entries.map(\.verdict.number) == [100])
        // What the feed forgets still stands in its session.
        let standing = try await value { journal.standingVerdicts(of: "b", after: 0, limit: 9, completion: $0) }
        #expect(standing.map(\.number) == [2, 3, 4])
    }
}
