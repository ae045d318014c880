import DeckJournal

extension WriteTransaction {
    /// Refuses keys that were answered already. Answers beyond their age do not count; they are removed.
    mutating func checkKeys(of answers: [AnswerRecord], _ session: Int) throws {
        guard !answers.hasDuplicateKeys else { throw JournalError.alreadyAnswered }
        var old: [Int] = []
        for answer in answers {
            guard let former = try number(ofAnswer: answer.key, session),
                let time = try row("SELECT at FROM answer WHERE number = ?", [.integer(former)])?.time(0)
            else { continue }
            guard let oldest = due.answers, time < oldest else { throw JournalError.alreadyAnswered }
            old.append(former)
        }
        for former in old { try removeAnswerRow(former) }
    }

    /// The number of the answer to a key. The answer may have been removed.
    private func number(ofAnswer key: String, _ session: Int) throws -> Int? {
        if let row = answers.last(of: session, with: answerChanges, where: { $0.key == key }) { return row.place }
        return try row(
            "SELECT number FROM session_answer WHERE session = ? AND key = ?",
            [.integer(session), .text(key)]
        )?.integer(0)
    }

    private mutating func removeAnswerRow(_ number: Int) throws {
        let sql = "SELECT LENGTH(outcome), LENGTH(CAST(key AS BLOB)) FROM answer WHERE number = ?"
        guard let row = try row(sql, [.integer(number)]) else { return }
        tally.answerBytes -= AnswerRecord.storedBytes(outcome: try row.integer(0), key: try row.integer(1))
        try run("DELETE FROM answer WHERE number = ?", [.integer(number)])
    }

