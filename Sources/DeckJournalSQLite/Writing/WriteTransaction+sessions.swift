import DeckJournal

extension WriteTransaction {
    mutating func create(_ session: NewSession) throws -> Revision {
        let identity = session.identity
        if let revision = try head(of: identity.id)?.status.earlierRevision(of: session) { return revision }
        let origin = try number(of: session.origin)
        // A refusal must leave the counts as they are, because the transaction continues with other changes.
        let refusal = try session.refusal(
            in: tally.generation,
            sessionCount: tally.sessionCount,
            ownerCount: { try count(in: Self.owners, $0) },
            familyCount: { try count(in: Self.families, $0) }
        )
        if let refusal { throw refusal }
        try addOne(to: Self.owners, identity.owner)
        try addOne(to: Self.families, identity.root)
        let position = nextPosition()
        let base = try session.cards.map { try SharedCards.find($0, in: db) }
        try insert(session, position, origin: origin, base: base)
        tally.sessionCount += 1
        var head = SessionHead(session, number: db.lastInsertedRow, position: position)
        try append(session.logLines, toLogOf: head.number, after: 0)
        for record in session.feedRecords { try append(record, of: head.number, deck: identity.deck) }
        for answer in session.answers { try add(answer, to: &head) }
        if head.answerBytes > 0 {
            let sql = "UPDATE session SET answerBytes = ? WHERE number = ?"
            try run(sql, [.integer(head.answerBytes), .integer(head.number)])
        }
        heads[identity.id] = head
        return Revision(position: Int64(position))
    }

    private func insert(_ session: NewSession, _ position: Int, origin: Int?, base: Int?) throws {
        let identity = session.identity
        let logSize = LogSize(of: session.logLines)
        let parts = StateParts(new: session.parts, neededCount: session.parts.count)
        let sql = """
            INSERT INTO session (id, deck, tokenHash, spectatorTokenHash, createdAt, clock, isRecorded, hasEnded,
                lastActiveAt, activePeriod, logLineCount, logByteCount, version, snapshot, owner, position, predecessor,
                nonce, notifications, answerBytes, origin, originVerdicts, originPosition, root, playerTokenHash,
                userName, metadata, cardsBase)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, -1, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try run(
            sql,
            [
                .text(identity.id), .textIfAny(identity.deck), .blob(identity.tokenHash),
                .blob(identity.spectatorTokenHash), .time(identity.createdAt.milliseconds), .text(identity.clock),
                .bool(identity.isRecorded), .time(session.at.milliseconds), .time(session.at.minute),
                .integer(logSize.lineCount), .integer(logSize.byteCount), .integer(session.version),
                .blob(session.state), .textIfAny(identity.owner), .integer(position),
                .integer(Int(bitPattern: UInt(session.nonce))),
                .blobIfAny(EntryAttachments(notifications: session.notifications, parts).bytes),
                origin.map { .integer($0) } ?? .null, .blobIfAny(session.origin.map { Ranges.encode($0.standing) }),
                .integer(tally.lastFeedPosition), .textIfAny(identity.root), .blobIfAny(identity.playerTokenHash),
                .textIfAny(identity.user?.text), .textIfAny(identity.metadata), base.map { .integer($0) } ?? .null,
            ]
        )
    }

    /// The number of the session that a new one is a fork of.
    private func number(of origin: SessionOrigin?) throws -> Int? {
        guard let origin else { return nil }
        let found = try head(of: origin.session)
        try (found?.status ?? .unknown).checkIsOrigin()
        return found?.number
    }

    /// A table with the numbers of sessions of each owner or each family.
    private struct Counts {
        var table: String
        var key: String
        var count: String
        /// The column of a session that has its owner or its family.
        var column: String
    }

    private static let owners = Counts(table: "owner", key: "name", count: "sessionCount", column: "owner")
    private static let families = Counts(table: "family", key: "root", count: "copyCount", column: "root")

    /// The number of sessions of an owner or a family.
    private func count(in counts: Counts, _ key: String) throws -> Int {
        let sql = "SELECT \(counts.count) FROM \(counts.table) WHERE \(counts.key) = ?"
        return try row(sql, [.text(key)])?.integer(0) ?? 0
    }

    /// Counts one more session.
    private func addOne(to counts: Counts, _ key: String?) throws {
        guard let key else { return }
        let insertion = """
            INSERT INTO \(counts.table) (\(counts.key), \(counts.count)) VALUES (?, 1)
            ON CONFLICT (\(counts.key)) DO UPDATE SET \(counts.count) = \(counts.count) + 1
            """
        try run(insertion, [.text(key)])
    }

    /// Counts one session less.
    private func uncount(in counts: Counts, _ session: Int) throws {
        let sql = """
            UPDATE \(counts.table) SET \(counts.count) = \(counts.count) - 1
            WHERE \(counts.key) = (SELECT \(counts.column) FROM session WHERE number = ?)
            """
        try run(sql, [.integer(session)])
        let removal = """
            DELETE FROM \(counts.table) WHERE \(counts.count) = 0
                AND \(counts.key) = (SELECT \(counts.column) FROM session WHERE number = ?)
            """
        try run(removal, [.integer(session)])
    }

    mutating func end(_ id: String, at revision: Revision?) throws -> SessionEnding {
        guard let head = try head(of: id) else { return .unknown }
        let ending = try head.status.ending(at: revision)
        if ending == .ended { try end(id, head) }
        return ending
    }

    /// Marks a session as ended. Housekeeping removes its rows in small steps, however many there are.
    mutating func end(_ id: String, _ head: SessionHead) throws {
        try leaveCardsBase(of: head.number)
        let sql = """
            UPDATE session SET hasEnded = 1, snapshot = NULL, tokenHash = NULL, spectatorTokenHash = NULL,
                playerTokenHash = NULL, metadata = NULL, notifications = NULL, originVerdicts = NULL
            WHERE number = ?
            """
        try run(sql, [.integer(head.number)])
        try uncount(in: Self.owners, head.number)
        try uncount(in: Self.families, head.number)
        try run("INSERT INTO leftover (session) VALUES (?)", [.integer(head.number)])
        try append(.notice(.ended, atMilliseconds: 0), of: head.number, deck: head.deck)
        tally.sessionCount -= 1
        var head = head
        head.hasEnded = true
        heads[id] = head
        tailChanges.updateValue(nil, forKey: head.number)
        ended.append(id)
    }

    mutating func touch(_ id: String, at time: WallTime) throws {
        guard var head = try head(of: id), !head.hasEnded, head.lastActiveAt < time else { return }
        let sql = "UPDATE session SET lastActiveAt = ?, activePeriod = ? WHERE number = ?"
        try run(sql, [.time(time.milliseconds), .time(time.minute), .integer(head.number)])
        head.lastActiveAt = time
        heads[id] = head
        guard var touched = tailHead(of: head.number) else { return }
        touched.lastActiveAt = max(touched.lastActiveAt, time)
        tailChanges.updateValue(touched, forKey: head.number)
    }
}
