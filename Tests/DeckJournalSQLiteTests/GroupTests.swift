import DeckJournal
import DeckJournalSQLite
import FileTesting
import JournalTesting
import Testing

@Suite struct GroupTests {
    @Test func entriesThatWaitTogetherAreCommittedTogether() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        var model = Model()
        for caller in 0..<64 { try await model.create("\(caller)", in: journal) }
        let before = journal.statistics
        for _ in 2...5 {
            let current = model
            let heads = await withTaskGroup(of: (String, Revision?).self) { group in
                for caller in 0..<64 {
                    let (entry, revision) = current.next(of: "\(caller)")
                    group.addTask {
                        ("\(caller)", try? await journal.appended(entry, to: "\(caller)", after: revision))
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(heads.count == 64)
            for (session, revision) in heads { model.follow(session, revision) }
        }
        let statistics = journal.statistics
        #expect(statistics.changes - before.changes == 4 * 64)
        // The first of each round may be on its way to the disk before the others come.
        #expect(statistics.commits - before.commits <= 4 * 16)
        try await model.check(journal, "in groups")
        try await journal.closed()
    }

    @Test func anEntryThatCannotBeWrittenFailsAlone() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        var heads: [Revision] = []
        for session in 0..<64 { heads.append(try await journal.created(.sample("\(session)"))) }
        let first = heads
        let before = journal.statistics.commits
        let errors = await withTaskGroup(of: (Int, JournalError?).self) { group in
            for session in 0..<64 {
                var verdict = FeedRecord.given(1)
                // The file takes no such number.
                if session == 7 || session == 11 { verdict.atMilliseconds = .nan }
                let entry = Entry.sample("\(session)", 2, feedRecords: [verdict], notifications: ["x"])
                group.addTask {
                    (session, await journal.appendError(entry, to: "\(session)", after: first[session]))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(errors.count == 2)
        #expect(errors[7]?.isUnavailable == true && errors[11]?.isUnavailable == true)
        for session in 0..<64 {
            let isRefused = session == 7 || session == 11
            #expect(try await journal.stored("\(session)")?.version == (isRefused ? 1 : 2))
        }
        #expect(try await journal.wholeFeed().rows.count == 62)
        // The others do not commit one by one.
        #expect(journal.statistics.commits - before <= 16)
        let entry = Entry.sample("7", 2, feedRecords: [.given(1)])
        try await journal.appended(entry, to: "7", after: first[7])
        try await journal.closed()
    }
}
