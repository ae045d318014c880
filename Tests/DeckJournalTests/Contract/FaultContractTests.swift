import DeckJournal
import JournalTesting
import Testing

/// What a caller can rely on when calls fail.
@Suite struct FaultContractTests {
    @Test(arguments: JournalKind.allCases) func aCallThatFailsOnceIsMadeAgain(_ kind: JournalKind) async throws {
        let (expected, calls) = try await reference(kind)
        for method in FaultyJournal.Method.allCases {
            let count = try #require(calls[method], "the script does not call \(method)")
            for successes in 0..<min(count, 4) {
                try await kind.run { base in
                    let journal = FaultyJournal(base)
                    journal.arm(.init(of: [method], after: successes))
                    try await script(journal)
                    #expect(journal.disarm() == 1, "\(method) after \(successes)")
                    #expect(try await state(of: base) == expected)
                }
            }
        }
    }

    @Test(arguments: JournalKind.allCases, [FaultyJournal.Failure.unknownAfterSuccess, .unknown])
    func anEntryWithUnknownOutcomeIsAppendedOnce(_ kind: JournalKind, _ failure: FaultyJournal.Failure) async throws {
        try await kind.run { base in
            let journal = FaultyJournal(base)
            var head = try await journal.created(.sample("a"))
            for version in 2...6 {
                journal.arm(.init(failure, of: [.append]))
                var entry = Entry.sample("a", version, feedRecords: [.given(version)], notifications: ["\(version)"])
                entry.answers = [.sample("\(version)", "")]
                #expect(await journal.appendError(entry, to: "a", after: head)?.isUnknown == true)
                // The head's nonce says whether it happened, and a retry is safe in both cases.
                let stored = try #require(try await journal.stored("a"))
                let hasHappened = stored.headNonce == entry.nonce
                #expect(hasHappened == (stored.revision != head))
                #expect(hasHappened == (stored.version == version))
                let retried = try await journal.appended(entry, to: "a", after: head)
                #expect(!hasHappened || retried == stored.revision)
                head = retried
            }
            #expect(try await base.standing(in: "a").map(\.number) == Array(2...6))
            #expect(try await base.wholeFeed().rows.count == 5)
            #expect(try await base.stored("a")?.notifications == (2...6).map { bytes("\($0)") })
            #expect(try await base.stored("a")?.revision == head)
        }
    }

    @Test(arguments: JournalKind.allCases, [FaultyJournal.Failure.unknownAfterSuccess, .unknown])
    func aCreationWithUnknownOutcomeHappensOnce(_ kind: JournalKind, _ failure: FaultyJournal.Failure) async throws {
        try await kind.run { base in
            let journal = FaultyJournal(base)
            journal.arm(.init(failure, of: [.create, .end]))
            var session = NewSession.sample("a")
            session.feedRecords = [.given(1)]
            #expect(await error { journal.create(session, completion: $0) }?.isUnknown == true)
            let revision = try await journal.created(session)
            #expect(try await base.stored("a")?.revision == revision)
            #expect(try await base.wholeFeed().rows.count == 1)
            #expect(try await base.totals().sessions == 1)
        }
    }

    @Test(arguments: JournalKind.allCases) func aConflictWithAnOwnEntryIsRecognized(_ kind: JournalKind) async throws {
        try await kind.run { base in
            let journal = FaultyJournal(base)
            let first = try await journal.created(.sample("a"))
            journal.arm(.init(.conflictAfterSuccess, of: [.append]))
            let entry = Entry.sample("a", 2, feedRecords: [.given(1)])
            guard case .conflict(let current?) = await journal.appendError(entry, to: "a", after: first) else {
                Issue.record("there was no conflict")
                return
            }
            let stored = try await journal.stored("a")
            #expect(stored?.headNonce == entry.nonce)
            #expect(stored?.revision == current)
            #expect(try await journal.appended(entry, to: "a", after: first) == current)
            #expect(try await base.wholeFeed().rows.count == 1)
        }
    }

