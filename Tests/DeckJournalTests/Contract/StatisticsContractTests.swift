import DeckJournal
import JournalTesting
import Testing

@Suite struct StatisticsContractTests {
    @Test(arguments: JournalKind.allCases) func everyChangeIsCounted(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            func count(_ change: () async throws -> Void) async throws -> Int {
                let former = journal.statistics.changes
                try await change()
                return journal.statistics.changes - former
            }
            let creation = try await count { try await journal.created(.sample("a")) }
            #expect(creation == 1)
            let first = try #require(try await journal.stored("a")?.revision)
            let entry = try await count { try await journal.appended(.sample("a", 2), to: "a", after: first) }
            #expect(entry == 1)
            let touch = try await count { try await value { journal.touch(["a"], at: time(5000), completion: $0) } }
            #expect(touch == 1)
            let end = try await count { _ = try await journal.ended("a") }
            #expect(end == 1)
            let putResult = try await count {
                _ = try await value { journal.putDeck("d", [1], if: .none, atMost: 9, completion: $0) }
            }
            #expect(putResult == 1)
            let removal = try await count { _ = try await value { journal.removeDeck("d", if: .none, completion: $0) } }
            #expect(removal == 1)
            guard kind != .memory else { return }
            let generation = try await count {
                _ = try await value { journal.raiseGeneration(above: 0, completion: $0) }
            }
            #expect(generation == 1)
        }
    }
}
