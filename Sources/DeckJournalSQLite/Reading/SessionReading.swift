import DeckJournal
import Foundation
import GRDB

/// What is read of one session.
enum SessionReading {
    /// What both look-ups read first; `SessionIdentity` and `SessionSummary` are made of it.
    private static let summaryColumns = """
        session.number, id, tokenHash, spectatorTokenHash, deck, createdAt, clock, isRecorded, owner, version,
        lastActiveAt, activePeriod
        """

    static func find(_ id: String, in db: Database) throws -> SessionFinding {
        let sql = """
            SELECT \(summaryColumns), hasEnded, snapshot, cards, logLineCount, logByteCount
            FROM session LEFT JOIN session_cards ON session_cards.session = session.number
            WHERE id = ?
            """
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id]) else { return .unknown }
        guard try row.integer(12) == 0 else { return .ended }
        let summary = try SessionSummary(row)
        let session = StoredSession(
            identity: summary.identity,
            version: summary.version,
            snapshot: try row.bytes(13),
            cards: try row.bytesIfAny(14),
            logSize: LogSize(lineCount: try row.integer(15), byteCount: try row.integer(16)),
            lastActiveAt: summary.lastActiveAt
        )
        return .session(session)
    }

    /// The index of activity has both what orders sessions, so that a page costs what it holds.
    static func page(after place: SessionPlace, limit: Int, in db: Database) throws -> SessionPage {
        let sql = """
            SELECT \(summaryColumns) FROM session
            WHERE hasEnded = 0 AND (activePeriod, number) < (?, ?)
            ORDER BY activePeriod DESC, number DESC LIMIT ?
            """
        let arguments: StatementArguments = [place.minute, place.number, max(limit, 0) + 1]
        let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        let sessions = try rows.prefix(max(limit, 0)).map { try SessionSummary($0) }
        return SessionPage(sessions: sessions, hasMore: rows.count > sessions.count)
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

extension SessionSummary {
    fileprivate init(_ row: Row) throws {
        let identity = SessionIdentity(
            id: try row.text(1),
            tokenHash: try row.bytes(2),
            spectatorTokenHash: try row.bytes(3),
            deck: try row.textIfAny(4),
            createdAt: WallTime(milliseconds: Int64(try row.integer(5))),
            clock: try row.text(6),
            isRecorded: try row.integer(7) != 0,
            owner: try row.textIfAny(8)
        )
        self.init(
            identity: identity,
            version: try row.integer(9),
            lastActiveAt: WallTime(milliseconds: Int64(try row.integer(10))),
            place: SessionPlace(minute: Int64(try row.integer(11)), number: try row.integer(0))
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
