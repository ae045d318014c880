import DeckJournal
import JournalTesting
import Locking
import Testing

@Suite struct SessionContractTests {
    @Test(arguments: JournalKind.allCases) func aSessionIsLoadedAsItWasCreated(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let plain = NewSession.sample("plain")
            var full = NewSession.sample(
                "full",
                deck: nil,
                nonce: .max,
                cards: [9, 0],
                logLines: [bytes("start"), []]
            )
            full.notifications = [bytes("hello")]
            full.identity.owner = "app"
            (full.identity.user, full.identity.metadata) = ("Zoë – \u{1F0A1}", #"{"a": "\u0000é"}"#)
            // A session of a release without player tokens.
            full.identity.playerTokenHash = nil
            for session in [plain, full] {
                let revision = try await journal.created(session)
                let stored = StoredSession(
                    identity: session.identity,
                    revision: revision,
                    headNonce: session.nonce,
                    version: 1,
                    state: session.state,
                    notifications: session.notifications,
                    cards: session.cards.map { StoredCards(base: $0.bytes) },
                    logSize: LogSize(of: session.logLines),
                    lastActiveAt: time(1000)
                )
                #expect(try await journal.found(session.identity.id) == .session(stored))
            }
            #expect(try await journal.found("other") == .unknown)
            #expect(try await journal.totals().sessions == 2)
        }
    }

