import DeckJournal
import JournalTesting
import Testing

@Suite struct AnswerContractTests {
    @Test(arguments: JournalKind.allCases) func anAnswerIsFoundByItsSessionAndKey(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            try await journal.created(.sample("b"))
            var entry = Entry.sample("a", 2)
            entry.answers = [.sample("key", "outcome", at: 500), .sample("other", "", at: 501)]
            let second = try await journal.appended(entry, to: "a", after: first)
            var expected = entry.answers[0]
            expected.revision = second
            #expect(try await journal.answer("key", of: "a") == expected)
            #expect(try await journal.answer("other", of: "a")?.outcome == [])
            #expect(try await journal.answer("Key", of: "a") == nil)
            #expect(try await journal.answer("key", of: "b") == nil)
            #expect(try await journal.answer("key", of: "nobody") == nil)
            #expect(try await journal.stored("a")?.answeredKeys == ["key", "other"])
        }
    }

    @Test(arguments: JournalKind.allCases) func theOutcomeOfTheCreationStays(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var new = NewSession.sample("a")
            new.answers = [.sample("", "created")]
            var revision = try await journal.created(new)
            let outcome = String(repeating: "x", count: 64 << 10)
            for number in 1...40 {
                var entry = Entry.sample("a", number + 1)
                entry.answers = [.sample("key \(number)", outcome)]
                revision = try await journal.appended(entry, to: "a", after: revision)
            }
            #expect(try await journal.answer("key 1", of: "a") == nil)
            #expect(try await journal.answer("key 40", of: "a") != nil)
            #expect(try await journal.answer("", of: "a")?.outcome == bytes("created"))
        }
    }

    @Test(arguments: JournalKind.allCases) func aKeyIsAnsweredOnce(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var new = NewSession.sample("a")
            new.answers = [.sample("created", "a")]
            let first = try await journal.created(new)
            #expect(try await journal.answer("created", of: "a")?.revision == first)
            var entry = Entry.sample("a", 2)
            entry.answers = [.sample("1", ""), .sample("2", "")]
            let second = try await journal.appended(entry, to: "a", after: first)
            let before = try await journal.found("a")
            for keys in [["3", "2"], ["created"], ["4", "4"]] {
                var entry = Entry.sample("a", 3, feedRecords: [.given(1)])
                entry.answers = keys.map { .sample($0, "again") }
                #expect(await journal.appendError(entry, to: "a", after: second) == .alreadyAnswered)
            }
            #expect(try await journal.found("a") == before)
            #expect(try await journal.answer("3", of: "a") == nil)
            #expect(try await journal.wholeFeed().rows.isEmpty)
        }
    }

    @Test(arguments: JournalKind.allCases) func answersBeyondTheirAgeDoNotCount(_ kind: JournalKind) async throws {
        let clock = TestClock(1000)
        try await kind.run(clock.options(ages: JournalAges(answers: .seconds(1)))) { journal in
            let first = try await journal.created(.sample("a"))
            var entry = Entry.sample("a", 2)
            entry.answers = [.sample("old", "first", at: 1000), .sample("new", "first", at: 1500)]
            let second = try await journal.appended(entry, to: "a", after: first)
            clock.set(2001)
            #expect(try await journal.answer("old", of: "a") == nil)
            #expect(try await journal.answer("new", of: "a") != nil)
            #expect(try await journal.stored("a")?.answeredKeys == ["new"])
            entry = .sample("a", 3)
            entry.answers = [.sample("old", "second", at: 2001)]
            let third = try await journal.appended(entry, to: "a", after: second)
            #expect(try await journal.answer("old", of: "a")?.outcome == bytes("second"))
            #expect(try await journal.answer("old", of: "a")?.revision == third)
        }
    }

    @Test(arguments: JournalKind.allCases) func theKeysOfAllStoredAnswersAreLoaded(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            var head = try await journal.created(.sample("a"))
            for version in 2...14 {
                var entry = Entry.sample("a", version)
                entry.answers = (0..<100).map { .sample("\(version).\($0)", "", at: Int64(version)) }
                head = try await journal.appended(entry, to: "a", after: head)
            }
            let all = (2...14).flatMap { version in (0..<100).map { "\(version).\($0)" } }
            let keys = try await journal.stored("a")?.answeredKeys ?? []
            #expect((768...SessionLimits.answers).contains(keys.count))
            #expect(keys == all.suffix(keys.count))
            let last = try await journal.answer("14.99", of: "a")
            #expect(last?.revision == head)
            #expect(last?.at == time(14))
            #expect(try await journal.answer(keys[0], of: "a")?.key == keys[0])
            #expect(try await journal.answer(all[all.count - keys.count - 1], of: "a") == nil)
        }
    }

    @Test(arguments: JournalKind.allCases) func theOldestAnswersBeyondTheLimitAreRemoved(
        _ kind: JournalKind
    ) async throws {
        let bench = try Bench(kind)
        var head = try await bench.journal.created(.sample("a"))
        let outcome = [UInt8](repeating: 1, count: 100_000)
        for version in 2...100 {
            var entry = Entry.sample("a", version)
            entry.answers = [AnswerRecord(key: "\(version)", fingerprint: [], outcome: outcome, at: time(1))]
            head = try await bench.journal.appended(entry, to: "a", after: head)
            // What was summed up is known again after the file is opened.
            if kind != .memory, version == 50 { _ = try await bench.reopen() }
            guard version.isMultiple(of: 9) else { continue }
            let keys = try await bench.journal.stored("a")?.answeredKeys.compactMap { Int($0) } ?? []
            #expect(keys == Array((keys.first ?? 0)...version))
            #expect(keys.count * outcome.count <= SessionLimits.answerBytes)
            #expect(keys.count >= min(version - 1, 8))
        }
        #expect(try await bench.journal.answer("2", of: "a") == nil)
        #expect(try await bench.journal.answer("100", of: "a")?.outcome == outcome)
        try await bench.journal.closed()
    }
}
