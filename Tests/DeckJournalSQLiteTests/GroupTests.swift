import DeckJournal
import DeckJournalSQLite
import JournalTesting
import Testing

@Suite struct GroupTests {
    @Test func commitsThatWaitTogetherAreKeptTogether() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        for caller in 0..<64 {
            try await value { journal.createSession(.sample("\(caller)"), completion: $0) }
        }
        let before = journal.statistics
        for version in 2...5 {
            await withTaskGroup(of: Void.self) { group in
                for caller in 0..<64 {
                    let record = SessionRecord.sample("\(caller)", version, verdicts: [.given(version)])
                    group.addTask {
                        let error = await failure { journal.commit(record, expecting: version - 1, completion: $0) }
                        #expect(error == nil)
                    }
                }
            }
        }
        let statistics = journal.statistics
        #expect(statistics.changes - before.changes == 4 * 64)
        // The first of each round may be on its way to the disk before the others come.
        #expect(statistics.transactions - before.transactions <= 4 * 16)
        try await value { journal.close(completion: $0) }
    }

    @Test func whatCannotBeWrittenFailsForItselfOnly() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        for session in 0..<16 {
            try await value { journal.createSession(.sample("\(session)"), completion: $0) }
        }
        let errors = await withTaskGroup(of: (Int, JournalError?).self) { group in
            for session in 0..<16 {
                var verdict = VerdictRecord.given(1)
                // The file takes no such number.
                if session == 7 { verdict.atMilliseconds = .nan }
                let record = SessionRecord.sample("\(session)", 2, verdicts: [verdict])
                group.addTask {
                    (session, await failure { journal.commit(record, expecting: 1, completion: $0) })
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(errors.count == 1)
        #expect(errors[7]?.isUnavailable == true)
        for session in 0..<16 {
            let stored = try await value { journal.loadSession("\(session)", completion: $0) }.session
            #expect(stored?.version == (session == 7 ? 1 : 2))
        }
        let feed = try await value { journal.verdicts(after: .start, deck: nil, limit: 99, completion: $0) }
        #expect(feed.entries.count == 15)
        try await value { journal.close(completion: $0) }
    }
}
