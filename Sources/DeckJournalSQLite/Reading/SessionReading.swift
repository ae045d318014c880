import DeckJournal
import Foundation
import GRDB

/// What is read of one session.
enum SessionReading {
    static func find(_ id: String, in db: Database) throws -> SessionFinding {
        let sql = """
            SELECT tokenHash, spectatorTokenHash, deck, createdAt, clock, isRecorded, version, snapshot, cards,
                logLineCount, logByteCount, lastActiveAt, hasEnded, owner
            FROM session LEFT JOIN session_cards ON session_cards.session = session.number
            WHERE id = ?
            """
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id]) else { return .unknown }
        guard try row.integer(12) == 0 else { return .ended }
        let identity = SessionIdentity(
            id: id,
            tokenHash: try row.bytes(0),
            spectatorTokenHash: try row.bytes(1),
            deck: try row.textIfAny(2),
            createdAt: WallTime(milliseconds: Int64(try row.integer(3))),
            clock: try row.text(4),
            isRecorded: try row.integer(5) != 0,
            owner: try row.textIfAny(13)
        )
        let session = StoredSession(
            identity: identity,
            version: try row.integer(6),
            snapshot: try row.bytes(7),
            cards: try row.bytesIfAny(8),
            logSize: LogSize(lineCount: try row.integer(9), byteCount: try row.integer(10)),
            lastActiveAt: WallTime(milliseconds: Int64(try row.integer(11)))
        )
        return .session(session)
    }

    static func log(of id: String, from line: Int, limit: Int, in db: Database) throws -> [[UInt8]] {
        let sql = """
            SELECT bytes FROM log_line WHERE session = (SELECT number FROM session WHERE id = ?) AND line >= ?
            ORDER BY line LIMIT ?
            """
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [id, line, max(limit, 0)]).map {
            try $0.bytes(0)
        }
    }

    /// A verdict stands if it was given and nothing was kept of its number later.
    static func standingVerdicts(
        of id: String,
        after number: Int,
        limit: Int,
        in db: Database
    ) throws -> [VerdictRecord] {
        let sql = """
            SELECT number, atMilliseconds, cardIndex, cardID, direction, kind FROM verdict
            WHERE session = (SELECT number FROM session WHERE id = ? AND hasEnded = 0) AND number > ? AND kind = ?
                AND NOT EXISTS (
                    SELECT 1 FROM verdict AS later
                    WHERE later.session = verdict.session AND later.number = verdict.number
                        AND later.position > verdict.position
                )
            ORDER BY number LIMIT ?
            """
        let given = VerdictRecord.Kind.given.rawValue
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [id, number, given, max(limit, 0)]).map {
            try VerdictRecord($0, from: 0)
        }
    }

    static func answer(of id: String, key: String, in db: Database) throws -> AnswerRecord? {
        let sql = """
            SELECT fingerprint, status, body, at FROM answer
            WHERE session = (SELECT number FROM session WHERE id = ?) AND key = ?
            """
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id, key]) else { return nil }
        return AnswerRecord(
            key: key,
            fingerprint: try row.bytes(0),
            status: try row.integer(1),
            body: try row.bytes(2),
            at: WallTime(milliseconds: Int64(try row.integer(3)))
        )
    }
}

extension VerdictRecord {
    /// - Parameter column: the first of six: number, time, card's index, card's id, direction, kind.
    init(_ row: Row, from column: Int) throws {
        guard let kind = Kind(rawValue: try row.integer(column + 5)) else {
            throw JournalError.damaged("a verdict is neither given nor reverted")
        }
        self.init(
            number: try row.integer(column),
            atMilliseconds: try row.number(column + 1),
            cardIndex: try row.integer(column + 2),
            cardID: try row.text(column + 3),
            direction: try row.text(column + 4),
            kind: kind
        )
    }
}
