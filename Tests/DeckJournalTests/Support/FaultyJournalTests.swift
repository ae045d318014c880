import DeckJournal
import JournalTesting
import Testing

/// The journal in which chosen calls fail, on which other tests rely.
@Suite struct FaultyJournalTests {
    @Test(arguments: [FaultyJournal.Failure.unavailable, .unknown])
    func aCallThatFailsDoesNotReachTheJournal(_ failure: FaultyJournal.Failure) async throws {
        let base = MemoryJournal()
        let journal = FaultyJournal(base)
        let first = try await journal.created(.sample("a"))
        journal.arm(.init(failure, of: [.append, .create, .end], lasts: true))
        for _ in 0..<3 {
            #expect(await journal.appendError(.sample("a", 2), to: "a", after: first) != nil)
            #expect(await JournalTesting.failure { journal.create(.sample("b"), completion: $0) } != nil)
            #expect(await JournalTesting.failure { journal.end("a", completion: $0) } != nil)
        }
        #expect(journal.calls == [.append: 3, .create: 3, .end: 3, .reserve: 3])
        #expect(journal.disarm() == 9)
        #expect(try await base.stored("a")?.revision == first)
        #expect(try await base.found("b").session == nil)
        #expect(try await base.totals().sessions == 1)
    }
}
