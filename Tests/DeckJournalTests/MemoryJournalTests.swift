import DeckJournal
import JournalTesting
import Testing

@Suite struct MemoryJournalTests {
    @Test func theFeedDropsItsOldestVerdicts() async throws {
        let journal = MemoryJournal(feedCapacity: 20)
        var heads: [String: Revision] = [:]
        for (id, deck) in [("a", "x"), ("b", "y")] { heads[id] = try await journal.created(.sample(id, deck: deck)) }
        for (id, count) in [("b", 3), ("a", 100)] {
            for version in 2...count + 1 {
                let entry = Entry.sample(id, version, feedRecords: [.given(version)])
                heads[id] = try await journal.appended(entry, to: id, after: try #require(heads[id]))
            }
        }
        let all = try await journal.wholeFeed()
        #expect(all.rows.map(\.record.number) == Array(82...101))
        #expect(all.end.position == 103)
        func page(_ deck: String?, after position: Int64 = 0) async throws -> FeedPage {
            try await value {
                journal.feed(
                    after: FeedCursor(position: position),
                    filter: FeedFilter(deck: deck),
                    limit: 999,
                    completion: $0
                )
            }
        }
        #expect(try await page("x") == all)
        #expect(try await page("y").rows.isEmpty)
        #expect(try await page(nil, after: 102).rows.map(\.record.number) == [101])
        // A verdict that the feed dropped still stands in its session.
        #expect(try await journal.standing(in: "b").map(\.number) == [2, 3, 4])
    }
}
