import DeckJournal
import FileTesting
import JournalTesting
import Testing

@testable import DeckJournalSQLite

/// Rows that have no index entry yet.
struct UnindexedRowTests {
    /// Writes to the file of a journal that is closed.
    private func change(_ path: String, _ statements: [String]) throws {
        let db = try Connection(path, for: .writing)
        for statement in statements { try db.execute(statement) }
        try db.close()
    }

    /// Housekeeping moves old answers behind later ones. When the file is opened, these have their index entries already.
    @Test func anAnswerIsFoundThoughAnOlderOneWasMovedBehindIt() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        let options = TestClock(1000).options()
        var version = 2
        func entry(_ key: String, bytes: Int) -> Entry {
            var entry = Entry.sample("s", version)
            let outcome = [UInt8](repeating: 1, count: bytes)
            entry.answers = [AnswerRecord(key: key, fingerprint: [], outcome: outcome, at: time(1000))]
            version += 1
            return entry
        }
        var journal = try SQLiteJournal(path: path, options: options, entriesToFold: 0)
        var head = try await journal.created(.sample("s"))
        head = try await journal.appended(entry("old", bytes: 100), to: "s", after: head)
        #expect(await eventually { journal.statistics.housekeepingBacklog == 0 })
        try await journal.closed()
        journal = try SQLiteJournal(path: path, options: options)
        head = try await journal.appended(entry("kept", bytes: 500_000), to: "s", after: head)
        try await journal.closed()
        // As a sweep of answers does it.
        try change(
            path,
            [
                "UPDATE tally SET lastAnswer = lastAnswer + 1",
                "UPDATE answer SET number = (SELECT lastAnswer FROM tally) WHERE key = 'old'",
                "UPDATE session_answer SET number = (SELECT lastAnswer FROM tally) WHERE key = 'old'",
            ]
        )
        journal = try SQLiteJournal(path: path, options: options)
        for number in 0..<3 {
            head = try await journal.appended(entry("new \(number)", bytes: 200_000), to: "s", after: head)
        }
        #expect(try await journal.answer("old", of: "s") == nil, "the oldest answer is beyond the limit")
        #expect(try await journal.answer("kept", of: "s")?.outcome.count == 500_000)
        try await journal.closed()
        journal = try SQLiteJournal(path: path, options: options)
        #expect(try await journal.answer("kept", of: "s")?.outcome.count == 500_000)
        try await journal.closed()
    }

    private final class Row: UnindexedRow {
        let place: Int

        init(_ place: Int) {
            self.place = place
        }
    }

    /// As long as a reader holds the rows of other sessions, the writer has to copy all rows before it changes one.
    @Test func aReaderOfASessionHoldsNoRowOfAnother() throws {
        var rows = [Row(1), Row(2)]
        let unindexed = Unindexed(rows.map { (session: $0.place, row: $0) })
        weak let other = rows[1]
        rows = []
        let found = try #require(unindexed.begin { 1 })
        #expect(found.rows.map(\.place) == [1])
        var changes = Unindexed<Row>.Changes()
        changes.settle(2, upTo: 2)
        unindexed.settle(changes)
        withExtendedLifetime(found) { #expect(other == nil) }
    }

    /// A row is added to the list before its transaction is committed.
    @Test func aVerdictThatIsBeingCommittedIsNotRead() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        let journal = try SQLiteJournal(path: path, options: TestClock(1000).options())
        let head = try await journal.created(.sample("s"))
        _ = try await journal.appended(.sample("s", 2, feedRecords: [.given(1)]), to: "s", after: head)
        try await journal.closed()
        let db = try Connection(path, for: .reading)
        let last = try Tally(db).lastFeedPosition
        let session = try #require(try db.integer("SELECT number FROM session"))
        let rows = [UnindexedVerdict(number: 1, place: last), UnindexedVerdict(number: 1, place: last + 1)]
        let reading = try VerdictReading(db, unindexed: [session: rows])
        #expect(try reading.standing(of: "s", after: 0, limit: 9).verdicts == [.given(1)])
        try db.close()
    }

    /// Rows that are removed because of their age need no index entry any more.
    @Test func rowsBeyondTheirAgeLeaveTheList() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let clock = TestClock(1000)
        let ages = JournalAges(answers: .seconds(10), feedRecords: .seconds(10))
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"), options: clock.options(ages: ages))
        try await journal.created(.sample("s"))
        for (version, milliseconds) in [(2, 1000), (3, 9000)] as [(Int, Int64)] {
            clock.set(milliseconds)
            var entry = Entry.sample("s", version, at: milliseconds, feedRecords: [.given(version)])
            entry.answers = [.sample("\(version)", "", at: milliseconds)]
            try await journal.appended(entry, to: "s")
        }
        #expect(journal.writer.verdicts.count == 2 && journal.writer.answers.count == 2)
        clock.set(12_000)
        #expect(await eventually { journal.writer.verdicts.count == 1 && journal.writer.answers.count == 1 })
        #expect(try await journal.standing(in: "s").map(\.number) == [3])
        #expect(try await journal.answer("3", of: "s") != nil)
        clock.set(30_000)
        #expect(await eventually { journal.writer.verdicts.count == 0 && journal.writer.answers.count == 0 })
        try await journal.closed()
    }
}
