import DeckJournal
import JournalTesting
import Synchronization
import Testing

@Suite struct VerdictContractTests {
    @Test(arguments: JournalKind.allCases) func whatIsGivenStandsUntilItIsReverted(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            try await value { journal.createSession(.sample("b"), completion: $0) }
            try await commit([.given(1), .given(2), .given(3)], to: "a", from: 1, journal)
            try await commit([.given(1)], to: "b", from: 1, journal)
            #expect(try await standing("a", journal) == [.given(1), .given(2), .given(3)])
            try await commit([.reverted(3), .reverted(2), .given(4)], to: "a", from: 2, journal)
            #expect(try await standing("a", journal) == [.given(1), .given(4)])
            // What is redone may keep its number.
            try await commit([.given(2)], to: "a", from: 3, journal)
            #expect(try await standing("a", journal) == [.given(1), .given(2), .given(4)])
            try await commit([.reverted(2), .given(2), .reverted(2), .reverted(1)], to: "a", from: 4, journal)
            #expect(try await standing("a", journal) == [.given(4)])
            #expect(try await standing("b", journal) == [.given(1)])
            #expect(try await standing("nobody", journal).isEmpty)
        }
    }

    @Test(arguments: JournalKind.allCases) func standingVerdictsCanBeReadInPages(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            try await commit((1...9).map { .given($0) } + [.reverted(5)], to: "a", from: 1, journal)
            let page = try await value { journal.standingVerdicts(of: "a", after: 3, limit: 3, completion: $0) }
            #expect(page.map(\.number) == [4, 6, 7])
        }
    }

    @Test(arguments: JournalKind.allCases) func theFeedHasEverySessionsVerdictsInOrder(_ kind: JournalKind) async throws
    {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a", deck: "x"), completion: $0) }
            try await value { journal.createSession(.sample("b", deck: nil), completion: $0) }
            try await value { journal.createSession(.sample("c", deck: "y"), completion: $0) }
            try await commit([.given(1)], to: "a", from: 1, journal)
            try await commit([.given(1), .given(2)], to: "b", from: 1, journal)
            try await commit([.given(1)], to: "c", from: 1, journal)
            try await commit([.reverted(1)], to: "a", from: 2, journal)
            // The feed outlives the session.
            _ = try await value { journal.endSession("a", completion: $0) }
            let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: 9, completion: $0) }
            #expect(feed.entries.map(\.session) == ["a", "b", "b", "c", "a"])
            #expect(feed.entries.map(\.deck) == ["x", nil, nil, "y", "x"])
            #expect(feed.entries.map(\.verdict) == [.given(1), .given(1), .given(2), .given(1), .reverted(1)])
            #expect(feed.entries.map(\.cursor) == feed.entries.map(\.cursor).sorted())
            #expect(Set(feed.entries.map(\.cursor)).count == 5)
            #expect(feed.end == feed.entries.last?.cursor)
        }
    }

    @Test(arguments: JournalKind.allCases) func theFeedIsReadFromACursorOn(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let empty = try await value { journal.verdicts(after: .start, deck: nil, limit: 9, completion: $0) }
            #expect(empty == VerdictPage(entries: [], end: .start))
            try await value { journal.createSession(.sample("a", deck: "x"), completion: $0) }
            try await value { journal.createSession(.sample("b", deck: "y"), completion: $0) }
            for version in 1...10 {
                try await commit([.given(version)], to: version.isMultiple(of: 5) ? "b" : "a", journal)
            }
            for deck in [nil, "x", "y", "z"] as [String?] {
                let all = try await value { journal.verdicts(after: .start, deck: deck, limit: 99, completion: $0) }
                var paged: [VerdictEntry] = []
                var cursor = VerdictCursor.start
                while true {
                    let from = cursor
                    let page = try await value { journal.verdicts(after: from, deck: deck, limit: 3, completion: $0) }
                    paged += page.entries
                    cursor = try #require(VerdictCursor(page.end.description))
                    if page.entries.count < 3 { break }
                }
                #expect(paged == all.entries)
                #expect(cursor == all.end)
                #expect(all.entries.allSatisfy { deck == nil || $0.deck == deck })
                #expect(all.entries.count == [nil: 10, "x": 8, "y": 2, "z": 0][deck])
            }
        }
    }

    @Test(arguments: JournalKind.allCases) func observersAreToldOfNewVerdicts(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let (stream, continuation) = AsyncStream.makeStream(of: VerdictCursor.self)
            journal.onNewVerdicts { continuation.yield($0) }
            try await value { journal.createSession(.sample("a"), completion: $0) }
            // What brings no verdicts is not told, or it would be the first.
            try await value { journal.commit(.sample("a", 2), expecting: 1, completion: $0) }
            _ = await failure { journal.commit(.sample("a", 9, verdicts: [.given(9)]), expecting: 5, completion: $0) }
            var told = stream.makeAsyncIterator()
            for version in 3...5 {
                let record = SessionRecord.sample("a", version, verdicts: [.given(version)])
                try await value { journal.commit(record, expecting: version - 1, completion: $0) }
                let cursor = try #require(await told.next())
                let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: 9, completion: $0) }
                #expect(feed.entries.count == version - 2)
                #expect(cursor == feed.end)
            }
        }
    }

    @Test func aCursorIsReadOnlyAsItWasWritten() {
        #expect(VerdictCursor("17")?.position == 17)
        for text in ["", "-1", "+1", "01", " 1", "1.0", "99999999999999999999", "x"] {
            #expect(VerdictCursor(text) == nil)
        }
    }

    private func standing(_ session: String, _ journal: any Journal) async throws -> [VerdictRecord] {
        try await value { journal.standingVerdicts(of: session, after: 0, limit: 99, completion: $0) }
    }

    /// Commits after a version, or else after the one that the session has.
    private func commit(
        _ verdicts: [VerdictRecord],
        to session: String,
        from version: Int? = nil,
        _ journal: any Journal
    ) async throws {
        let current = try await value { journal.loadSession(session, completion: $0) }.session?.version
        let version = try version ?? #require(current)
        let record = SessionRecord.sample(session, version + 1, verdicts: verdicts)
        try await value { journal.commit(record, expecting: version, completion: $0) }
    }
}
