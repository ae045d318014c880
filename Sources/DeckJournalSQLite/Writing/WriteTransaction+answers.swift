import DeckJournal
import GRDB

extension WriteTransaction {
    /// Refuses keys that were answered already. Answers beyond their age do not count.
    func checkKeys(of answers: [AnswerRecord], _ session: Int) throws {
        guard !answers.hasDuplicateKeys else { throw JournalError.alreadyAnswered }
        for answer in answers {
            let former = try row("SELECT at FROM answer WHERE session = ? AND key = ?", [session, answer.key])
            guard let former else { continue }
            guard let oldest = due.answers, try former.time(0) < oldest else { throw JournalError.alreadyAnswered }
        }
    }

    /// Adds an answer, and removes the session's oldest answers if all together exceed their budget.
    ///
    /// Each answer's `total` is the sum of the bytes of all answers up to it, so the oldest are known by comparison.
    func add(_ answer: AnswerRecord, to head: inout SessionHead) throws {
        try execute("DELETE FROM answer WHERE session = ? AND key = ?", [.integer(head.number), .text(answer.key)])
        head.answerBytes += answer.storedBytes
        let sql = """
            INSERT INTO answer (session, key, fingerprint, at, revision, total, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        try execute(
            sql,
            [
                .integer(head.number), .text(answer.key), .blob(answer.fingerprint), .time(answer.at.milliseconds),
                .integer(head.position), .integer(head.answerBytes), .blob(answer.outcome),
            ]
        )
        guard head.answerBytes - head.removedAnswerBytes > SessionLimits.answerBytes else { return }
        let limit = head.answerBytes - SessionLimits.answerBytesAfterTrimming
        let removal = """
            DELETE FROM answer WHERE session = ? AND total - LENGTH(outcome) - LENGTH(CAST(key AS BLOB)) - ? < ?
            """
        try execute(removal, [.integer(head.number), .integer(SessionLimits.answerOverhead), .integer(limit)])
        head.removedAnswerBytes = limit
    }
}
