import DeckJournal
import JournalTesting
import Testing

@Suite struct DeckContractTests {
    @Test(arguments: JournalKind.allCases) func aDeckIsReadAsItWasPut(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            #expect(try await value { journal.deck("places", completion: $0) } == nil)
            #expect(try await value { journal.deckRevision("places", completion: $0) } == nil)
            let document: [UInt8] = [0, 255, 10, 0]
            let putResult = try await put("places", document, in: journal)
            guard case .created(let revision) = putResult else {
                Issue.record("the deck was not created but \(putResult)")
                return
            }
            let deck = StoredDeck(id: "places", revision: revision, document: document)
            #expect(try await value { journal.deck("places", completion: $0) } == deck)
            #expect(try await value { journal.deckRevision("places", completion: $0) } == revision)
        }
    }

    @Test(arguments: JournalKind.allCases) func revisionsGrowAndAreNeverGivenTwice(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var revisions: [Int] = []
            for (id, document) in [("a", "1"), ("a", "2"), ("b", "3")] {
                revisions.append(try await put(id, bytes(document), in: journal).revision)
            }
            #expect(try await value { journal.removeDeck("a", if: .none, completion: $0) })
            #expect(try await value { journal.removeDeck("b", if: .none, completion: $0) })
            revisions.append(try await put("a", [], in: journal).revision)
            #expect(revisions == Set(revisions).sorted())
        }
    }

    @Test(arguments: JournalKind.allCases) func aJournalKnowsWhetherItEverHadADeck(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await journal.created(.sample("s"))
            #expect(try await !journal.totals().hasHadDecks)
            _ = try await put("a", [], in: journal)
            #expect(try await journal.totals().hasHadDecks)
            #expect(try await value { journal.removeDeck("a", if: .none, completion: $0) })
            let counts = try await journal.totals()
            #expect(counts.hasHadDecks && counts.decks == 0)
        }
    }

    @Test(arguments: JournalKind.allCases) func aConditionThatIsFalseChangesNothing(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let ask = { condition in
                await failure { journal.putDeck("a", bytes("new"), if: condition, atMost: 9, completion: $0) }
            }
            #expect(await ask(.any) == .deckConflict(current: nil))
            #expect(await ask(.oneOf([1])) == .deckConflict(current: nil))
            #expect(try await value { journal.deck("a", completion: $0) } == nil)
            let revision = try await put("a", bytes("old"), in: journal).revision
            #expect(await ask(.oneOf([revision + 1])) == .deckConflict(current: revision))
            #expect(await ask(.oneOf([])) == .deckConflict(current: revision))
            let removal = await failure { journal.removeDeck("a", if: .oneOf([revision + 1]), completion: $0) }
            #expect(removal == .deckConflict(current: revision))
            #expect(try await value { journal.deck("a", completion: $0) }?.document == bytes("old"))
            #expect(await ask(.oneOf([revision + 1, revision])) == nil)
            #expect(try await value { journal.deck("a", completion: $0) }?.document == bytes("new"))
            #expect(await ask(.any) == nil)
        }
    }

    @Test(arguments: JournalKind.allCases) func aDeckThatMustBeAbsentIsPutOnce(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            for _ in 0..<2 {
                let putResult = try await value { completion in
                    journal.putDeck("a", bytes("old"), if: .absent, atMost: 9, completion: completion)
                }
                let refusal = await failure {
                    journal.putDeck("a", bytes("new"), if: .absent, atMost: 9, completion: $0)
                }
                #expect(refusal == .deckConflict(current: putResult.revision))
                #expect(try await value { journal.deck("a", completion: $0) }?.document == bytes("old"))
                #expect(try await value { journal.removeDeck("a", if: .any, completion: $0) })
            }
        }
    }

    @Test(arguments: JournalKind.allCases) func aRemovedDeckIsGone(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            _ = try await put("a", [1], in: journal)
            #expect(try await value { journal.removeDeck("a", if: .any, completion: $0) })
            #expect(try await value { journal.removeDeck("a", if: .any, completion: $0) } == false)
            #expect(try await value { journal.deck("a", completion: $0) } == nil)
            #expect(try await value { journal.counts(completion: $0) }.decks == 0)
        }
    }

    @Test(arguments: JournalKind.allCases) func thereAreNoMoreDecksThanThereMayBe(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            for id in ["a", "b"] { _ = try await put(id, [], in: journal) }
            let third = try await value { journal.putDeck("c", [], if: .none, atMost: 2, completion: $0) }
            #expect(third == .full)
            let again = try await value { journal.putDeck("b", [7], if: .none, atMost: 2, completion: $0) }
            guard case .replaced = again else {
                Issue.record("the second deck was not replaced but \(again)")
                return
            }
            #expect(try await value { journal.counts(completion: $0) }.decks == 2)
        }
    }

    @Test(arguments: JournalKind.allCases) func decksAreListedInTheOrderOfTheirIDs(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            for id in ["b", "B", "a1", "a", "_", "-", "Z9"] { _ = try await put(id, bytes(id), in: journal) }
            let first = try await value { journal.decks(after: "", limit: 4, completion: $0) }
            #expect(first.decks.map(\.id) == ["-", "B", "Z9", "_"])
            #expect(first.hasMore)
            let second = try await value { journal.decks(after: "_", limit: 3, completion: $0) }
            #expect(second.decks.map(\.id) == ["a", "a1", "b"])
            #expect(second.decks.map(\.document) == ["a", "a1", "b"].map(bytes))
            #expect(!second.hasMore)
            #expect(try await value { journal.decks(after: "b", limit: 3, completion: $0) }.decks.isEmpty)
        }
    }

    @Test(arguments: JournalKind.allCases) func aPageOfDecksFitsIntoMemory(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let large = [UInt8](repeating: 1, count: deckPageBytes / 2)
            for id in ["a", "b", "c"] { _ = try await put(id, large, in: journal) }
            let page = try await value { journal.decks(after: "", limit: 100, completion: $0) }
            #expect(page.decks.map(\.id) == ["a", "b"])
            #expect(page.hasMore)
        }
    }

    @Test(arguments: JournalKind.allCases) func aRequestWithAKeyIsMadeOnce(_ kind: JournalKind) async throws {
        let bench = try Bench(kind)
        func put(_ key: DeckKey, if condition: DeckCondition = .none) async -> Result<DeckPutResult, JournalError> {
            await result {
                bench.journal.putDeck("a", [1], if: condition, atMost: 1, once: key, completion: $0)
            }
        }
        let key = DeckKey(owner: "app", key: "k", fingerprint: [1], cardCount: 7)
        func known(_ key: DeckKey) async -> Result<DeckPutResult?, JournalError> {
            await result { bench.journal.deckPutResult(of: key, completion: $0) }
        }
        // A request that was refused leaves no trace.
        #expect(await put(key, if: .any) == .failure(.deckConflict(current: nil)))
        #expect(await known(key) == .success(nil))
        guard case .created(let revision) = try await put(key).get() else {
            Issue.record("the deck was not created")
            return
        }
        let before = DeckPutResult.putBefore(revision: revision, isNew: true, cardCount: 7)
        #expect(await known(key) == .success(before))
        #expect(await known(DeckKey(owner: "app", key: "k", fingerprint: [2])) == .failure(.alreadyAnswered))
        #expect(await known(DeckKey(owner: "other", key: "k", fingerprint: [1])) == .success(nil))
        #expect(await put(key, if: .oneOf([0])) == .success(before))
        #expect(await put(DeckKey(owner: "app", key: "k", fingerprint: [2])) == .failure(.alreadyAnswered))
        let other = try await put(DeckKey(owner: "other", key: "k", fingerprint: [2])).get()
        #expect(try await put(DeckKey(owner: "app", key: "l", fingerprint: [1])).get().revision > other.revision)
        #expect(try await value { bench.journal.removeDeck("a", if: .none, completion: $0) })
        #expect(await put(key) == .success(before))
        if JournalKind.persistent.contains(kind) { _ = try await bench.reopen() }
        #expect(await put(key) == .success(before))
        #expect(await known(key) == .success(before))
        #expect(try await value { bench.journal.deck("a", completion: $0) } == nil)
        try await bench.journal.closed()
    }

    @Test(arguments: JournalKind.allCases) func aKeyBeyondItsAgeIsNew(_ kind: JournalKind) async throws {
        let clock = TestClock(1000)
        try await kind.run(clock.options(ages: JournalAges(answers: .seconds(10)))) { journal in
            let key = DeckKey(owner: "", key: "k", fingerprint: [1])
            func put() async throws -> DeckPutResult {
                try await value { journal.putDeck("a", [1], if: .none, atMost: 1, once: key, completion: $0) }
            }
            let first = try await put()
            clock.set(10_900)
            #expect(try await put() == .putBefore(revision: first.revision, isNew: true, cardCount: 0))
            clock.set(11_100)
            #expect(
                try await eventually {
                    try await put() != .putBefore(revision: first.revision, isNew: true, cardCount: 0)
                }
            )
        }
    }

    private func put(_ id: String, _ document: [UInt8], in journal: any Journal) async throws -> DeckPutResult {
        try await value { journal.putDeck(id, document, if: .none, atMost: 100, completion: $0) }
    }
}

extension DeckPutResult {
    fileprivate var revision: Int {
        switch self {
        case .created(let revision), .replaced(let revision), .putBefore(let revision, _, _): revision
        case .full: -1
        }
    }
}
