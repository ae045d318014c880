import DeckJournal
import FileTesting
import JournalTesting
import Testing

@testable import DeckJournalSQLite

/// What a transaction does to the rows of the file.
struct WriteTransactionTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder(isQuick: true)
        path = folder.file("journal.sqlite")
    }

    /// Begins a transaction on the file of a journal that is closed.
    private func begin(at time: WallTime = time(1000), ages: JournalAges = JournalAges()) throws -> WriteTransaction {
        let db = try Connection(path, for: .writing)
        try db.begin()
        return WriteTransaction(
            db: db,
            cache: HeadCache(),
            tail: try Tail(db),
            verdicts: try Unindexed<UnindexedVerdict>(db),
            answers: try Unindexed<UnindexedAnswer>(db),
            time: time,
            due: DueTimes(ages, at: time),
            tally: try Tally(db)
        )
    }

    private func answerCount(_ transaction: WriteTransaction) throws -> Int {
        try #require(try transaction.db.integer("SELECT COUNT(*) FROM answer"))
    }

    /// The answers that were given before the start are not new ones.
    @Test func theFirstStepOfASweepRemovesNoMoreThanOthers() async throws {
        try await SQLiteJournal(path: path).closed()
        var transaction = try begin()
        let rows = """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
            INSERT INTO answer SELECT n, 1, n, x'', 0, 0, 0, x'' FROM numbers
            """
        try transaction.db.execute(rows)
        transaction.tally.lastAnswer = 10_000
        transaction.tally.deadAnswerBytes = 1 << 30
        var sweep = AnswerSweep()
        var removed: [Int] = []
        for _ in 0..<3 {
            let before = try answerCount(transaction)
            _ = try transaction.sweepAnswers(&sweep)
            removed.append(before - (try answerCount(transaction)))
        }
        #expect(removed[0] > 0)
        #expect(Set(removed).count == 1, "\(removed)")
    }

    @Test func keysThatAreRefusedChangeNothing() async throws {
        let clock = TestClock(1000)
        let journal = try SQLiteJournal(path: path, options: clock.options())
        let first = try await journal.created(.sample("s"))
        var entry = Entry.sample("s", 2)
        entry.answers = [.sample("old", "", at: 1000), .sample("new", "", at: 2000)]
        _ = try await journal.appended(entry, to: "s", after: first)
        try await journal.closed()
        var transaction = try begin(at: time(2500), ages: JournalAges(answers: .seconds(1)))
        let session = try #require(try transaction.db.integer("SELECT number FROM session"))
        let before = transaction.tally
        let answers = [AnswerRecord.sample("old", "again"), .sample("new", "again")]
        #expect(throws: JournalError.alreadyAnswered) { try transaction.checkKeys(of: answers, session) }
        #expect(try answerCount(transaction) == 2)
        #expect(transaction.tally == before)
        try transaction.checkKeys(of: [answers[0]], session)
        #expect(try answerCount(transaction) == 1)
    }
}
