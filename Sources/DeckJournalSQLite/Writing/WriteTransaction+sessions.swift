import DeckJournal
import Foundation
import GRDB

extension WriteTransaction {
    mutating func createSession(_ session: NewSession) throws {
        let identity = session.identity
        if let head = try SessionHead(identity.id, in: self) {
            throw JournalError.versionConflict(current: head.hasEnded ? nil : head.version)
        }
        if let owner = identity.owner { try count(owner, atMost: session.ownerLimit) }
        let sql = """
            INSERT INTO session (id, deck, tokenHash, spectatorTokenHash, createdAt, clock, isRecorded, hasEnded,
                lastActiveAt, activePeriod, logLineCount, logByteCount, version, snapshot, owner)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)
            """
        let createdAt = identity.createdAt.milliseconds
        let logSize = LogSize(of: session.logLines)
        try execute(
            sql,
            [
                identity.id, identity.deck, Data(identity.tokenHash), Data(identity.spectatorTokenHash), createdAt,
                identity.clock, identity.isRecorded, session.at.milliseconds, session.at.minute, logSize.lineCount,
                logSize.byteCount, session.version, Data(session.snapshot), identity.owner,
            ]
        )
        tally.sessionCount += 1
        let number = Int(db.lastInsertedRowID)
        if let cards = session.cards { try putCards(cards, of: number) }
        try append(session.logLines, toLogOf: number, after: 0)
        for verdict in session.verdicts { try append(verdict, of: number, deck: identity.deck) }
    }

    /// Counts one session more of an owner.
    private func count(_ owner: String, atMost limit: Int?) throws {
        if let limit {
            let count = try row("SELECT sessionCount FROM owner WHERE name = ?", [owner])?.integer(0) ?? 0
            guard count < limit else { throw JournalError.ownerFull(limit: limit) }
        }
        let sql = """
            INSERT INTO owner (name, sessionCount) VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET sessionCount = sessionCount + 1
            """
        try execute(sql, [owner])
    }

    mutating func endSession(_ id: String) throws -> SessionEnding {
        guard let head = try SessionHead(id, in: self) else { return .unknown }
        guard !head.hasEnded else { return .hadEnded }
        try end(head.number)
        return .ended
    }

    mutating func expireSessions(idleSince time: WallTime, limit: Int) throws -> [String] {
        let sql = """
            SELECT number, id FROM session WHERE hasEnded = 0 AND activePeriod <= ? AND lastActiveAt < ?
            ORDER BY activePeriod, lastActiveAt LIMIT ?
            """
        let arguments: StatementArguments = [time.minute, time.milliseconds, max(limit, 0)]
        let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        var ids: [String] = []
        for row in rows {
            ids.append(try row.text(1))
            try end(row.integer(0))
        }
        return ids
    }

    func touchSession(_ id: String, at time: WallTime) throws {
        let sql = """
            UPDATE session SET lastActiveAt = ?, activePeriod = ? WHERE id = ? AND hasEnded = 0 AND lastActiveAt < ?
            """
        try execute(sql, [time.milliseconds, time.minute, id, time.milliseconds])
    }

    func putCards(_ cards: [UInt8], of session: Int) throws {
        let sql = """
            INSERT INTO session_cards (session, cards) VALUES (?, ?)
            ON CONFLICT (session) DO UPDATE SET cards = excluded.cards
            """
        try execute(sql, [session, Data(cards)])
    }

    func append(_ lines: [[UInt8]], toLogOf session: Int, after count: Int) throws {
        for (line, bytes) in zip(count..., lines) {
            try execute("INSERT INTO log_line (session, line, bytes) VALUES (?, ?, ?)", [session, line, Data(bytes)])
        }
    }

    private mutating func end(_ session: Int) throws {
        let sql = """
            UPDATE session SET hasEnded = 1, snapshot = NULL, tokenHash = NULL, spectatorTokenHash = NULL
            WHERE number = ?
            """
        try execute(sql, [session])
        let ownerSQL = """
            UPDATE owner SET sessionCount = sessionCount - 1 WHERE name = (SELECT owner FROM session WHERE number = ?)
            """
        try execute(ownerSQL, [session])
        try execute("DELETE FROM session_cards WHERE session = ?", [session])
        try execute("DELETE FROM log_line WHERE session = ?", [session])
        try execute("DELETE FROM answer WHERE session = ?", [session])
        tally.sessionCount -= 1
    }
}
