import DeckJournal

/// A row of the table of verdicts: a change of a verdict, or a pending swipe. A session's rows are ordered by their numbers, and
/// those with the same number by their places.
struct UnindexedVerdict: UnindexedRow, Comparable {
    /// The number of the verdict.
    var number: Int
    /// The place in the feed.
    var place: Int

    static func < (left: UnindexedVerdict, right: UnindexedVerdict) -> Bool {
        (left.number, left.place) < (right.number, right.place)
    }
}

/// The answer to a request with an idempotency key, without the outcome.
struct UnindexedAnswer: UnindexedRow {
    /// The number of the answer.
    var place: Int
    var key: String
    var at: WallTime
    var revision: Int
    /// The bytes of all answers of the session up to this one.
    var total: Int
}

extension Unindexed<UnindexedVerdict> {
    /// Reads the rows behind the last fold.
    convenience init(_ db: Connection) throws {
        let sql = """
            SELECT session, number, position FROM verdict WHERE position > (SELECT indexedPosition FROM tally)
            ORDER BY position
            """
        self.init(
            try db.rows(sql).map { row in
                (try row.integer(0), UnindexedVerdict(number: try row.integer(1), place: try row.integer(2)))
            }
        )
    }
}

extension Unindexed<UnindexedAnswer> {
    /// Reads the rows behind the last fold. Those that the sweep has moved there have an index entry.
    convenience init(_ db: Connection) throws {
        let sql = """
            SELECT session, number, key, at, revision, total FROM answer
            WHERE number > (SELECT indexedAnswer FROM tally) AND NOT EXISTS (
                SELECT 1 FROM session_answer WHERE session = answer.session AND key = answer.key AND number = answer.number
            )
            ORDER BY number
            """
        self.init(
            try db.rows(sql).map { row in (try row.integer(0), try UnindexedAnswer(row, from: 1)) }
        )
    }
}

extension UnindexedAnswer {
    /// - Parameter column: the first of five: number, key, time, revision, total.
    init(_ row: Row, from column: Int) throws {
        self.init(
            place: try row.integer(column),
            key: try row.text(column + 1),
            at: try row.time(column + 2),
            revision: try row.integer(column + 3),
            total: try row.integer(column + 4)
        )
    }
}
