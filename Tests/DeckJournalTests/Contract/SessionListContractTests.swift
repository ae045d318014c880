import DeckJournal
import JournalTesting
import Testing

/// What every journal must do when sessions are listed with a filter.
struct SessionListContractTests {
    private static let filters: [SessionFilter] = ["ab", "abc1", nil].flatMap { prefix in
        ["x", "none", nil].flatMap { deck in
            ["zoë", "zoe\u{308}", "unknown", nil].map { SessionFilter(idPrefix: prefix, deck: deck, user: $0) }
        }
    }

    /// All pages of a list.
    private func pages(_ filter: SessionFilter, size: Int, of journal: any Journal) async throws -> [SessionPage] {
        var (next, pages) = (Optional(SessionCursor.start), [SessionPage]())
        while let cursor = next {
            pages.append(
                try await value { journal.sessions(after: cursor, filter: filter, limit: size, completion: $0) }
            )
            next = pages.last?.next
        }
        return pages
    }

    @Test(arguments: JournalKind.allCases) func aListHasTheSessionsThatMeetAllConditions(_ kind: JournalKind)
        async throws
    {
        try await kind.run { journal in
            for number in 0..<24 {
                let id = "\(["abc", "ab-", "b_c"][number % 3])\(number)"
                var session = NewSession.sample(
                    id,
                    deck: ["x", "y", nil][number / 3 % 3],
                    at: Int64(number % 5) * 60_000
                )
                session.identity.user = ["zoë", nil, "zoe\u{308}", nil][number % 4]
                try await journal.created(session)
            }
            _ = try await journal.ended("abc12")
            try await value { journal.touch(["abc0", "b_c5"], at: time(9 * 60_000), completion: $0) }
            let all = try await pages(.all, size: 99, of: journal).flatMap(\.sessions)
            #expect(all.count == 23)
            let others = try await pages(SessionFilter(user: "zoe\u{308}"), size: 99, of: journal).flatMap(\.sessions)
            // They have other bytes, and are the same string.
            #expect(others.count == 6 && others.allSatisfy { $0.identity.user?.text.utf8.count == 5 })
            for filter in Self.filters {
                let wanted = all.filter { filter.allows($0.identity) }
                for size in [1, 2, 5, 99] {
                    let pages = try await pages(filter, size: size, of: journal)
                    #expect(pages.flatMap(\.sessions) == wanted, "\(filter), pages of \(size)")
                    #expect(pages.allSatisfy { $0.sessions.count <= size })
                }
            }
            #expect(
                all.contains {
                    $0.identity.id == "abc0" && SessionFilter(idPrefix: "ab", user: "zoë").allows($0.identity)
                }
            )
        }
    }

    /// The work for one page is bounded. A page that finds nothing still leads to the sessions behind it.
    @Test(arguments: JournalKind.allCases) func aDeckIsFoundBehindManySessionsOfOthers(_ kind: JournalKind) async throws
    {
        try await kind.run { journal in
            try await journal.created(.sample("first", deck: "rare", at: 60_000))
            try await withThrowingTaskGroup { group in
                for number in 0..<SessionFilter.scannedSessions {
                    group.addTask { try await journal.created(.sample("other\(number)", at: 120_000)) }
                }
                try await group.waitForAll()
            }
            try await journal.created(.sample("last", deck: "rare", at: 180_000))
            let pages = try await pages(SessionFilter(deck: "rare"), size: 9, of: journal)
            #expect(pages.flatMap(\.sessions).map(\.identity.id) == ["last", "first"])
            #expect(pages.count == (kind == .memory ? 1 : 2))
            let both = try await self.pages(SessionFilter(idPrefix: "first", deck: "rare"), size: 9, of: journal)
            #expect(both.count == 1 && both[0].sessions.map(\.identity.id) == ["first"])
        }
    }
}
