import DeckJournal
import Foundation

/// Reads sessions, from their rows and from the entries that are newer.
enum SessionReading {
    /// The columns that `SessionSummary` is made from.
    static let summaryColumns = """
        number, id, tokenHash, spectatorTokenHash, deck, createdAt, clock, isRecorded, owner, version, lastActiveAt,
        root, playerTokenHash, userName, metadata
        """

    /// - Parameters:
    ///   - number: the session's.
    ///   - head: its head in the tail.
    ///   - answers: its answers that the index may not have.
    static func find(
        _ number: Int,
        _ head: Tail.Head?,
        answers: [UnindexedAnswer],
        since time: WallTime?,
        in db: Connection
    ) throws -> SessionFinding {
        let sql = """
            SELECT \(summaryColumns), hasEnded, snapshot, logLineCount, logByteCount, position, nonce, notifications,
                cardsBase
            FROM session WHERE number = ?
            """
        guard let row = try db.row(sql, [.integer(number)]) else {
            throw JournalError.damaged("session \(number) is missing")
        }
        guard try row.integer(15) == 0 else { return .ended }
        var session = try base(row)
        session.cards = try cards(of: number, base: try row.integerIfAny(22), in: db)
        let last = max(head?.position ?? 0, Int(session.revision.position))
        // The last ones may be of a transaction that the snapshot does not have.
        let visible = answers.filter { $0.revision <= last }
        session.answeredKeys = try answeredKeys(of: number, visible, since: time, in: db)
        session.generation = try db.integer("SELECT generation FROM tally") ?? 0
        guard let head else { return .session(session) }
        session.lastActiveAt = max(session.lastActiveAt, head.lastActiveAt)
        guard try head.position > row.integer(19) else { return .session(session) }
        let base = EntryReading.Base(position: try row.integer(19), attachments: try row.bytesIfAny(21))
        let entry = try EntryReading(head.position, after: base, in: db)
        session.follow(entry, at: head.position)
        return .session(session)
    }

    static func heads(of ids: [String], _ tail: Tail, in db: Connection) throws -> [String: LedgerHead] {
        let sql = "SELECT position, nonce FROM session WHERE number = ? AND hasEnded = 0"
        var heads: [String: LedgerHead] = [:]
        for id in ids {
            guard let (number, head) = try tail.find(id, in: db) else { continue }
            guard let row = try db.row(sql, [.integer(number)]) else { continue }
            var (position, nonce) = (try row.integer(0), try row.nonce(1))
            if let head, head.position > position { (position, nonce) = (head.position, head.nonce) }
            heads[id] = LedgerHead(Revision(position: Int64(position)), nonce: nonce)
        }
        return heads
    }

    private static func base(_ row: Row) throws -> StoredSession {
        let attachments = try EntryAttachments(try row.bytesIfAny(21))
        return StoredSession(
            identity: try SessionIdentity(row),
            revision: Revision(position: Int64(try row.integer(19))),
            headNonce: try row.nonce(20),
            version: try row.integer(9),
            state: try row.bytes(16),
            parts: attachments.parts,
            notifications: attachments.notifications,
            logSize: LogSize(lineCount: try row.integer(17), byteCount: try row.integer(18)),
            lastActiveAt: try row.time(10)
        )
    }

    private static func cards(of session: Int, base: Int?, in db: Connection) throws -> StoredCards? {
        func read(_ sql: String, _ session: Int) throws -> [[UInt8]] {
            try db.rows(sql, [.integer(session)]).map { try $0.bytes(0) }
        }
        let baseSession = base.map(SharedCards.session(ofBase:)) ?? session
        let first = try read("SELECT cards FROM session_cards WHERE session = ?", baseSession)
        let edits = try read("SELECT bytes FROM cards_edit WHERE session = ? ORDER BY position", session)
        guard !first.isEmpty || !edits.isEmpty else { return nil }
        let parts = try read("SELECT bytes FROM cards_part WHERE session = ? ORDER BY part", baseSession)
        return StoredCards(base: (first + parts).reduce(into: []) { $0 += $1 }, edits: edits)
    }

