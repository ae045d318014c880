import DeckJournal
import JournalTesting
import Testing

@Suite struct RevisionContractTests {
    @Test(arguments: JournalKind.allCases) func revisionsAreNeverReused(_ kind: JournalKind) async throws {
        let bench = try Bench(kind)
        var revisions: [Revision] = []
        for round in 0..<3 {
            let journal = bench.journal
            revisions.append(try await journal.created(.sample("a\(round)")))
            revisions.append(try await journal.appended(.sample("a\(round)", 2), to: "a\(round)"))
            // The last revision before the file is opened again belongs to a session that has ended.
            _ = try await journal.ended("a\(round)")
            guard kind != .memory else { continue }
            if round == 0 { _ = try await value { journal.raiseGeneration(above: 0, completion: $0) } }
            _ = try await bench.reopen()
        }
        #expect(revisions == Set(revisions).sorted())
        try await bench.journal.closed()
    }

    @Test(arguments: JournalKind.persistent) func aLaterGenerationIsGreater(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            try await journal.appended(.sample("a", 2, feedRecords: [.given(1)]), to: "a", after: first)
            let deck = try await put(journal)
            let lost = Revision(position: 1_000_000_000)
            let lostCursor = FeedCursor(position: 1_000_000_000)
            #expect(try await value { journal.raiseGeneration(above: 0, completion: $0) } == 1)
            #expect(journal.statistics.generation == 1)
            let entry = Entry.sample("a", 3, feedRecords: [.given(2)])
            let second = try await journal.appended(entry, to: "a")
            #expect(second > lost)
            #expect(try await journal.wholeFeed().rows.map(\.record.number) == [1, 2])
            for deck in [nil, "places"] as [String?] {
                let filter = FeedFilter(deck: deck)
                let page = try await value { journal.feed(after: lostCursor, filter: filter, limit: 9, completion: $0) }
                #expect(page.rows.map(\.record.number) == [2])
                #expect(page.end.positions.allSatisfy { $0 > 1_000_000_000 })
            }
            #expect(try await value { journal.raiseGeneration(above: 7, completion: $0) } == 8)
            #expect(try await journal.appended(.sample("a", 4), to: "a", after: second) > second)
            #expect(try await put(journal) > deck + 1_000_000_000)
            let refusal = await failure { journal.raiseGeneration(above: .max - 1, completion: $0) }
            #expect(refusal != nil)
        }
    }

    @Test(arguments: JournalKind.persistent)
    func aSessionThatWasMadeForAnEarlierGenerationIsRefused(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            #expect(journal.generation(of: 0) == 0)
            _ = try await value { journal.raiseGeneration(above: 4, completion: $0) }
            var session = NewSession.sample("a")
            session.generation = 4
            #expect(await result { journal.create(session, completion: $0) }.error == .conflict(current: nil))
            session.generation = journal.generation(of: 0)
            #expect(session.generation == 5)
            let revision = try await journal.created(session)
            _ = try await value { journal.raiseGeneration(above: 5, completion: $0) }
            // It is a retry: the session was created.
            #expect(try await journal.created(session) == revision)
        }
    }

    /// Puts a deck and returns its revision.
    private func put(_ journal: any Journal) async throws -> Int {
        _ = try await value { journal.putDeck("d", [], if: .none, atMost: 9, completion: $0) }
        return try #require(try await value { journal.deck("d", completion: $0) }).revision
    }

    @Test(arguments: JournalKind.persistent) func theGenerationIsStored(_ kind: JournalKind) async throws {
        let bench = try Bench(kind)
        let first = try await bench.journal.created(.sample("a"))
        #expect(try await value { bench.journal.raiseGeneration(above: 4, completion: $0) } == 5)
        let journal = try await bench.reopen()
        #expect(journal.statistics.generation == 5)
        #expect(try await journal.stored("a")?.revision == first)
        let second = try await journal.appended(.sample("a", 2), to: "a", after: first)
        #expect(second > Revision(position: 1 << 40))
        try await journal.closed()
    }

    @Test func theTimeRaisesGenerationsUntilFewRemain() throws {
        func elapsed(_ milliseconds: Int64) -> Int { Generation.elapsed(at: WallTime(milliseconds: milliseconds)) }
        let start: Int64 = 1_767_225_600_000
        #expect([.min, -1, 0, start, start + 3_599_999].map(elapsed) == [0, 0, 0, 0, 0])
        #expect([start + 3_600_000, start + 7_200_000].map(elapsed) == [1, 2])
        let last = elapsed(.max)
        #expect(last == Generation.maximum - 16_384)
        #expect(elapsed(start + 3_600_000 * Int64(last - 1)) == last - 1)
        #expect(elapsed(start + 3_600_000 * Int64(last + 1)) == last)
        #expect(try Generation.next(after: last + 7, above: last) == last + 8)
        // The numbers of a session, which are JSON numbers.
        #expect((Generation.maximum + 1) << 35 == 1 << 53)
    }

    @Test func aRevisionIsReadAsItIsWritten() throws {
        let revision = Revision(position: 17 << 44 | 3)
        #expect(Revision(revision.description) == revision)
        for text in ["", "-1", "+1", "01", " 1", "99999999999999999999", "x"] {
            #expect(Revision(text) == nil)
            for cursor in [text, "0." + text, text + ".0"] { #expect(FeedCursor(cursor) == nil) }
        }
        #expect(Revision("1.0") == nil)
        #expect(FeedCursor("17")?.positions == [17])
        #expect(FeedCursor("17.0.5")?.positions == [17, 0, 5])
        #expect(FeedCursor("17.0.5")?.description == "17.0.5")
    }
}