    @Test(arguments: JournalKind.allCases) func anIDIsUsedOnce(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            // The same creation again is a retry.
            #expect(try await journal.created(.sample("a")) == first)
            #expect(try await journal.totals().sessions == 1)
            let taken = await failure { journal.create(.sample("a", deck: nil, nonce: 8), completion: $0) }
            #expect(taken == .conflict(current: first))
            #expect(try await journal.stored("a")?.identity.deck == "places")
            let second = try await journal.appended(.sample("a", 2), to: "a", after: first)
            let late = await failure { journal.create(.sample("a"), completion: $0) }
            #expect(late == .conflict(current: second))
            #expect(try await journal.ended("a") == .ended)
            let ended = await failure { journal.create(.sample("a"), completion: $0) }
            #expect(ended == .conflict(current: nil))
            #expect(try await journal.totals().sessions == 0)
        }
    }

    @Test(arguments: JournalKind.allCases) func aFamilyHasNoMoreCopiesThanAllowed(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            func copy(_ id: String, _ root: String, atMost limit: Int?) async -> JournalError? {
                var session = NewSession.sample(id)
                session.identity.root = root
                session.familyLimit = limit
                return await failure { [session] in journal.create(session, completion: $0) }
            }
            #expect(await copy("a", "root", atMost: 2) == nil)
            #expect(await copy("b", "root", atMost: 2) == nil)
            let stored = try await journal.stored("b")
            #expect(stored?.identity.root == "root")
            #expect(await copy("c", "root", atMost: 2) == .familyFull(limit: 2))
            let found = try await journal.found("c")
            #expect(found == .unknown)
            #expect(await copy("c", "other", atMost: 1) == nil)
            // The same creation again is not another copy.
            #expect(await copy("b", "root", atMost: 2) == nil)
            let ending = try await journal.ended("a")
            #expect(ending == .ended)
            #expect(await copy("d", "root", atMost: 2) == nil)
            #expect(await copy("e", "root", atMost: 2) == .familyFull(limit: 2))
            #expect(await copy("e", "root", atMost: nil) == nil)
        }
    }

    @Test(arguments: JournalKind.allCases) func thereAreNoMoreSessionsThanAllowed(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            func create(_ id: String, atMost limit: Int?) async -> JournalError? {
                var session = NewSession.sample(id)
                session.limit = limit
                return await failure { [session] in journal.create(session, completion: $0) }
            }
            #expect(await create("a", atMost: 2) == nil)
            #expect(await create("b", atMost: 2) == nil)
            #expect(await create("c", atMost: 2) == .full(limit: 2))
            #expect(try await journal.found("c") == .unknown)
            #expect(journal.statistics.sessions == 2)
            // A retry is no further session.
            #expect(await create("b", atMost: 2) == nil)
            _ = try await journal.ended("a")
            #expect(journal.statistics.sessions == 1)
            #expect(await create("c", atMost: 2) == nil)
            #expect(await create("d", atMost: nil) == nil)
            #expect(journal.statistics.sessions == 3)
        }
    }

    @Test(arguments: JournalKind.allCases) func aRefusedCopyDoesNotCount(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            func create(_ id: String, ownerLimit: Int? = nil, familyLimit: Int? = nil) async -> JournalError? {
                var session = NewSession.sample(id)
                (session.identity.owner, session.identity.root) = ("app", "root")
                (session.ownerLimit, session.familyLimit) = (ownerLimit, familyLimit)
                return await failure { [session] in journal.create(session, completion: $0) }
            }
            #expect(await create("a", familyLimit: 1) == nil)
            for _ in 0..<5 { #expect(await create("b", familyLimit: 1) == .familyFull(limit: 1)) }
            for _ in 0..<5 { #expect(await create("b", ownerLimit: 1) == .ownerFull(limit: 1)) }
            // There is one session, of the owner and of the family.
            #expect(await create("b", ownerLimit: 2, familyLimit: 2) == nil)
        }
    }

    @Test(arguments: JournalKind.allCases) func anOwnerHasNoMoreSessionsThanAllowed(_ kind: JournalKind) async throws {
        let clock = TestClock(1_000_000)
        try await kind.run(clock.options(ages: JournalAges(sessions: .seconds(500)))) { journal in
            func create(_ id: String, _ owner: String?, atMost limit: Int?) async -> JournalError? {
                var session = NewSession.sample(id, at: id == "idle" ? 600_000 : 1_000_000, nonce: UInt64(id.count))
                session.identity.owner = owner
                session.ownerLimit = limit
                return await failure { [session] in journal.create(session, completion: $0) }
            }
            #expect(await create("a", "app", atMost: 2) == nil)
            #expect(await create("idle", "app", atMost: 2) == nil)
            #expect(await create("c", "app", atMost: 2) == .ownerFull(limit: 2))
            #expect(try await journal.found("c") == .unknown)
            // The limit is that of the creation.
            #expect(await create("c", "app", atMost: nil) == nil)
            #expect(await create("d", "other", atMost: 1) == nil)
            for id in ["e", "f"] { #expect(await create(id, nil, atMost: 1) == nil) }
            // Ended and expired sessions do not count.
            for id in ["c", "c", "e", "none"] { _ = try await journal.ended(id) }
            #expect(await create("g", "app", atMost: 2) == .ownerFull(limit: 2))
            clock.set(1_200_000)
            #expect(try await eventually { try await journal.found("idle") == .ended })
            #expect(await create("g", "app", atMost: 2) == nil)
            #expect(await create("h", "app", atMost: 2) == .ownerFull(limit: 2))
            #expect(await create("i", "other", atMost: 1) == .ownerFull(limit: 1))
        }
    }

    @Test(arguments: JournalKind.allCases) func anEndedSessionIsKnownAsEnded(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            #expect(try await journal.ended("a") == .unknown)
            let first = try await journal.created(.sample("a", cards: [1], logLines: [bytes("start")]))
            var entry = Entry.sample("a", 2, feedRecords: [.given(1)], notifications: ["x"])
            entry.answers = [.sample("k", "")]
            entry.cards = .edited([1])
            let second = try await journal.appended(entry, to: "a", after: first)
            #expect(try await journal.ended("a") == .ended)
            #expect(try await journal.ended("a") == .hadEnded)
            #expect(try await journal.found("a") == .ended)
            #expect(try await journal.wholeLog(of: "a").lines.isEmpty)
            #expect(try await journal.answer("k", of: "a") == nil)
            #expect(try await journal.standing(in: "a").isEmpty)
            #expect(await journal.appendError(.sample("a", 3), to: "a", after: second) == .conflict(current: nil))
            #expect(await journal.appendError(entry, to: "a", after: first) == .conflict(current: nil))
            #expect(try await journal.wholeFeed().rows.map(\.record.kind) == [.given, .ended])
        }
    }

    @Test(arguments: JournalKind.allCases) func aSessionEndsOnlyIfItHasTheRevision(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            let second = try await journal.appended(.sample("a", 2), to: "a", after: first)
            let error = await failure { journal.end("a", at: first, completion: $0) }
            #expect(error == .conflict(current: second))
            #expect(try await journal.stored("a")?.revision == second)
            #expect(try await value { journal.end("a", at: second, completion: $0) } == .ended)
            for revision in [first, second] {
                #expect(try await value { journal.end("a", at: revision, completion: $0) } == .hadEnded)
            }
            #expect(try await value { journal.end("none", at: second, completion: $0) } == .unknown)
        }
    }

    @Test(arguments: JournalKind.allCases) func theSessionsThatHaveNotEndedAreCounted(_ kind: JournalKind) async throws
    {
        let bench = try Bench(kind)
        for id in ["a", "b", "c"] { _ = try await bench.journal.created(.sample(id)) }
        #expect(bench.journal.statistics.sessions == 3)
        _ = try await bench.journal.ended("b")
        _ = try await bench.journal.ended("b")
        #expect(bench.journal.statistics.sessions == 2)
        if kind != .memory { #expect(try await bench.reopen().statistics.sessions == 2) }
        try await bench.journal.closed()
    }

    @Test(arguments: JournalKind.allCases) func followersHearOfEndings(_ kind: JournalKind) async throws {
        let clock = TestClock(1000)
        try await kind.run(clock.options(ages: JournalAges(sessions: .seconds(1)))) { journal in
            let news = Lock<[JournalNews]>([])
            journal.follow { item in news.withLock { $0.append(item) } }
            let first = try await journal.created(.sample("a"))
            try await journal.created(.sample("b"))
            try await journal.appended(.sample("a", 2, at: 1000), to: "a", after: first)
            // An own entry is no news.
            _ = try await journal.ended("b")
            _ = try await journal.ended("b")
            #expect(await eventually { news.withLock { $0 } == [.ended(session: "b")] })
            clock.set(2001)
            #expect(await eventually { news.withLock { $0 } == [.ended(session: "b"), .ended(session: "a")] })
        }
    }

    @Test(arguments: JournalKind.allCases) func sessionsAreListedFromTheLastActiveOn(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let minute: Int64 = 60_000
            for (id, created) in [("a", 1), ("b", 2), ("c", 2), ("d", 2), ("e", 3), ("f", 4)] as [(String, Int64)] {
                try await journal.created(.sample(id, at: created * minute))
            }
            _ = try await journal.ended("e")
            try await journal.appended(.sample("a", 2, at: 3 * minute + 7), to: "a")
            func page(_ cursor: SessionCursor, _ limit: Int) async throws -> SessionPage {
                try await value { journal.sessions(after: cursor, limit: limit, completion: $0) }
            }
            let all = try await page(.start, 9)
            #expect(all.sessions.map(\.identity.id) == ["f", "a", "d", "c", "b"])
            #expect(all.next == nil)
            #expect(all.sessions[1].version == 2)
            #expect(all.sessions[1].lastActiveAt == time(3 * minute + 7))
            #expect(all.sessions[1].identity == NewSession.sample("a", at: minute).identity)
            // Whatever the size of the pages, no session is left out or listed twice.
            for size in 1...6 {
                var (next, ids) = (Optional(SessionCursor.start), [String]())
                while let cursor = next {
                    let part = try await page(cursor, size)
                    ids += part.sessions.map(\.identity.id)
                    next = part.next
                    if let next { #expect(SessionCursor(next.description) == next) }
                }
                #expect(ids == ["f", "a", "d", "c", "b"], "pages of \(size)")
            }
            #expect(try await page(try #require(all.sessions.last?.cursor), 9).sessions.isEmpty)
            #expect(try await page(.start, 0).sessions.isEmpty)
            // A session that is touched moves to the front.
            try await value { journal.touch(["c", "a", "nobody"], at: time(5 * minute), completion: $0) }
            #expect(try await page(.start, 9).sessions.map(\.identity.id) == ["c", "a", "f", "d", "b"])
        }
    }

    @Test(arguments: [
        "", ".", "1", "1.", ".1", "1.2.0", "1.2.03", "1.2.", "1.2.3.4", "01.2", "1.02", "+1.2", "x.1", "-1.0", "1.-1",
        "1.9223372036854775808",
    ])
    func aPlaceThatWasNotWrittenIsNotRead(text: String) {
        #expect(SessionCursor(text) == nil)
    }

    @Test(arguments: JournalKind.allCases) func theLogIsReadFromALineOn(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await journal.created(.sample("a", logLines: [bytes("0")]))
            try await journal.created(.sample("b", logLines: [bytes("other")]))
            for version in 2...4 {
                var entry = Entry.sample("a", version)
                entry.logLines = [bytes("\(2 * version - 3)"), bytes("\(2 * version - 2)")]
                try await journal.appended(entry, to: "a")
            }
            #expect(try await journal.wholeLog(of: "a") == LogPage(firstLine: 0, lines: (0...6).map { bytes("\($0)") }))
            func page(_ line: Int, _ limit: Int) async throws -> LogPage {
                try await value { journal.log(of: "a", from: line, limit: limit, completion: $0) }
            }
            #expect(try await page(5, 1) == LogPage(firstLine: 5, lines: [bytes("5")]))
            #expect(try await page(7, 9) == LogPage(firstLine: 7, lines: []))
            #expect(try await journal.wholeLog(of: "nobody").lines.isEmpty)
            #expect(try await journal.stored("a")?.logSize == LogSize(lineCount: 7, byteCount: 7))
        }
    }
}