    private static func answeredKeys(
        of session: Int,
        _ unindexed: [UnindexedAnswer],
        since time: WallTime?,
        in db: Connection
    ) throws -> [String] {
        let sql = "SELECT number, key, at, revision, total FROM session_answer WHERE session = ?"
        let indexed = try db.rows(sql, [.integer(session)]).map {
            try UnindexedAnswer($0, from: 0)
        }
        var answers: [Int: UnindexedAnswer] = [:]
        for answer in indexed + unindexed where answer.at >= time ?? answer.at { answers[answer.total] = answer }
        // Housekeeping moves rows, so the numbers may have another order.
        return answers.values.sorted { $0.total < $1.total }.suffix(SessionLimits.answers).map(\.key)
    }

    /// The number of a session that has not ended; nil if there is none with this id.
    static func number(of id: String, in db: Connection) throws -> Int? {
        try db.integer("SELECT number FROM session WHERE id = ? AND hasEnded = 0", [.text(id)])
    }

    /// - Parameter unindexed: the session's answers that the index may not have.
    static func answer(
        of session: Int,
        key: String,
        unindexed: [UnindexedAnswer],
        since time: WallTime?,
        in db: Connection
    ) throws -> AnswerRecord? {
        let sql = "SELECT number FROM session_answer WHERE session = ? AND key = ?"
        let indexed = try db.integer(sql, [.integer(session), .text(key)])
        let others = unindexed.filter { $0.key == key }.map(\.place)
        // The snapshot may not have the latest of them yet.
        for number in (others + [indexed].compactMap(\.self)).sorted(by: >) {
            if let answer = try answer(number, since: time, in: db) { return answer }
        }
        return nil
    }

    private static func answer(_ number: Int, since time: WallTime?, in db: Connection) throws -> AnswerRecord? {
        let sql = "SELECT key, fingerprint, outcome, at, revision FROM answer WHERE number = ? AND at >= ?"
        let values: [SQLValue] = [.integer(number), .time(time?.milliseconds ?? .min)]
        guard let row = try db.row(sql, values) else { return nil }
        return AnswerRecord(
            key: try row.text(0),
            fingerprint: try row.bytes(1),
            outcome: try row.bytes(2),
            at: try row.time(3),
            revision: Revision(position: Int64(try row.integer(4)))
        )
    }

    static func count(ofOwner owner: String, in db: Connection) throws -> Int {
        try db.integer("SELECT sessionCount FROM owner WHERE name = ?", [.text(owner)]) ?? 0
    }

    static func log(of id: String, from line: Int, limit: Int, in db: Connection) throws -> LogPage {
        let sql = """
            SELECT line, bytes FROM log_line
            WHERE session = (SELECT number FROM session WHERE id = ? AND hasEnded = 0) AND line >= ?
            ORDER BY line LIMIT ?
            """
        let line = max(line, 0)
        let rows = try db.rows(sql, [.text(id), .integer(line), .integer(max(limit, 0))])
        return LogPage(firstLine: try rows.first?.integer(0) ?? line, lines: try rows.map { try $0.bytes(1) })
    }
}

extension SessionIdentity {
    /// - Parameter row: begins with the columns of a summary.
    init(_ row: Row) throws {
        self.init(
            id: try row.text(1),
            tokenHash: try row.bytes(2),
            spectatorTokenHash: try row.bytes(3),
            playerTokenHash: try row.bytesIfAny(12),
            deck: try row.textIfAny(4),
            createdAt: try row.time(5),
            clock: try row.text(6),
            isRecorded: try row.integer(7) != 0,
            owner: try row.textIfAny(8),
            root: try row.textIfAny(11),
            user: try row.textIfAny(13).map { UserName($0) },
            metadata: try row.textIfAny(14)
        )
    }
}

extension StoredSession {
    fileprivate mutating func follow(_ entry: EntryReading, at position: Int) {
        revision = Revision(position: Int64(position))
        headNonce = entry.nonce
        version = entry.version
        state = entry.state
        parts = entry.attachments.parts
        notifications = entry.attachments.notifications
        logSize = entry.logSize
    }
}
