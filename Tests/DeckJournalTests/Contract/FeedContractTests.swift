import DeckJournal
import JournalTesting
import Testing

/// The notices and the filters of the feed.
@Suite struct FeedContractTests {
    private static let needsCards = FeedRecord.notice(.needsCards, atMilliseconds: 5.5)
    private static let ranOut = FeedRecord.notice(.ranOut, atMilliseconds: 6.5)
    private static let ended = FeedRecord.notice(.ended, atMilliseconds: 0)

    /// Rows of four sessions: of two users, with two decks and without one.
    private func fill(_ journal: any Journal) async throws {
        let sessions: [(String, UserName?, String?)] = [
            ("a", "zoë", "x"), ("b", "zoë", "y"), ("c", "max", "x"), ("d", nil, nil),
        ]
        for (id, user, deck) in sessions {
            var session = NewSession.sample(id, deck: deck)
            session.identity.user = user
            if id == "d" { session.feedRecords = [Self.needsCards] }
            try await journal.created(session)
        }
        let pending = FeedRecord.sample(0, .pending)
        let rows: [(String, [FeedRecord])] = [
            ("a", [.given(1), Self.needsCards]), ("c", [.given(1)]), ("b", [pending, .given(1), Self.ranOut]),
            ("a", [.reverted(1), .given(2), Self.ranOut]), ("d", [.given(1), .given(2)]), ("c", [.reverted(1)]),
        ]
        for (id, records) in rows {
            let version = try #require(try await journal.stored(id)?.version)
            try await journal.appended(.sample(id, version + 1, feedRecords: records), to: id)
        }
        #expect(try await journal.ended("b") == .ended)
        #expect(try await journal.ended("b") == .hadEnded)
    }

