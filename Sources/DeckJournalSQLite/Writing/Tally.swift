import DeckJournal

/// Counts of the whole journal, and the last number of each kind that was used.
struct Tally: Equatable {
    var deckCount: Int
    var sessionCount: Int
    /// The last revision of a deck.
    var lastDeckRevision: Int
    /// The last position in the feed.
    var lastFeedPosition: Int
    /// The last position of an entry.
    var lastEntryPosition: Int
    /// The number of the last answer.
    var lastAnswer: Int
    /// The bytes of all rows of answers, and those of the dead ones.
    var answerBytes: Int
    var deadAnswerBytes: Int
    var generation: Int
    /// Grows with every transaction, so that a reader can check whether it sees one.
    var writes: Int

    init(_ db: Connection) throws {
        let sql = """
            SELECT deckCount, sessionCount, lastRevision, lastPosition, lastEntry, generation, writes,
                lastAnswer, answerBytes, deadAnswerBytes
            FROM tally
            """
        guard let row = try db.row(sql) else {
            throw JournalError.damaged("the counts are missing")
        }
        deckCount = try row.integer(0)
        sessionCount = try row.integer(1)
        lastDeckRevision = try row.integer(2)
        lastFeedPosition = try row.integer(3)
        lastEntryPosition = try row.integer(4)
        generation = try row.integer(5)
        writes = try row.integer(6)
        lastAnswer = try row.integer(7)
        answerBytes = try row.integer(8)
        deadAnswerBytes = try row.integer(9)
    }

    func write(to db: Connection) throws {
        let sql = """
            UPDATE tally SET deckCount = ?, sessionCount = ?, lastRevision = ?, lastPosition = ?, lastEntry = ?,
                generation = ?, writes = ?, lastAnswer = ?, answerBytes = ?, deadAnswerBytes = ?
            """
        let numbers = [
            deckCount, sessionCount, lastDeckRevision, lastFeedPosition, lastEntryPosition, generation, writes,
            lastAnswer,
            answerBytes, deadAnswerBytes,
        ]
        try db.run(sql, numbers.map { .integer($0) })
    }

    /// Never uses a number again that another tally used, though its transaction failed.
    mutating func skipNumbers(of other: Tally) {
        lastDeckRevision = max(lastDeckRevision, other.lastDeckRevision)
        lastFeedPosition = max(lastFeedPosition, other.lastFeedPosition)
        lastEntryPosition = max(lastEntryPosition, other.lastEntryPosition)
        lastAnswer = max(lastAnswer, other.lastAnswer)
    }
}
