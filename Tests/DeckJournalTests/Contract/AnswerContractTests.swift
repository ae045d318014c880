import DeckJournal
import JournalTesting
import Testing

@Suite struct AnswerContractTests {
    @Test(arguments: JournalKind.allCases) func anAnswerIsFoundByItsSessionAndKey(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            for id in ["a", "b"] { try await value { journal.createSession(.sample(id), completion: $0) } }
            let answer = answer("key", "body", at: 500)
            try await value { journal.commit(record("a", 2, answer), expecting: 1, completion: $0) }
            #expect(try await value { journal.answer(of: "a", key: "key", completion: $0) } == answer)
            #expect(try await value { journal.answer(of: "a", key: "Key", completion: $0) } == nil)
            #expect(try await value { journal.answer(of: "b", key: "key", completion: $0) } == nil)
            #expect(try await value { journal.answer(of: "nobody", key: "key", completion: $0) } == nil)
        }
    }

    @Test(arguments: JournalKind.allCases) func aKeyIsAnsweredOnce(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            let first = answer("key", "first", at: 500)
            try await value { journal.commit(record("a", 2, first), expecting: 1, completion: $0) }
            var second = record("a", 3, answer("key", "second", at: 900))
            second.verdicts = [.given(1)]
            second.answersExpireBefore = time(500)
            let error = await failure { [second] in journal.commit(second, expecting: 2, completion: $0) }
            #expect(error == .alreadyAnswered)
            #expect(try await value { journal.answer(of: "a", key: "key", completion: $0) } == first)
            #expect(try await value { journal.loadSession("a", completion: $0) }.session?.version == 2)
            let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: 9, completion: $0) }
            #expect(feed.entries.isEmpty)
            // An answer that is too old to count gives way.
            second.answersExpireBefore = time(501)
            try await value { [second] in journal.commit(second, expecting: 2, completion: $0) }
            #expect(try await value { journal.answer(of: "a", key: "key", completion: $0) } == second.answer)
        }
    }

    @Test(arguments: JournalKind.allCases) func oldAnswersArePurgedOldestFirst(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.createSession(.sample("a"), completion: $0) }
            for version in 2...7 {
                let answer = answer("key \(version)", "", at: Int64(version) * 100)
                try await value { journal.commit(record("a", version, answer), expecting: version - 1, completion: $0) }
            }
            let purge = { limit in
                try await value { journal.purgeAnswers(before: time(600), limit: limit, completion: $0) }
            }
            #expect(try await purge(3) == 3)
            #expect(try await keys(2...7, journal) == [5, 6, 7])
            #expect(try await purge(9) == 1)
            #expect(try await purge(9) == 0)
            #expect(try await keys(2...7, journal) == [6, 7])
        }
    }

    private func keys(_ versions: ClosedRange<Int>, _ journal: any Journal) async throws -> [Int] {
        var found: [Int] = []
        for version in versions {
            let answer = try await value { journal.answer(of: "a", key: "key \(version)", completion: $0) }
            if answer != nil { found.append(version) }
        }
        return found
    }

    private func answer(_ key: String, _ body: String, at milliseconds: Int64) -> AnswerRecord {
        AnswerRecord(key: key, fingerprint: [1, 2], status: 200, body: bytes(body), at: time(milliseconds))
    }

    private func record(_ session: String, _ version: Int, _ answer: AnswerRecord) -> SessionRecord {
        var record = SessionRecord.sample(session, version)
        record.answer = answer
        return record
    }
}
