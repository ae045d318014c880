import DeckJournal
import JournalTesting
import Testing

@Suite struct ForkContractTests {
    @Test(arguments: JournalKind.allCases) func aForkSharesTheVerdictsOfItsOrigin(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await root(journal)
            try await fork("fork", of: "root", [1, 2, 4], journal)
            let shared: [FeedRecord] = [.given(1), .given(2), .given(4)]
            #expect(try await journal.standing(in: "fork") == shared)
            // The fork adds nothing to the feed.
            #expect(try await journal.wholeFeed().rows.count == 6)
            // What the origin does later does not affect the fork, nor the other way round.
            try await journal.appended(.sample("root", 3, feedRecords: [.reverted(4), .given(6)]), to: "root")
            #expect(try await journal.standing(in: "fork") == shared)
            // Nor does a verdict that the origin gives again under a shared number.
            var redone = FeedRecord.given(4)
            redone.direction = "left"
            try await journal.appended(.sample("root", 4, feedRecords: [redone]), to: "root")
            #expect(try await journal.standing(in: "fork") == shared)
            try await journal.appended(.sample("root", 5, feedRecords: [.reverted(4)]), to: "root")
            try await journal.appended(.sample("fork", 2, feedRecords: [.reverted(2), .given(6)]), to: "fork")
            #expect(try await journal.standing(in: "fork") == [.given(1), .given(4), .given(6)])
            #expect(try await journal.standing(in: "root").map(\.number) == [1, 2, 5, 6])
            try await journal.appended(.sample("fork", 3, feedRecords: [.given(2)]), to: "fork")
            #expect(try await journal.standing(in: "fork").map(\.number) == [1, 2, 4, 6])
            let page = try await value { journal.standingVerdicts(of: "fork", after: 1, limit: 2, completion: $0) }
            #expect(page.verdicts.map(\.number) == [2, 4])
        }
    }

    @Test(arguments: JournalKind.allCases) func aForkOutlivesItsOrigin(_ kind: JournalKind) async throws {
        let bench = try Bench(kind)
        let journal = bench.journal
        try await root(journal)
        try await fork("fork", of: "root", [1, 2, 4], journal)
        try await journal.appended(.sample("fork", 2, feedRecords: [.reverted(4), .given(5), .given(6)]), to: "fork")
        try await fork("second", of: "fork", [1, 2, 5], journal)
        try await fork("third", of: "second", [1, 5], journal)
        for id in ["root", "fork"] { #expect(try await journal.ended(id) == .ended) }
        let reopened = kind == .memory ? journal : try await bench.reopen()
        #expect(try await reopened.standing(in: "second").map(\.number) == [1, 2, 5])
        #expect(try await reopened.standing(in: "third") == [.given(1), .given(5)])
        #expect(try await reopened.standing(in: "fork").isEmpty)
        let late = await result { reopened.create(forkOf("root", [1], "late"), completion: $0) }
        #expect(late.error == .conflict(current: nil))
        try await reopened.closed()
    }

    /// A fork of the past shares verdicts that its origin has reverted since.
    @Test(arguments: JournalKind.allCases) func aForkCanShareRevertedVerdicts(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await root(journal)
            try await fork("fork", of: "root", [1, 3], journal)
            #expect(try await journal.standing(in: "fork") == [.given(1), .given(3)])
        }
    }

    /// The second fork is one of the past, and shares a verdict that the first session has reverted before the first fork.
    @Test(arguments: JournalKind.allCases)
    func aForkOfAForkCanShareVerdictsThatTheFirstSessionHasReverted(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await root(journal)
            try await fork("fork", of: "root", [1, 2], journal)
            try await fork("second", of: "fork", [1, 2, 3], journal)
            _ = try await journal.ended("root")
            try await fork("third", of: "fork", [1, 3], journal)
            _ = try await journal.ended("fork")
            try await fork("fourth", of: "second", [3, 4], journal)
            #expect(try await journal.standing(in: "second") == [.given(1), .given(2), .given(3)])
            #expect(try await journal.standing(in: "third") == [.given(1), .given(3)])
            #expect(try await journal.standing(in: "fourth") == [.given(3), .given(4)])
        }
    }

    @Test(arguments: JournalKind.allCases) func manySharedVerdictsAreReadInPages(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await journal.created(.sample("root"))
            let verdicts = (1...1500).map { FeedRecord.given($0) }
            try await journal.appended(.sample("root", 2, feedRecords: verdicts), to: "root")
            try await fork("fork", of: "root", (1...1500).filter { !$0.isMultiple(of: 7) }, journal)
            try await journal.appended(
                .sample("fork", 2, feedRecords: (1...1000).map { .reverted($0) }),
                to: "fork"
            )
            let page = try await value { journal.standingVerdicts(of: "fork", after: 100, limit: 50, completion: $0) }
            #expect(page.verdicts == (1001...1100).filter { !$0.isMultiple(of: 7) }.prefix(50).map { .given($0) })
        }
    }

    /// Each copy is made of the one before, takes a verdict back and gives another. The one before ends.
    @Test(arguments: JournalKind.allCases) func aCopyOfManyCopiesHasTheVerdictsOfAll(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var standing = Array(1...20)
            try await journal.created(.sample("copy0"))
            try await journal.appended(.sample("copy0", 2, feedRecords: standing.map { .given($0) }), to: "copy0")
            for number in 1...20 {
                let (id, former) = ("copy\(number)", "copy\(number - 1)")
                try await fork(id, of: former, standing, journal)
                // What the former one does later does not matter.
                let later: [FeedRecord] = standing.map { .reverted($0) }
                try await journal.appended(.sample(former, 9, feedRecords: later), to: former)
                _ = try await journal.ended(former)
                let verdicts: [FeedRecord] = [.reverted(number), .given(100 + number)]
                try await journal.appended(.sample(id, 2, feedRecords: verdicts), to: id)
                standing = standing.filter { $0 != number } + [100 + number]
                #expect(try await journal.standing(in: id) == standing.map { .given($0) }, "\(id)")
            }
        }
    }

    @Test func anOriginJoinsNeighbouringNumbers() {
        #expect(SessionOrigin(session: "a", numbers: [5, 1, 2, 2, 3, 9, 8]).standing == [1...3, 5...5, 8...9])
        #expect(SessionOrigin(session: "a", numbers: []).standing == [])
    }

    /// A session with the verdicts 1, 2, 4 and 5; 3 was reverted.
    private func root(_ journal: any Journal) async throws {
        try await journal.created(.sample("root"))
        let verdicts: [FeedRecord] = (1...5).map { .given($0) } + [.reverted(3)]
        try await journal.appended(.sample("root", 2, feedRecords: verdicts), to: "root")
    }

    private func fork(_ id: String, of origin: String, _ numbers: [Int], _ journal: any Journal) async throws {
        try await journal.created(forkOf(origin, numbers, id))
    }

    private func forkOf(_ origin: String, _ numbers: [Int], _ id: String) -> NewSession {
        var session = NewSession.sample(id)
        session.origin = SessionOrigin(session: origin, numbers: numbers)
        return session
    }
}
