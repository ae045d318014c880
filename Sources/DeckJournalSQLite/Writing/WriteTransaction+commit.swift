import DeckJournal
import Foundation
import GRDB

extension WriteTransaction {
    mutating func commit(_ record: SessionRecord, expecting version: Int) throws {
        guard let head = try SessionHead(record.session, in: self), !head.hasEnded else {
            throw JournalError.versionConflict(current: nil)
        }
        guard head.version == version else { throw JournalError.versionConflict(current: head.version) }
        let former = try formerAnswer(to: record, head)
        if let former { try execute("DELETE FROM answer WHERE number = ?", [former]) }
        try update(head, to: record)
        switch record.cards {
        case .unchanged: break
        case .replaced(let cards): try putCards(cards, of: head.number)
        case .dropped: try execute("DELETE FROM session_cards WHERE session = ?", [head.number])
        }
        for verdict in record.verdicts { try append(verdict, of: head.number, deck: head.deck) }
        try append(record.logLines, toLogOf: head.number, after: head.logSize.lineCount)
        if let answer = record.answer { try keep(answer, of: head) }
    }

    /// The answer that the record's own stands in place of, because it is too old to count.
    private func formerAnswer(to record: SessionRecord, _ head: SessionHead) throws -> Int? {
        guard let key = record.answer?.key else { return nil }
        let former = try row("SELECT number, at FROM answer WHERE session = ? AND key = ?", [head.number, key])
        guard let former else { return nil }
        guard try former.integer(1) < Int(record.answersExpireBefore.milliseconds) else {
            throw JournalError.alreadyAnswered
        }
        return try former.integer(0)
    }

    private func update(_ head: SessionHead, to record: SessionRecord) throws {
        var logSize = head.logSize
        logSize.add(record.logLines)
        let lastActiveAt = max(head.lastActiveAt, record.at)
        if lastActiveAt.minute != head.lastActiveAt.minute {
            try execute(
                "UPDATE session SET activePeriod = ? WHERE number = ?",
                [lastActiveAt.minute, head.number]
            )
        }
        let sql = """
            UPDATE session SET version = ?, snapshot = ?, logLineCount = ?, logByteCount = ?, lastActiveAt = ?
            WHERE number = ?
            """
        try execute(
            sql,
            [
                record.version, Data(record.snapshot), logSize.lineCount, logSize.byteCount, lastActiveAt.milliseconds,
                head.number,
            ]
        )
    }

    mutating func append(_ verdict: VerdictRecord, of session: Int, deck: String?) throws {
        tally.lastPosition += 1
        let sql = """
            INSERT INTO verdict (position, session, deck, number, atMilliseconds, cardIndex, cardID, direction, kind)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try execute(
            sql,
            [
                tally.lastPosition, session, deck, verdict.number, verdict.atMilliseconds, verdict.cardIndex,
                verdict.cardID, verdict.direction, verdict.kind.rawValue,
            ]
        )
    }

    private func keep(_ answer: AnswerRecord, of head: SessionHead) throws {
        let sql = "INSERT INTO answer (session, key, fingerprint, status, body, at) VALUES (?, ?, ?, ?, ?, ?)"
        try execute(
            sql,
            [
                head.number, answer.key, Data(answer.fingerprint), answer.status, Data(answer.body),
                answer.at.milliseconds,
            ]
        )
    }

    func purgeAnswers(before time: WallTime, limit: Int) throws -> Int {
        let sql = "DELETE FROM answer WHERE number IN (SELECT number FROM answer WHERE at < ? ORDER BY at LIMIT ?)"
        try execute(sql, [time.milliseconds, max(limit, 0)])
        return db.changesCount
    }
}
