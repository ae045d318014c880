import DeckJournal

/// Reads sessions, their logs and their answers.
enum SessionReading {
    static let identityColumns = """
        session.id, token_hash, spectator_token_hash, deck, created_at, clock, is_recorded, owner, root, player_token_hash,
        user_name, metadata
        """

    /// All parts of a session as they are at one moment, read in one round trip.
    static func find(_ id: String, since time: WallTime?, on connection: Connection) throws -> SessionFinding {
        let begin = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let results = try connection.run([begin] + parts(of: id, since: time) + [Statement("COMMIT")])
        guard let row = results[1].first else { return .unknown }
        guard try row.integer(12) == 0 else { return .ended }
        return .session(try StoredSession(row, Array(results[2...6])))
    }

    /// Reads the row of a session, and its parts, notifications, cards, edits of its cards and answered keys, in this order.
    private static func parts(of id: String, since time: WallTime?) -> [Statement] {
        let sessions = "FROM session JOIN head ON head.session = session.number WHERE session.id = $1"
        let number = "(SELECT number FROM session WHERE id = $1)"
        return [
            Statement(
                """
                SELECT \(identityColumns), has_ended, version, last_active_at, position, nonce, state, log_lines,
                    log_bytes, (\(Tally.reading("generation").sql)) \(sessions)
                """,
                [.text(id)]
            ),
            Statement(
                """
                SELECT part.bytes FROM part JOIN head USING (session)
                WHERE part.session = \(number) AND part.number > head.part_count - head.needed_parts ORDER BY part.number
                """,
                [.text(id)]
            ),
            Statement(
                """
                SELECT bytes FROM (
                    SELECT number, bytes FROM notification WHERE session = \(number)
                    ORDER BY number DESC LIMIT \(SessionLimits.notifications)
                ) AS newest ORDER BY number
                """,
                [.text(id)]
            ),
            Statement(
                """
                SELECT bytes FROM cards_base WHERE hash = (SELECT cards_base FROM session WHERE id = $1)
                UNION ALL SELECT bytes FROM session_cards WHERE session = \(number)
                """,
                [.text(id)]
            ),
            Statement("SELECT bytes FROM cards_edit WHERE session = \(number) ORDER BY position", [.text(id)]),
            Statement(
                """
                SELECT key FROM (
                    SELECT key, total FROM answer WHERE session = \(number) AND at >= $2
                    ORDER BY total DESC LIMIT \(SessionLimits.answers)
                ) AS newest ORDER BY total
                """,
                [.text(id), .integer(Int(time?.milliseconds ?? .min))]
            ),
        ]
    }

    static func heads(of ids: [String], on connection: Connection) throws -> [String: LedgerHead] {
        let sql = """
            SELECT id, position, nonce FROM session JOIN head ON head.session = session.number
            WHERE id = ANY($1::text[]) AND has_ended = 0
            """
        let rows = try connection.run(sql, [.texts(ids)]).rows
        var heads: [String: LedgerHead] = [:]
        for row in rows {
            let revision = Revision(position: Int64(try row.integer(1)))
            heads[try row.text(0)] = LedgerHead(revision, nonce: try row.nonce(2))
        }
        return heads
    }

    static func log(of id: String, from line: Int, limit: Int, on connection: Connection) throws -> LogPage {
        let sql = """
            SELECT line, bytes FROM log_line JOIN head USING (session)
            WHERE session = (SELECT number FROM session WHERE id = $1) AND has_ended = 0 AND line >= $2
            ORDER BY line LIMIT $3
            """
        let line = max(line, 0)
        let rows = try connection.run(sql, [.text(id), .integer(line), .integer(max(limit, 0))]).rows
        return LogPage(firstLine: try rows.first?.integer(0) ?? line, lines: try rows.map { try $0.bytes(1) })
    }

    static func answer(of id: String, key: String, since time: WallTime?, on connection: Connection) throws
        -> AnswerRecord?
    {
        let sql = """
            SELECT key, fingerprint, outcome, at, revision FROM answer JOIN head USING (session)
            WHERE session = (SELECT number FROM session WHERE id = $1) AND has_ended = 0 AND key = $2 AND at >= $3
            """
        let values: [Value] = [.text(id), .text(key), .integer(Int(time?.milliseconds ?? .min))]
        guard let row = try connection.run(sql, values).first else { return nil }
        return AnswerRecord(
            key: try row.text(0),
            fingerprint: try row.bytes(1),
            outcome: try row.bytes(2),
            at: try row.time(3),
            revision: Revision(position: Int64(try row.integer(4)))
        )
    }
}

extension StoredSession {
    /// - Parameters:
    ///   - row: the row of the session.
    ///   - parts: the rows of its parts, notifications, cards, edits of its cards and answered keys.
    fileprivate init(_ row: Row, _ parts: [Rows]) throws {
        self.init(
            identity: try SessionIdentity(row),
            revision: Revision(position: Int64(try row.integer(15))),
            generation: try row.integer(20),
            headNonce: try row.nonce(16),
            version: try row.integer(13),
            state: try row.bytes(17),
            logSize: LogSize(lineCount: try row.integer(18), byteCount: try row.integer(19)),
            lastActiveAt: try row.time(14)
        )
        self.parts = try parts[0].rows.map { try $0.bytes(0) }
        notifications = try parts[1].rows.map { try $0.bytes(0) }
        let base = try parts[2].first?.bytes(0)
        let edits = try parts[3].rows.map { try $0.bytes(0) }
        if base != nil || !edits.isEmpty { cards = StoredCards(base: base ?? [], edits: edits) }
        answeredKeys = try parts[4].rows.map { try $0.text(0) }
    }
}

extension SessionIdentity {
    /// - Parameter row: begins with the identity's columns.
    init(_ row: Row) throws(JournalError) {
        self.init(
            id: try row.text(0),
            tokenHash: try row.bytes(1),
            spectatorTokenHash: try row.bytes(2),
            playerTokenHash: row.bytesIfAny(9),
            deck: row.textIfAny(3),
            createdAt: try row.time(4),
            clock: try row.text(5),
            isRecorded: try row.integer(6) != 0,
            owner: row.textIfAny(7),
            root: row.textIfAny(8),
            user: row.textIfAny(10).map { UserName($0) },
            metadata: row.textIfAny(11)
        )
    }
}
