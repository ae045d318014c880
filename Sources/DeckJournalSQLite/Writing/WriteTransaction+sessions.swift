import DeckJournal
import GRDB

extension WriteTransaction {
    mutating func create(_ session: NewSession) throws -> Revision {
        let identity = session.identity
        if let head = try head(of: identity.id) {
            let revision = Revision(position: Int64(head.position))
            let isCreation = !head.hasEnded && head.predecessor == -1 && head.position > 0
            if isCreation, head.nonce == session.nonce { return revision }
            throw JournalError.conflict(current: head.hasEnded ? nil : revision)
        }
        let origin = try number(of: session.origin)
        guard !session.answers.hasDuplicateKeys else { throw JournalError.alreadyAnswered }
        if let owner = identity.owner { try count(owner, atMost: session.ownerLimit) }
        let position = nextPosition()
        try insert(session, position, origin: origin)
        tally.sessionCount += 1
        var head = SessionHead(session, number: Int(db.lastInsertedRowID), position: position)
        if let cards = session.cards { try insert(cards, of: head.number) }
        try append(session.logLines, toLogOf: head.number, after: 0)
        for verdict in session.verdicts { try append(verdict, of: head.number, deck: identity.deck) }
        for answer in session.answers { try add(answer, to: &head) }
        if head.answerBytes > 0 {
            let sql = "UPDATE session SET answerBytes = ? WHERE number = ?"
            try execute(sql, [.integer(head.answerBytes), .integer(head.number)])
        }
        heads[identity.id] = head
        return Revision(position: Int64(position))
    }

    private func insert(_ session: NewSession, _ position: Int, origin: Int?) throws {
        let identity = session.identity
        let logSize = LogSize(of: session.logLines)
        let parts = StateParts(new: session.parts, neededCount: session.parts.count)
        let sql = """
            INSERT INTO session (id, deck, tokenHash, spectatorTokenHash, createdAt, clock, isRecorded, hasEnded,
                lastActiveAt, activePeriod, logLineCount, logByteCount, version, snapshot, owner, position, predecessor,
                nonce, notifications, answerBytes, origin, originVerdicts, originPosition)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, -1, ?, ?, 0, ?, ?, ?)
            """
        try execute(
            sql,
            [
                .text(identity.id), .textIfAny(identity.deck), .blob(identity.tokenHash),
                .blob(identity.spectatorTokenHash), .time(identity.createdAt.milliseconds), .text(identity.clock),
                .bool(identity.isRecorded), .time(session.at.milliseconds), .time(session.at.minute),
                .integer(logSize.lineCount), .integer(logSize.byteCount), .integer(session.version),
                .blob(session.state), .textIfAny(identity.owner), .integer(position),
                .integer(Int(bitPattern: UInt(session.nonce))),
                .blobIfAny(Trail(notifications: session.notifications, parts).bytes),
                origin.map { .integer($0) } ?? .null, .blobIfAny(session.origin.map { Ranges.encode($0.standing) }),
                .integer(tally.lastPosition),
            ]
        )
    }

    /// The number of the session that a new one is a fork of.
    private func number(of origin: SessionOrigin?) throws -> Int? {
        guard let origin else { return nil }
        guard let head = try head(of: origin.session), !head.hasEnded else {
            throw JournalError.conflict(current: nil)
        }
        return head.number
    }

    /// Counts one more session of an owner.
    private func count(_ owner: String, atMost limit: Int?) throws {
        if let limit {
            let count = try row("SELECT sessionCount FROM owner WHERE name = ?", [owner])?.integer(0) ?? 0
            guard count < limit else { throw JournalError.ownerFull(limit: limit) }
        }
        let sql = """
            INSERT INTO owner (name, sessionCount) VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET sessionCount = sessionCount + 1
            """
        try execute(sql, [.text(owner)])
    }

    mutating func end(_ id: String) throws -> SessionEnding {
        guard let head = try head(of: id) else { return .unknown }
        guard !head.hasEnded else { return .hadEnded }
        try end(id, head)
        return .ended
    }

    /// Marks a session as ended. Housekeeping removes its rows in small steps, however many there are.
    mutating func end(_ id: String, _ head: SessionHead) throws {
        let sql = """
            UPDATE session SET hasEnded = 1, snapshot = NULL, tokenHash = NULL, spectatorTokenHash = NULL,
                notifications = NULL
            WHERE number = ?
            """
        try execute(sql, [.integer(head.number)])
        let ownerSQL = """
            UPDATE owner SET sessionCount = sessionCount - 1 WHERE name = (SELECT owner FROM session WHERE number = ?)
            """
        try execute(ownerSQL, [.integer(head.number)])
        try execute("INSERT INTO leftover (session) VALUES (?)", [.integer(head.number)])
        tally.sessionCount -= 1
        var head = head
        head.hasEnded = true
        heads[id] = head
        tailChanges.updateValue(nil, forKey: head.number)
        ended.append(id)
    }

    mutating func touch(_ id: String, at time: WallTime) throws {
        let sql = """
            UPDATE session SET lastActiveAt = ?, activePeriod = ? WHERE id = ? AND hasEnded = 0 AND lastActiveAt < ?
            """
        let milliseconds = Bound.time(time.milliseconds)
        guard try execute(sql, [milliseconds, .time(time.minute), .text(id), milliseconds]) > 0 else { return }
        guard var head = try head(of: id) else { return }
        head.lastActiveAt = max(head.lastActiveAt, time)
        heads[id] = head
        guard let former = tailHead(of: head.number) else { return }
        let touched = Tail.Head(position: former.position, lastActiveAt: max(former.lastActiveAt, time))
        tailChanges.updateValue(touched, forKey: head.number)
    }
}