    /// Adds an answer whose key was checked. If the session's answers exceed their limit then, the oldest are dead.
    mutating func add(_ answer: AnswerRecord, to head: inout SessionHead) throws {
        head.answerBytes += answer.storedBytes
        tally.lastAnswer += 1
        tally.answerBytes += answer.storedBytes
        let sql = """
            INSERT INTO answer (number, session, key, fingerprint, at, revision, total, outcome)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        try run(
            sql,
            [
                .integer(tally.lastAnswer), .integer(head.number), .text(answer.key), .blob(answer.fingerprint),
                .time(answer.at.milliseconds), .integer(head.position), .integer(head.answerBytes),
                .blob(answer.outcome),
            ]
        )
        let row = UnindexedAnswer(
            place: tally.lastAnswer,
            key: answer.key,
            at: answer.at,
            revision: head.position,
            total: head.answerBytes
        )
        if answers.count < Self.mostUnindexed {
            answerChanges.add(row, of: head.number)
        } else {
            try index(row, of: head.number)
        }
        guard head.answerBytes - head.removedAnswerBytes > SessionLimits.answerBytes else { return }
        let limit = head.answerBytes - SessionLimits.answerBytesAfterTrimming
        try forgetAnswers(of: head.number, withTotalUpTo: limit)
        tally.deadAnswerBytes += limit - head.removedAnswerBytes
        head.removedAnswerBytes = limit
    }

    /// Removes the index entries of a session's oldest answers. Their rows are among those of other sessions, so each would
    /// take a page; `sweepAnswers` removes them together.
    private mutating func forgetAnswers(of session: Int, withTotalUpTo limit: Int) throws {
        // The outcome of the creation, whose key is empty, stays.
        let sql = "DELETE FROM session_answer WHERE session = ? AND total <= ? AND key <> ''"
        try run(sql, [.integer(session), .integer(limit)])
        // A row that the sweep has moved can be behind later answers. It gets an index entry with them, and loses it next time.
        let oldest = answers.rows(of: session, with: answerChanges).prefix { $0.total <= limit }
        for row in oldest where row.key.isEmpty { try index(row, of: session) }
        if let last = oldest.last { answerChanges.settle(session, upTo: last.place) }
    }

    /// Writes the index entries of a session's answers.
    ///
    /// - Returns: whether all of them were written.
    mutating func indexAnswers(of session: Int, atMost limit: Int) throws -> Bool {
        let rows = answers.rows(of: session, with: answerChanges)
        for row in rows.prefix(limit) {
            try index(row, of: session)
            answerChanges.settle(session, upTo: row.place)
        }
        return rows.count <= limit
    }

    private func index(_ row: UnindexedAnswer, of session: Int) throws {
        let sql = """
            INSERT OR REPLACE INTO session_answer (session, key, number, at, revision, total) VALUES (?, ?, ?, ?, ?, ?)
            """
        try run(
            sql,
            [
                .integer(session), .text(row.key), .integer(row.place), .time(row.at.milliseconds),
                .integer(row.revision), .integer(row.total),
            ]
        )
    }

    /// Removes answers beyond their age. Answers are numbered about in the order of their times.
    mutating func removeAnswers() throws -> (hasChanged: Bool, hasMore: Bool) {
        guard let time = due.answers else { return (false, false) }
        let old = Array(try oldestAnswers(Self.rowsPerStep).prefix { $0.at < time })
        for answer in old {
            let sql = "DELETE FROM session_answer WHERE session = ? AND key = ? AND number = ?"
            try run(sql, [.integer(answer.session), .text(answer.key), .integer(answer.number)])
            answerChanges.settle(answer.session, upTo: answer.number)
        }
        try remove(old)
        return (!old.isEmpty, old.count == Self.rowsPerStep)
    }

    /// Removes some answers of a session that ended, and returns how many.
    mutating func removeSomeAnswers(of session: Int, atMost limit: Int) throws -> Int {
        _ = try indexAnswers(of: session, atMost: limit)
        let rows = try rows(
            "SELECT number, key FROM session_answer WHERE session = ? LIMIT ?",
            [.integer(session), .integer(limit)]
        )
        for row in rows {
            try removeAnswerRow(try row.integer(0))
            let sql = "DELETE FROM session_answer WHERE session = ? AND key = ?"
            try run(sql, [.integer(session), .text(try row.text(1))])
        }
        return rows.count
    }
}

/// The removal of dead answers.
struct AnswerSweep {
    /// A pass over the answers in progress.
    struct Pass {
        /// The last answer when it began. Rows behind it were moved, or are new.
        var last: Int
        /// The bytes that were dead when it began, and were not found yet.
        var missingBytes: Int
    }

    fileprivate var pass: Pass?
    /// The last answer at the end of the last step; nil before the first.
    fileprivate var lastAnswer: Int?
}

/// Dead answers are removed from the oldest row on, so that whole pages become free. A row on the way that is not dead is
/// moved to the end. This begins when a third of all bytes is dead, so that few rows are moved for each that is removed.
extension WriteTransaction {
    private static let leastDeadBytes = 16 << 20
    /// The number of rows that a step of the sweep looks at is at least this, and grows with the answers that were added since the
    /// last step, so that dead answers are removed at least as fast as they are added.
    private static let answersPerSweep = 500
    private static let answersPerAddedAnswer = 4
    private static let mostAnswersPerSweep = 8192

    /// The row of an answer.
    private struct StoredAnswer {
        var number: Int
        var session: Int
        var key: String
        var at: WallTime
        var bytes: Int
        var isIndexed: Bool
        var isUnindexed = false

        var isDead: Bool { !isIndexed && !isUnindexed }
    }

    /// Removes some dead answers if there are too many.
    mutating func sweepAnswers(_ sweep: inout AnswerSweep) throws -> (hasChanged: Bool, hasMore: Bool) {
        let addedCount = tally.lastAnswer - (sweep.lastAnswer ?? tally.lastAnswer)
        defer { sweep.lastAnswer = tally.lastAnswer }
        guard tally.deadAnswerBytes > max(Self.leastDeadBytes, tally.answerBytes / 3) else {
            sweep.pass = nil
            return (false, false)
        }
        var pass = sweep.pass ?? AnswerSweep.Pass(last: tally.lastAnswer, missingBytes: tally.deadAnswerBytes)
        let most = min(addedCount, Self.mostAnswersPerSweep / Self.answersPerAddedAnswer) * Self.answersPerAddedAnswer
        let oldest = try oldestAnswers(max(most, Self.answersPerSweep))
        guard let first = oldest.first, first.number <= pass.last else {
            // Every row was looked at. What was not found was removed in another way.
            tally.deadAnswerBytes = oldest.isEmpty ? 0 : max(tally.deadAnswerBytes - max(pass.missingBytes, 0), 0)
            sweep.pass = nil
            return (true, false)
        }
        // The fold indexes an answer before the sweep moves it.
        let answers = Array(oldest.prefix { $0.number <= pass.last && !$0.isUnindexed })
        let dead = answers.filter(\.isDead)
        try remove(dead)
        pass.missingBytes -= dead.reduce(0) { $0 + $1.bytes }
        for answer in answers where !answer.isDead { try moveToEnd(answer) }
        sweep.pass = pass
        return (!answers.isEmpty, !answers.isEmpty)
    }

    private func oldestAnswers(_ limit: Int) throws -> [StoredAnswer] {
        let sql = """
            SELECT answer.number, answer.session, answer.key, answer.at, LENGTH(outcome), LENGTH(CAST(answer.key AS BLOB)),
                session_answer.number
            FROM answer LEFT JOIN session_answer USING (session, key) ORDER BY answer.number LIMIT ?
            """
        return try rows(sql, [.integer(limit)]).map { row in
            let (number, session) = (try row.integer(0), try row.integer(1))
            return StoredAnswer(
                number: number,
                session: session,
                key: try row.text(2),
                at: try row.time(3),
                bytes: AnswerRecord.storedBytes(outcome: try row.integer(4), key: try row.integer(5)),
                isIndexed: try row.integerIfAny(6) == number,
                isUnindexed: answers.last(of: session, with: answerChanges) { $0.place == number } != nil
            )
        }
    }

    private mutating func remove(_ answers: [StoredAnswer]) throws {
        for answer in answers {
            try run("DELETE FROM answer WHERE number = ?", [.integer(answer.number)])
            tally.answerBytes -= answer.bytes
            if answer.isDead { tally.deadAnswerBytes = max(tally.deadAnswerBytes - answer.bytes, 0) }
        }
    }

    private mutating func moveToEnd(_ answer: StoredAnswer) throws {
        tally.lastAnswer += 1
        let numbers: [SQLValue] = [.integer(tally.lastAnswer), .integer(answer.number)]
        try run("UPDATE answer SET number = ? WHERE number = ?", numbers)
        let sql = "UPDATE session_answer SET number = ? WHERE session = ? AND key = ?"
        try run(sql, [.integer(tally.lastAnswer), .integer(answer.session), .text(answer.key)])
    }
}
