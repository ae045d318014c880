import DeckJournal
import JournalTesting
import Testing

@Suite struct SessionContractTests {
    @Test(arguments: JournalKind.allCases) func aSessionIsLoadedAsItWasCreated(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let plain = NewSession.sample("plain")
            let full = NewSession.sample("full", deck: nil, cards: [9, 0, 9], logLines: [bytes("begun"), []])
            for session in [plain, full] {
                try await value { journal.createSession(session, completion: $0) }
                let id = session.identity.id
                let stored = StoredSession(
                    identity: session.identity,
                    version: 1,
                    snapshot: session.snapshot,
                    cards: session.cards,
                    logSize: LogSize(lineCount: session.logLines.count, byteCount: id == "full" ? 5 : 0),
                    lastActiveAt: time(1000)
                )
                #expect(try await value { journal.loadSession(id, completion: $0) } == .session(stored))
            }
            #expect(try await value { journal.loadSession("other", completion: $0) } == .unknown)
            #expect(try await value { journal.counts(completion: $0) }.sessions == 2)
        }
    }

    @Test(arguments: JournalKind.allCases) func anIDIsGivenOnce(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            let taken = await failure { journal.createSession(.sample("a", deck: nil), completion: $0) }
            #expect(taken == .versionConflict(current: 1))
            #expect(try await value { journal.loadSession("a", completion: $0) }.session?.identity.deck == "places")
            _ = try await value { journal.endSession("a", completion: $0) }
            let ended = await failure { journal.createSession(.sample("a"), completion: $0) }
            #expect(ended == .versionConflict(current: nil))
            #expect(try await value { journal.counts(completion: $0) }.sessions == 0)
        }
    }

    @Test(arguments: JournalKind.allCases) func anOwnerHasNoMoreSessionsThanItMay(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            func begin(_ id: String, _ owner: String?, atMost limit: Int?) async -> JournalError? {
                var session = NewSession.sample(id, at: id == "idle" ? 1 : 1_000_000)
                session.identity.owner = owner
                session.ownerLimit = limit
                return await failure { [session] in journal.createSession(session, completion: $0) }
            }
            #expect(await begin("a", "app", atMost: 2) == nil)
            #expect(await begin("a", "app", atMost: 2) == .versionConflict(current: 1))
            #expect(await begin("idle", "app", atMost: 2) == nil)
            #expect(await begin("c", "app", atMost: 2) == .ownerFull(limit: 2))
            #expect(try await value { journal.loadSession("c", completion: $0) } == .unknown)
            #expect(try await value { journal.counts(completion: $0) }.sessions == 2)
            let owner = try await value { journal.loadSession("a", completion: $0) }.session?.identity.owner
            #expect(owner == "app")
            // The limit is that of who begins, and not of those who have begun.
            #expect(await begin("c", "app", atMost: nil) == nil)
            #expect(await begin("d", "other", atMost: 1) == nil)
            #expect(await begin("e", nil, atMost: 1) == nil)
            #expect(await begin("f", nil, atMost: 1) == nil)
            // Ended and expired ones count no more, whoever's they are.
            for id in ["c", "c", "e", "none"] { _ = try await value { journal.endSession(id, completion: $0) } }
            #expect(await begin("g", "app", atMost: 2) == .ownerFull(limit: 2))
            let expired = try await value { journal.expireSessions(idleSince: time(2), limit: 9, completion: $0) }
            #expect(expired == ["idle"])
            #expect(await begin("g", "app", atMost: 2) == nil)
            #expect(await begin("h", "app", atMost: 2) == .ownerFull(limit: 2))
            #expect(await begin("i", "other", atMost: 1) == .ownerFull(limit: 1))
        }
    }

    @Test(arguments: JournalKind.allCases) func anEndedSessionIsKnownAsEnded(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            #expect(try await value { journal.endSession("a", completion: $0) } == .unknown)
            let session = NewSession.sample("a", cards: [1], logLines: [bytes("begun")])
            try await value { journal.createSession(session, completion: $0) }
            var record = SessionRecord.sample("a", 2, verdicts: [.given(1)])
            record.answer = AnswerRecord(key: "k", fingerprint: [1], status: 200, body: [2], at: time(2))
            try await value { journal.commit(record, expecting: 1, completion: $0) }
            #expect(try await value { journal.endSession("a", completion: $0) } == .ended)
            #expect(try await value { journal.endSession("a", completion: $0) } == .hadEnded)
            #expect(try await value { journal.loadSession("a", completion: $0) } == .ended)
            #expect(try await value { journal.log(of: "a", from: 0, limit: 9, completion: $0) }.isEmpty)
            #expect(try await value { journal.answer(of: "a", key: "k", completion: $0) } == nil)
            let standing = try await value { journal.standingVerdicts(of: "a", after: 0, limit: 9, completion: $0) }
            #expect(standing.isEmpty)
            let late = await failure { journal.commit(.sample("a", 3), expecting: 2, completion: $0) }
            #expect(late == .versionConflict(current: nil))
        }
    }

    @Test(arguments: JournalKind.allCases) func sessionsExpireLongestIdleFirst(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            for (id, created) in [("a", 100), ("b", 200), ("c", 300), ("d", 400), ("e", 500)] as [(String, Int64)] {
                try await value { journal.createSession(.sample(id, at: created), completion: $0) }
            }
            // An event makes a session active, and one dated before the last does not make it idle again.
            try await value { journal.commit(.sample("a", 2, at: 900), expecting: 1, completion: $0) }
            try await value { journal.commit(.sample("a", 3, at: 50), expecting: 2, completion: $0) }
            try await value { journal.touchSessions(["c", "nobody"], at: time(800), completion: $0) }
            try await value { journal.touchSessions(["c"], at: time(10), completion: $0) }
            let expire = { limit in
                try await value { journal.expireSessions(idleSince: time(500), limit: limit, completion: $0) }
            }
            #expect(try await expire(1) == ["b"])
            #expect(try await expire(9) == ["d"])
            #expect(try await expire(9) == [])
            #expect(try await value { journal.loadSession("b", completion: $0) } == .ended)
            for id in ["a", "c", "e"] {
                #expect(try await value { journal.loadSession(id, completion: $0) }.session != nil)
            }
            #expect(try await value { journal.counts(completion: $0) }.sessions == 3)
        }
    }

    @Test(arguments: JournalKind.allCases) func sessionsAreListedFromTheLastUsedOn(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let minute: Int64 = 60_000
            for (id, created) in [("a", 1), ("b", 2), ("c", 2), ("d", 2), ("e", 3), ("f", 4)] as [(String, Int64)] {
                try await value { journal.createSession(.sample(id, at: created * minute), completion: $0) }
            }
            _ = try await value { journal.endSession("e", completion: $0) }
            try await value { journal.commit(.sample("a", 2, at: 3 * minute + 7), expecting: 1, completion: $0) }
            func page(_ place: SessionPlace, _ limit: Int) async throws -> SessionPage {
                try await value { journal.sessions(after: place, limit: limit, completion: $0) }
            }
            let all = try await page(.start, 9)
            #expect(all.sessions.map(\.identity.id) == ["f", "a", "d", "c", "b"])
            #expect(!all.hasMore)
            #expect(all.sessions[1].version == 2)
            #expect(all.sessions[1].lastActiveAt == time(3 * minute + 7))
            #expect(all.sessions[1].identity == NewSession.sample("a", at: minute).identity)
            // Page after page, whatever the size, nothing is left out or there twice.
            for size in 1...6 {
                var (place, ids, hasMore) = (SessionPlace.start, [String](), true)
                while hasMore {
                    let part = try await page(place, size)
                    ids += part.sessions.map(\.identity.id)
                    place = try #require(part.sessions.last?.place)
                    #expect(SessionPlace(place.description) == place)
                    hasMore = part.hasMore
                }
                #expect(ids == ["f", "a", "d", "c", "b"], "pages of \(size)")
            }
            #expect(try await page(try #require(all.sessions.last?.place), 9).sessions.isEmpty)
            #expect(try await page(.start, 0).sessions.isEmpty)
        }
    }

    @Test(arguments: [
        "", ".", "1", "1.", ".1", "1.2.3", "01.2", "1.02", "+1.2", "x.1", "-1.0", "1.-1", "1.9223372036854775808",
    ])
    func aPlaceThatWasNotGivenIsNone(text: String) {
        #expect(SessionPlace(text) == nil)
    }

    @Test(arguments: JournalKind.allCases) func theLogIsReadFromALineOn(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let begin = NewSession.sample("a", logLines: [bytes("0")])
            try await value { journal.createSession(begin, completion: $0) }
            try await value { journal.createSession(.sample("b", logLines: [bytes("other")]), completion: $0) }
            for version in 2...4 {
                var record = SessionRecord.sample("a", version)
                record.logLines = [bytes("\(2 * version - 3)"), bytes("\(2 * version - 2)")]
                try await value { journal.commit(record, expecting: version - 1, completion: $0) }
            }
            let all = try await value { journal.log(of: "a", from: 0, limit: 100, completion: $0) }
            #expect(all == (0...6).map { bytes("\($0)") })
            #expect(try await value { journal.log(of: "a", from: 5, limit: 1, completion: $0) } == [bytes("5")])
            #expect(try await value { journal.log(of: "a", from: 7, limit: 9, completion: $0) }.isEmpty)
            #expect(try await value { journal.log(of: "nobody", from: 0, limit: 9, completion: $0) }.isEmpty)
            #expect(
                try await value { journal.loadSession("a", completion: $0) }.session?.logSize
                    == LogSize(lineCount: 7, byteCount: 7)
            )
        }
    }
}
