import DeckJournal
import DeckJournalSQLite
import FileTesting
import JournalTesting
import Locking
import Testing

@Suite(.serialized) struct HousekeepingTests {
    @Test func theRowsOfAnEndedSessionAreRemovedInStepsBetweenTheCommitsOfOthers() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let clock = TestClock(1000)
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), options: clock.options())
        var head = try await journal.created(.sample("large", cards: [UInt8](repeating: 1, count: 20 << 20)))
        let line = [UInt8](repeating: 2, count: 1000)
        for version in 2...21 {
            var entry = Entry.sample("large", version)
            entry.logLines = Array(repeating: line, count: 1000)
            head = try await journal.appended(entry, to: "large", after: head)
        }
        var other = try await journal.created(.sample("other"))
        let before = journal.statistics
        _ = try await journal.ended("large")
        #expect(try await journal.wholeLog(of: "large").lines.isEmpty)
        var (steps, busySteps) = (0, 0)
        repeat {
            other = try await journal.appended(.sample("other", 2 + steps), to: "other", after: other)
            steps += 1
            if journal.statistics.housekeepingBacklog > 0 { busySteps += 1 }
        } while steps < 50 || (steps < 20_000 && journal.statistics.housekeepingBacklog > 0)
        print("\(busySteps) commits beside the removal")
        #expect(journal.statistics.housekeepingBacklog == 0)
        // If all rows were removed at once, it would be two at most.
        #expect(busySteps > 3)
        // The file shrinks by what was removed.
        #expect(
            await eventually {
                let now = journal.statistics
                return now.pageCount * 2 < before.pageCount
            }
        )
        try await journal.closed()
    }

    @Test func expiryKeepsUpWithManySessions() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let clock = TestClock(1000)
        let options = clock.options(ages: JournalAges(sessions: .seconds(1), answers: .seconds(1)))
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), options: options, entriesToFold: 500)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let id = "\(number)"
                    guard let first = try? await journal.created(.sample(id)) else { return }
                    var entry = Entry.sample(id, 2, at: number.isMultiple(of: 2) ? 1000 : 5000)
                    entry.answers = [.sample("k", "outcome", at: 1000)]
                    _ = try? await journal.appended(entry, to: id, after: first)
                }
            }
        }
        clock.set(3000)
        #expect(try await eventually { try await journal.totals().sessions == 1000 })
        #expect(try await journal.found("0") == .ended)
        #expect(try await journal.stored("1") != nil)
        #expect(try await journal.answer("k", of: "1") == nil)
        #expect(await eventually { journal.statistics.housekeepingBacklog == 0 })
        try await journal.closed()
    }

    /// An old answer that still counts lies before many that do not.
    @Test func answersBeyondTheLimitLeaveTheFile() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let clock = TestClock(1000)
        let path = folder.file("journal.sqlite")
        var journal = try SQLiteJournal(path: path, options: clock.options(), entriesToFold: 10)
        var old = Entry.sample("old", 2)
        old.answers = (0..<20).map { .sample("old \($0)", "old") }
        let first = try await journal.created(.sample("old"))
        _ = try await journal.appended(old, to: "old", after: first)
        var head = try await journal.created(.sample("busy"))
        let outcome = [UInt8](repeating: 1, count: 100_000)
        for version in 2...601 {
            var entry = Entry.sample("busy", version)
            entry.answers = [AnswerRecord(key: "\(version)", fingerprint: [], outcome: outcome, at: time(1000))]
            head = try await journal.appended(entry, to: "busy", after: head)
            // What is dead is known again after the file is opened.
            guard version == 300 else { continue }
            try await journal.closed()
            journal = try SQLiteJournal(path: path, options: clock.options(), entriesToFold: 10)
        }
        // 60 MB were written. The answers within the limit, and 16 MiB that are not removed yet, may stay.
        let pageBytes = 4096
        #expect(await eventually { journal.statistics.pageCount * pageBytes < 30_000_000 })
        #expect(await eventually { journal.statistics.housekeepingBacklog == 0 })
        for _ in 0..<2 {
            for number in 0..<20 {
                #expect(try await journal.answer("old \(number)", of: "old")?.outcome == bytes("old"))
            }
            let keys = try await journal.stored("busy")?.answeredKeys ?? []
            #expect((8...10).contains(keys.count))
            #expect(keys == (602 - keys.count...601).map { "\($0)" })
            for key in keys { #expect(try await journal.answer(key, of: "busy")?.outcome == outcome) }
            #expect(try await journal.answer("400", of: "busy") == nil)
            try await journal.closed()
            journal = try SQLiteJournal(path: path, options: clock.options())
        }
        try await journal.closed()
    }

    @Test func theLogStaysSmallUnderSteadyReaders() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let clock = TestClock(1000)
        let journal = try SQLiteJournal(
            path: folder.file("journal.sqlite"),
            options: clock.options(),
            pagesToCheckpoint: 200,
            logLimit: 4 << 20
        )
        var head = try await journal.created(.sample("a"))
        let large = [UInt8](repeating: 1, count: 100_000)
        try await withThrowingTaskGroup(of: Int.self) { group in
            let isOver = Lock(false)
            for _ in 0..<4 {
                group.addTask {
                    var readCount = 0
                    while !isOver.withLock({ $0 }) {
                        _ = try await journal.wholeFeed()
                        readCount += 1
                    }
                    return readCount
                }
            }
            var largest = 0
            for version in 2...400 {
                var entry = Entry.sample("a", version, feedRecords: [.given(version)])
                entry.state = large
                head = try await journal.appended(entry, to: "a", after: head)
                largest = max(largest, journal.statistics.walBytes)
            }
            print("the write-ahead log had up to \(largest) bytes under steady readers")
            #expect(largest < 16 << 20)
            isOver.withLock { $0 = true }
            for try await readCount in group { #expect(readCount > 20) }
        }
        try await journal.closed()
    }
}