    private func error<Value: Sendable>(
        _ call: (@escaping JournalCompletion<Value>) -> Void
    ) async -> JournalError? {
        await failure(call)
    }

    /// Uses every method, and makes each call again that fails.
    private func script(_ journal: FaultyJournal) async throws {
        var head = try await again { await result { journal.create(.sample("a"), completion: $0) } }
        _ = try await again { await result { journal.create(.sample("b"), completion: $0) } }
        for version in 2...5 {
            let entry = Entry.sample("a", version, feedRecords: [.given(version)], notifications: ["x"])
            let former = head
            head = try await again { await journal.tryAppend(entry, to: "a", after: former) }
        }
        _ = try await again { await result { journal.touch(["b"], at: time(5000), completion: $0) } }
        _ = try await again {
            await result { journal.putDeck("places", [1], if: .none, atMost: 9, completion: $0) }
        }
        let key = DeckKey(owner: "o", key: "k", fingerprint: [1])
        _ = try await again {
            await result { journal.putDeck("other", [1], if: .none, atMost: 9, once: key, completion: $0) }
        }
        let putResult = try await again { await result { journal.deckPutResult(of: key, completion: $0) } }
        #expect(putResult != nil)
        _ = try await again { await result { journal.removeDeck("other", if: .any, completion: $0) } }
        _ = try await again { await result { journal.deck("places", completion: $0) } }
        _ = try await again { await result { journal.deckRevision("places", completion: $0) } }
        _ = try await again { await result { journal.decks(after: "", limit: 9, completion: $0) } }
        _ = try await again { await result { journal.check(completion: $0) } }
        _ = try await again { await result { journal.answer(of: "a", key: "k", completion: $0) } }
        _ = try await again { await result { journal.end("b", completion: $0) } }
        _ = try await state(of: journal)
    }

    /// Makes a call up to twice.
    private func again<Value>(_ call: () async -> Result<Value, JournalError>) async throws -> Value {
        switch await call() {
        case .success(let value): return value
        case .failure(let error):
            #expect(error.isUnavailable)
            return try await call().get()
        }
    }

    /// Everything that can be read, as text.
    private func state(of journal: any Journal) async throws -> String {
        var parts: [String] = []
        for id in ["a", "b", "c"] {
            parts.append("\(try await again { await result { journal.load(id, completion: $0) } })")
            parts.append(
                "\(try await again { await result { journal.log(of: id, from: 0, limit: 9, completion: $0) } })"
            )
            let standing = try await again {
                await result { journal.standingVerdicts(of: id, after: 0, limit: 9, completion: $0) }
            }
            parts.append("\(standing)")
        }
        let page = try await again {
            await result { journal.feed(after: .start, filter: .all, limit: 99, completion: $0) }
        }
        let end = try await again {
            await result { journal.feedEnd(after: .start, filter: .all, limit: 99, completion: $0) }
        }
        #expect(end.end == page.end && end.count == page.rows.count)
        let rows = page.rows.map { "\($0.cursor) \($0.session) \($0.deck ?? "") \($0.record)" }
        parts.append("\(rows) \(page.end)")
        let heads = try await again { await result { journal.heads(of: ["a", "b", "c"], completion: $0) } }
        parts.append("\(heads.sorted { $0.key < $1.key })")
        parts.append("\(try await again { await result { journal.counts(completion: $0) } })")
        parts.append("\(try await again { await result { journal.sessionCount(ofOwner: "", completion: $0) } })")
        parts.append(
            "\(try await again { await result { journal.sessions(after: .start, limit: 9, completion: $0) } })"
        )
        return parts.joined(separator: "\n")
    }

    /// The state after the script without faults, and how often it calls each method.
    private func reference(_ kind: JournalKind) async throws -> (state: String, calls: [FaultyJournal.Method: Int]) {
        let bench = try Bench(kind)
        let journal = FaultyJournal(bench.journal)
        try await script(journal)
        let state = try await state(of: bench.journal)
        try await bench.journal.closed()
        return (state, journal.calls)
    }
}