    @Test(arguments: JournalKind.allCases) func noticesAreAmongTheVerdictsInOrder(_ kind: JournalKind) async throws {
        let bench = try Bench(kind)
        try await fill(bench.journal)
        let feed = try await bench.journal.wholeFeed()
        #expect(feed.rows.map(\.session).joined() == "daacbbbaaaddcb")
        #expect(
            feed.rows.map(\.record.kind) == [
                .needsCards, .given, .needsCards, .given, .pending, .given, .ranOut, .reverted, .given, .ranOut,
                .given, .given, .reverted, .ended,
            ]
        )
        #expect(feed.rows[2].record == Self.needsCards && feed.rows.last?.record == Self.ended)
        #expect(feed.rows.map(\.cursor.positions[0]) == Array(1...14))
        #expect(feed.newest == feed.end)
        // A session that has ended still has its user and its deck there, and a verdict that stands is no notice.
        #expect(feed.rows.last?.user == "zoë" && feed.rows.last?.deck == "y")
        #expect(try await bench.journal.standing(in: "a") == [.given(2)])
        if JournalKind.persistent.contains(kind) {
            #expect(try await bench.reopen().wholeFeed() == feed)
        }
        try await bench.journal.closed()
    }

    /// Every combination of the filters gives the rows of the whole feed that meet it, in pages of any size. In a long feed,
    /// other indexes find them.
    @Test(arguments: JournalKind.allCases, [false, true])
    func rowsAreSelected(_ kind: JournalKind, isLong: Bool) async throws {
        try await kind.run { journal in
            if isLong {
                try await journal.created(.sample("e", deck: "z"))
                try await fillFurther("e", journal)
            }
            try await fill(journal)
            let all = try await read(.all, pages: 1000, journal)
            let kinds: [Set<FeedRecord.Kind>?] = [
                nil, [.given, .reverted], [.pending], [.needsCards, .ranOut, .ended], [.given, .ended],
                [.pending, .ended], [],
            ]
            for kinds in kinds {
                for deck in [nil, "x"] {
                    for user: UserName? in [nil, "zoë"] {
                        for session in [nil, "a", "none"] {
                            let filter = FeedFilter(kinds: kinds, deck: deck, user: user, session: session)
                            let expected = all.filter { row in
                                (kinds?.contains(row.record.kind) ?? true) && (deck ?? row.deck) == row.deck
                                    && (user ?? row.user) == row.user && (session ?? row.session) == row.session
                            }
                            #expect(try await read(filter, pages: isLong ? 999 : 4, journal) == expected, "\(filter)")
                        }
                    }
                }
            }
            #expect(try await read(FeedFilter(user: "zoë"), pages: 3, journal).count == 9)
            #expect(try await read(FeedFilter(user: "zoe\u{308}"), pages: 3, journal).isEmpty)
        }
    }

    /// Reads everything in pages, and compares each with where it should end.
    private func read(_ filter: FeedFilter, pages limit: Int, _ journal: any Journal) async throws -> [FeedRow] {
        var (rows, cursor) = ([FeedRow](), FeedCursor.start)
        while true {
            let page = try await value { journal.feed(after: cursor, filter: filter, limit: limit, completion: $0) }
            let end = try await value { journal.feedEnd(after: cursor, filter: filter, limit: limit, completion: $0) }
            #expect(FeedEnd(page) == end && !page.end.isAhead(of: page.newest))
            rows += page.rows
            cursor = page.end
            guard page.rows.count == limit || page.isPartial else { return rows }
        }
    }

    /// Appends verdicts or other records to a session: one more than are read for a page.
    private func fillFurther(
        _ id: String,
        count: Int = FeedFilter.mostRowsRead + 1,
        _ journal: any Journal,
        _ record: (Int) -> FeedRecord = { .given($0) }
    ) async throws {
        for first in stride(from: 1, through: count, by: 2500) {
            let version = try #require(try await journal.stored(id)?.version)
            let records = (first...min(first + 2499, count)).map(record)
            try await journal.appended(.sample(id, version + 1, feedRecords: records), to: id)
        }
    }

    /// Two sessions, of which one has many rows and then a rare one.
    private func fill(_ journal: any Journal, with count: Int) async throws {
        for (id, user) in [("a", "zoë"), ("b", "max")] {
            var session = NewSession.sample(id, deck: "x")
            session.identity.user = UserName(user)
            try await journal.created(session)
        }
        try await fillFurther("a", count: count, journal)
        try await journal.appended(.sample("b", 2, feedRecords: [.given(1)]), to: "b")
        let version = try #require(try await journal.stored("a")?.version)
        try await journal.appended(.sample("a", version + 1, feedRecords: [.reverted(1)]), to: "a")
    }

    /// The work for one page is bounded. A page that finds nothing still leads to the rows behind it.
    @Test(arguments: JournalKind.allCases) func aRareRowIsFoundBehindManyOthers(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await fill(journal, with: FeedFilter.mostRowsRead + 1)
            for filter in [FeedFilter(kinds: [.reverted]), FeedFilter(kinds: [.reverted, .ended], deck: "x")] {
                try await expectPartialPage(filter, [.reverted(1)], journal)
            }
            for filter in [
                FeedFilter(kinds: [.reverted], user: "zoë"), FeedFilter(kinds: [.reverted], session: "a"),
            ] {
                #expect(try await read(filter, pages: 9, journal).map(\.record) == [.reverted(1)], "\(filter)")
            }
            // The rows of one person are found without the others.
            let filter = FeedFilter(kinds: [.given], user: "max")
            let page = try await value { journal.feed(after: .start, filter: filter, limit: 9, completion: $0) }
            #expect(page.rows.map(\.session) == ["b"] && !page.isPartial && page.end == page.newest)
        }
    }

    /// The index by session has too many rows of one session to read them all for a page.
    @Test(arguments: JournalKind.allCases) func aRareRowOfALongSessionIsFound(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await fill(journal, with: FeedFilter.mostRowsByIndex + 1)
            for filter in [
                FeedFilter(kinds: [.reverted], user: "zoë"), FeedFilter(kinds: [.reverted], session: "a"),
            ] {
                try await expectPartialPage(filter, [.reverted(1)], journal)
            }
            let filter = FeedFilter(user: "zoë")
            let page = try await value { journal.feed(after: .start, filter: filter, limit: 99, completion: $0) }
            #expect(page.rows.map(\.record) == (1...99).map { .given($0) } && !page.isPartial)
        }
    }

    /// A client can make many notices of its session: it adds a card to an empty deck and removes it, again and again.
    @Test(arguments: JournalKind.allCases) func aRareNoticeOfALongSessionIsFound(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var session = NewSession.sample("a", deck: "x")
            session.identity.user = "zoë"
            try await journal.created(session)
            try await fillFurther("a", count: FeedFilter.mostRowsByIndex + 1, journal) { _ in Self.needsCards }
            let version = try #require(try await journal.stored("a")?.version)
            try await journal.appended(.sample("a", version + 1, feedRecords: [Self.ranOut]), to: "a")
            for filter in [FeedFilter(kinds: [.ranOut], user: "zoë"), FeedFilter(kinds: [.ranOut], session: "a")] {
                try await expectPartialPage(filter, [Self.ranOut], journal)
            }
        }
    }

    /// Expects that the first page has nothing, because as many rows were read as are read for a page.
    private func expectPartialPage(
        _ filter: FeedFilter,
        _ expected: [FeedRecord],
        _ journal: any Journal
    ) async throws {
        let page = try await value { journal.feed(after: .start, filter: filter, limit: 9, completion: $0) }
        #expect(page.rows.isEmpty && page.isPartial, "\(filter)")
        #expect(page.end.position == FeedFilter.mostRowsRead, "\(filter)")
        #expect(try await read(filter, pages: 9, journal).map(\.record) == expected, "\(filter)")
    }

    @Test(arguments: JournalKind.allCases) func aCursorAheadOfTheFeedIsRecognized(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await fill(journal)
            let page = try await value {
                journal.feed(after: FeedCursor(position: 15), filter: .all, limit: 9, completion: $0)
            }
            #expect(page.rows.isEmpty && page.newest == FeedCursor(position: 14))
            #expect(FeedCursor(position: 15).isAhead(of: page.newest) && !page.newest.isAhead(of: page.newest))
        }
    }

    @Test(arguments: JournalKind.allCases) func anExpiredSessionHasARowAndOldRowsAreRemoved(
        _ kind: JournalKind
    ) async throws {
        let clock = TestClock(1000)
        let ages = JournalAges(sessions: .seconds(10), feedRecords: .seconds(100))
        try await kind.run(clock.options(ages: ages)) { journal in
            var session = NewSession.sample("a", at: 1000)
            session.feedRecords = [Self.needsCards]
            try await journal.created(session)
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            journal.onNewFeedRows { continuation.yield() }
            clock.set(12_000)
            var reports = stream.makeAsyncIterator()
            var rows: [FeedRow] = []
            // The report of the creation can come after the observer was added.
            while rows.count < 2 {
                _ = await reports.next()
                rows = try await journal.wholeFeed().rows
            }
            #expect(rows.map(\.record) == [Self.needsCards, Self.ended])
            #expect(rows.map(\.savedAt) == [time(1000), time(12_000)])
            clock.set(101_500)
            #expect(try await eventually { try await journal.wholeFeed().rows.map(\.record) == [Self.ended] })
            clock.set(112_500)
            #expect(try await eventually { try await journal.wholeFeed().rows.isEmpty })
        }
    }
}
