import DeckJournal
import JournalTesting
import Testing

@testable import DeckJournalSQLite

struct HeadCacheTests {
    /// Otherwise the heads of ended sessions would fill the cache, and those of the others would be removed with them.
    @Test func itHasNoHeadsOfEndedSessions() {
        var heads = Dictionary(
            uniqueKeysWithValues: ["a", "b"].enumerated().map { number, id in
                (id, SessionHead(.sample(id), number: number, position: number))
            }
        )
        let cache = HeadCache()
        cache.add(heads)
        #expect(cache["a"] != nil)
        heads["a"]?.hasEnded = true
        cache.add(heads)
        #expect(cache["a"] == nil)
        #expect(cache["b"]?.number == 1)
    }
}
