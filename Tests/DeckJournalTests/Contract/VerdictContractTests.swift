import DeckJournal
import JournalTesting
import Testing

@Suite struct VerdictContractTests {
    @Test(arguments: JournalKind.allCases) func aVerdictStandsUntilItIsReverted(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await journal.created(.sample("a"))
            try await journal.created(.sample("b"))
            try await append([.given(1), .given(2), .given(3)], to: "a", journal)
            try await append([.given(1)], to: "b", journal)
            #expect(try await journal.standing(in: "a") == [.given(1), .given(2), .given(3)])
            try await append([.reverted(3), .reverted(2), .given(4)], to: "a", journal)
            #expect(try await journal.standing(in: "a") == [.given(1), .given(4)])
            // A verdict that is redone may have its former number.
            try await append([.given(2)], to: "a", journal)
            #expect(try await journal.standing(in: "a") == [.given(1), .given(2), .given(4)])
            try await append([.reverted(2), .given(2), .reverted(2), .reverted(1)], to: "a", journal)
            #expect(try await journal.standing(in: "a") == [.given(4)])
            #expect(try await journal.standing(in: "b") == [.given(1)])
            #expect(try await journal.standing(in: "nobody").isEmpty)
        }
    }

    @Test(arguments: JournalKind.allCases) func aPendingSwipeIsInTheFeedAndNoVerdict(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let pending = FeedRecord.sample(0, .pending)
            try await journal.created(.sample("a"))
            try await append([pending, .given(1), pending], to: "a", journal)
            #expect(try await journal.standing(in: "a") == [.given(1)])
            #expect(try await journal.wholeFeed().rows.map(\.record) == [pending, .given(1), pending])
            var fork = NewSession.sample("b")
            fork.origin = SessionOrigin(session: "a", numbers: [1])
            try await journal.created(fork)
            #expect(try await journal.standing(in: "b") == [.given(1)])
            #expect(try await journal.wholeFeed().rows.count == 3)
        }
    }

    @Test(arguments: JournalKind.allCases) func standingVerdictsCanBeReadInPages(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await journal.created(.sample("a"))
            try await append((1...9).map { .given($0) } + [.reverted(5)], to: "a", journal)
            let page = try await value { journal.standingVerdicts(of: "a", after: 3, limit: 3, completion: $0) }
            #expect(page.verdicts.map(\.number) == [4, 6, 7])
            #expect(page.next == 7)
        }
    }

    /// However many verdicts were reverted, a page covers at most 1,000 numbers in a row.
    @Test(arguments: JournalKind.allCases) func aPageCoversAtMostAThousandNumbers(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await journal.created(.sample("a"))
            let far = 1_000_000_000
            let standing = [5, 2400, far, far + 999, far + 1000, .max]
            let reverted = (1...2500).filter { !standing.contains($0) }
            for part in stride(from: 0, to: reverted.count, by: 500).map({ reverted[$0...].prefix(500) }) {
                try await append(part.flatMap { [.given($0), .reverted($0)] }, to: "a", journal)
            }
            try await append(standing.map { .given($0) }, to: "a", journal)
            var fork = NewSession.sample("b")
            fork.origin = SessionOrigin(session: "a", numbers: standing)
            try await journal.created(fork)
            for id in ["a", "b"] {
                var pages: [StandingPage] = []
                var next: Int? = 0
                while let number = next {
                    pages.append(
                        try await value { journal.standingVerdicts(of: id, after: number, limit: 9, completion: $0) }
                    )
                    next = pages.last?.next
                }
                #expect(pages.flatMap(\.verdicts) == standing.map { .given($0) })
                for (page, number) in zip(pages, [0] + pages.compactMap(\.next)) {
                    #expect(page.verdicts.allSatisfy { $0.number - number <= 1000 })
                }
            }
            let first = try await value { journal.standingVerdicts(of: "a", after: 0, limit: 9, completion: $0) }
            #expect(first == StandingPage(verdicts: [.given(5)], next: kind == .memory ? 2399 : 1000))
        }
    }

    @Test(arguments: JournalKind.allCases) func theFeedHasTheVerdictsOfAllSessionsInOrder(
        _ kind: JournalKind
    ) async throws {
        try await kind.run { journal in
            try await journal.created(.sample("a", deck: "x"))
            try await journal.created(.sample("b", deck: nil))
            var third = NewSession.sample("c", deck: "y")
            third.feedRecords = [.given(7)]
            try await append([.given(1)], to: "a", journal)
            try await append([.given(1), .given(2)], to: "b", journal)
            try await journal.created(third)
            try await append([.reverted(1)], to: "a", journal)
            // The feed outlives the session.
            _ = try await journal.ended("a")
            let feed = try await journal.wholeFeed()
            let end = FeedRecord.notice(.ended, atMilliseconds: 0)
            #expect(feed.rows.map(\.session) == ["a", "b", "b", "c", "a", "a"])
            #expect(feed.rows.map(\.deck) == ["x", nil, nil, "y", "x", "x"])
            #expect(feed.rows.map(\.record) == [.given(1), .given(1), .given(2), .given(7), .reverted(1), end])
            #expect(feed.rows.map(\.cursor.position) == feed.rows.map(\.cursor.position).sorted())
            #expect(Set(feed.rows.map(\.cursor)).count == 6)
            #expect(feed.end == feed.rows.last?.cursor)
        }
    }

    @Test(arguments: JournalKind.allCases) func theFeedIsReadFromACursorOn(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            #expect(try await journal.wholeFeed() == FeedPage(rows: [], end: .start, newest: .start))
            try await journal.created(.sample("a", deck: "x"))
            try await journal.created(.sample("b", deck: "y"))
            for version in 1...10 {
                try await append([.given(version)], to: version.isMultiple(of: 5) ? "b" : "a", journal)
            }
            for deck in [nil, "x", "y", "z"] as [String?] {
                func page(_ cursor: FeedCursor, _ limit: Int) async throws -> FeedPage {
                    let filter = FeedFilter(deck: deck)
                    let page = try await value {
                        journal.feed(after: cursor, filter: filter, limit: limit, completion: $0)
                    }
                    let end = try await value {
                        journal.feedEnd(after: cursor, filter: filter, limit: limit, completion: $0)
                    }
                    #expect(end == FeedEnd(page))
                    return page
                }
                for limit in 0...11 { _ = try await page(.start, limit) }
                let all = try await page(.start, 99)
                var paged: [FeedRow] = []
                var cursor = FeedCursor.start
                while true {
                    let part = try await page(cursor, 3)
                    paged += part.rows
                    cursor = try #require(FeedCursor(part.end.description))
                    if part.rows.count < 3 { break }
                }
                #expect(paged == all.rows)
                #expect(cursor == all.end)
                #expect(all.rows.allSatisfy { deck == nil || $0.deck == deck })
                #expect(all.rows.count == [nil: 10, "x": 8, "y": 2, "z": 0][deck])
            }
        }
    }

    @Test(arguments: JournalKind.allCases) func anIDCanHaveAnyCharacters(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var verdict = FeedRecord.given(1)
            verdict.cardID = "a\u{0}b \u{1F0A1}'\"\\\u{FFFF}"
            try await journal.created(.sample("a"))
            try await journal.appended(.sample("a", 2, feedRecords: [verdict]), to: "a")
            #expect(try await journal.wholeFeed().rows.map(\.record) == [verdict])
            #expect(try await journal.standing(in: "a") == [verdict])
        }
    }

    @Test(arguments: JournalKind.allCases) func observersAreCalledAboutNewFeedRows(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            journal.onNewFeedRows { continuation.yield() }
            var head = try await journal.created(.sample("a"))
            // An entry without verdicts and one that is refused do not count.
            head = try await journal.appended(.sample("a", 2), to: "a", after: head)
            let old = Revision(position: 0)
            _ = await journal.appendError(.sample("a", 9, feedRecords: [.given(9)]), to: "a", after: old)
            var reports = stream.makeAsyncIterator()
            for version in 3...5 {
                let entry = Entry.sample("a", version, feedRecords: [.given(version)])
                head = try await journal.appended(entry, to: "a", after: head)
                try #require(await reports.next() != nil)
                #expect(try await journal.wholeFeed().rows.count == version - 2)
            }
        }
    }

    private func append(_ records: [FeedRecord], to session: String, _ journal: any Journal) async throws {
        let version = try #require(try await journal.stored(session)?.version)
        try await journal.appended(.sample(session, version + 1, feedRecords: records), to: session)
    }
}
