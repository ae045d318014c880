import DeckJournal

/// The changes of a group. They are made in memory, one after the other, and then written with a few statements.
struct Changes {
    /// When the group is written.
    let time: WallTime
    /// The time before which answers do not count.
    let oldestAnswer: WallTime?
    var tally: Tally
    private var known: Known
    /// What other nodes must hear, by the ids of the sessions.
    private var sessionNews: [String: SessionNews] = [:]

    private var changedHeads: Set<String> = []
    private var newSessions = Batch([
        ("number", .integer), ("id", .text), ("deck", .text), ("token_hash", .bytes), ("spectator_token_hash", .bytes),
        ("created_at", .integer), ("clock", .text), ("is_recorded", .integer), ("owner", .text), ("root", .text),
        ("origin", .integer), ("origin_verdicts", .bytes), ("origin_position", .integer),
    ])
    private var newHeads: Set<String> = []
    private var notifications = Batch([("session", .integer), ("number", .integer), ("bytes", .bytes)])
    private var parts = Batch([("session", .integer), ("number", .integer), ("bytes", .bytes)])
    private var oldNotifications = Batch([("session", .integer), ("number", .integer)])
    private var oldParts = Batch([("session", .integer), ("number", .integer)])
    private var cards = CardsChanges()
    private var logLines = Batch([("session", .integer), ("line", .integer), ("at", .integer), ("bytes", .bytes)])
    private var verdicts = Batch([
        ("position", .integer), ("session", .integer), ("deck", .text), ("number", .integer),
        ("at_milliseconds", .real),
        ("card_index", .integer), ("card_id", .bytes), ("direction", .text), ("kind", .integer), ("at", .integer),
    ])
    private var answers = Batch([
        ("session", .integer), ("key", .text), ("fingerprint", .bytes), ("at", .integer), ("revision", .integer),
        ("total", .integer), ("outcome", .bytes),
    ])
    private var oldAnswers = Batch([("session", .integer), ("number", .integer)])
    private var changedOwners: Set<String> = []
    private var changedFamilies: Set<String> = []
    private var documents: [String: [UInt8]] = [:]
    private var changedDecks: Set<String> = []
    private var deckKeys = Batch([
        ("owner", .text), ("key", .text), ("fingerprint", .bytes), ("revision", .integer), ("is_new", .integer),
        ("at", .integer),
    ])
    private var leftovers = Batch([("session", .integer)])

    init(_ known: Known, _ tally: Tally, at time: WallTime, oldestAnswer: WallTime?) {
        self.known = known
        self.tally = tally
        self.time = time
        self.oldestAnswer = oldestAnswer
    }
}

extension Changes {
    /// The heads that were read or changed.
    var heads: [String: Head] { known.heads }

    /// What other nodes must hear.
    var news: [SessionNews] { sessionNews.values + changedDecks.map { .deckChanged($0) } }
}

// MARK: Sessions

extension Changes {
    /// When a session was last active; nil: there is none, or it has ended.
    func lastActivity(of id: String) -> WallTime? {
        known.heads[id].flatMap { $0.hasEnded ? nil : $0.lastActiveAt }
    }

    mutating func create(_ session: NewSession) throws(JournalError) -> Revision {
        let identity = session.identity
        if let head = known.heads[identity.id] {
            if !head.hasEnded, head.predecessor == -1, head.nonce == session.nonce { return head.revision }
            throw .conflict(current: head.hasEnded ? nil : head.revision)
        }
        let origin = session.origin.map { known.heads[$0.session] }
        if let origin, origin.map(\.hasEnded) ?? true { throw .conflict(current: nil) }
        guard !session.answers.hasDuplicateKeys else { throw .alreadyAnswered }
        let ownerCount = identity.owner.map { known.ownerCounts[$0] ?? 0 }
        let familyCount = identity.root.map { known.familyCounts[$0] ?? 0 }
        if let limit = session.limit, tally.sessionCount >= limit { throw .full(limit: limit) }
        if let limit = session.ownerLimit, let ownerCount, ownerCount >= limit { throw .ownerFull(limit: limit) }
        if let limit = session.familyLimit, let familyCount, familyCount >= limit { throw .familyFull(limit: limit) }
        if let owner = identity.owner { setCount(ofOwner: owner, (ownerCount ?? 0) + 1) }
        if let root = identity.root { setCount(ofFamily: root, (familyCount ?? 0) + 1) }
        tally.lastSession += 1
        tally.lastEntry += 1
        tally.sessionCount += 1
        var head = Head(session, number: tally.lastSession, position: tally.lastEntry)
        add(session, head, originNumber: origin??.number)
        if let base = session.cards { cards.change(.replaced(base), of: head) }
        append(session.notifications, session.parts, to: &head)
        append(session.logLines, to: &head)
        for verdict in session.verdicts { append(verdict, to: head) }
        for answer in session.answers { add(answer, to: &head) }
        newHeads.insert(identity.id)
        known.heads[identity.id] = head
        return head.revision
    }

    private mutating func add(_ session: NewSession, _ head: Head, originNumber: Int?) {
        let identity = session.identity
        newSessions.append(
            head.number,
            identity.id,
            identity.deck,
            identity.tokenHash,
            identity.spectatorTokenHash,
            Int(identity.createdAt.milliseconds),
            identity.clock,
            identity.isRecorded ? 1 : 0,
            identity.owner,
            identity.root,
            originNumber,
            session.origin.map { Ranges.encode($0.standing) },
            tally.lastPosition
        )
    }

    mutating func append(_ entry: Entry, to id: String, after revision: Revision) throws(JournalError) -> Revision {
        guard var head = known.heads[id], !head.hasEnded else { throw .conflict(current: nil) }
        guard head.revision == revision else {
            let isRetry = head.predecessor == Int(revision.position) && head.nonce == entry.nonce
            if isRetry { return head.revision }
            throw .conflict(current: head.revision)
        }
        guard !entry.answers.hasDuplicateKeys else { throw .alreadyAnswered }
        for answer in entry.answers {
            guard let former = known.answers[KeyPlace(owner: id, key: answer.key)] else { continue }
            guard let oldestAnswer, former < oldestAnswer else { throw .alreadyAnswered }
        }
        tally.lastEntry += 1
        head.follow(entry, position: tally.lastEntry)
        cards.change(entry.cards, of: head)
        append(entry.notifications, entry.parts.new, to: &head)
        append(entry.logLines, to: &head)
        for verdict in entry.verdicts { append(verdict, to: head) }
        for answer in entry.answers { add(answer, to: &head) }
        sessionNews[id] = .changed(id, head.revision)
        changed(head)
        return head.revision
    }

    private mutating func changed(_ head: Head) {
        known.heads[head.id] = head
        if !newHeads.contains(head.id) { changedHeads.insert(head.id) }
    }

    private mutating func append(_ notifications: [[UInt8]], _ parts: [[UInt8]], to head: inout Head) {
        for bytes in notifications {
            head.notificationCount += 1
            self.notifications.append(head.number, head.notificationCount, bytes)
        }
        for bytes in parts {
            head.partCount += 1
            self.parts.append(head.number, head.partCount, bytes)
        }
        // Old ones are removed some at a time.
        let kept = SessionLimits.notifications
        if !notifications.isEmpty, head.notificationCount % kept < notifications.count {
            oldNotifications.append(head.number, head.notificationCount - kept)
        }
        if !parts.isEmpty, head.partCount % SessionLimits.parts < parts.count {
            oldParts.append(head.number, head.partCount - head.neededParts)
        }
    }

    private mutating func append(_ lines: [[UInt8]], to head: inout Head) {
        for (line, bytes) in zip(head.logSize.lineCount..., lines) {
            logLines.append(head.number, line, Int(time.milliseconds), bytes)
        }
        head.logSize.add(lines)
    }

    private mutating func append(_ verdict: VerdictRecord, to head: Head) {
        tally.lastPosition += 1
        verdicts.append(
            tally.lastPosition,
            head.number,
            head.deck,
            verdict.number,
            verdict.atMilliseconds,
            verdict.cardIndex,
            Array(verdict.cardID.utf8),
            verdict.direction,
            verdict.kind.rawValue,
            Int(time.milliseconds)
        )
    }

    private mutating func add(_ answer: AnswerRecord, to head: inout Head) {
        let former = head.answerBytes
        head.answerBytes += answer.storedBytes
        known.answers[KeyPlace(owner: head.id, key: answer.key)] = answer.at
        answers.append(
            head.number,
            answer.key,
            answer.fingerprint,
            Int(answer.at.milliseconds),
            head.position,
            head.answerBytes,
            answer.outcome
        )
        // The oldest are removed some at a time: whenever the sum passes a multiple of what trimming removes.
        let step = SessionLimits.answerBytes - SessionLimits.answerBytesAfterTrimming
        guard head.answerBytes > SessionLimits.answerBytes, (former - 1) / step < (head.answerBytes - 1) / step else {
            return
        }
        let limit = head.answerBytes - SessionLimits.answerBytesAfterTrimming
        oldAnswers.append(head.number, limit)
    }

    mutating func end(_ id: String) -> SessionEnding {
        guard var head = known.heads[id] else { return .unknown }
        guard !head.hasEnded else { return .hadEnded }
        head.hasEnded = true
        head.state = nil
        if let owner = head.owner { setCount(ofOwner: owner, (known.ownerCounts[owner] ?? 1) - 1) }
        if let root = head.root { setCount(ofFamily: root, (known.familyCounts[root] ?? 1) - 1) }
        leftovers.append(head.number)
        tally.sessionCount -= 1
        sessionNews[id] = .ended(id)
        changed(head)
        return .ended
    }

    mutating func touch(_ id: String, at time: WallTime) {
        guard var head = known.heads[id], !head.hasEnded, head.lastActiveAt < time else { return }
        head.lastActiveAt = time
        changed(head)
    }

    private mutating func setCount(ofOwner owner: String, _ count: Int) {
        known.ownerCounts[owner] = count
        changedOwners.insert(owner)
    }

    private mutating func setCount(ofFamily root: String, _ count: Int) {
        known.familyCounts[root] = count
        changedFamilies.insert(root)
    }
}

// MARK: Decks

extension Changes {
    mutating func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: RevisionCondition,
        atMost maximumCount: Int,
        once key: DeckKey?
    ) throws(JournalError) -> DeckPutting {
        let place = key.map { KeyPlace(owner: $0.owner, key: $0.key) }
        if let key, let place, let former = known.deckKeys[place] {
            guard former.fingerprint == key.fingerprint else { throw .alreadyAnswered }
            return .putBefore(revision: former.revision, isNew: former.isNew)
        }
        let former = known.decks[id]
        guard condition.allows(former) else { throw .deckConflict(current: former) }
        guard former != nil || tally.deckCount < maximumCount else { return .full }
        tally.lastRevision += 1
        let revision = tally.lastRevision
        if let key, let place {
            known.deckKeys[place] = Known.PutDeck(
                fingerprint: key.fingerprint,
                revision: revision,
                isNew: former == nil
            )
            deckKeys.append(
                key.owner,
                key.key,
                key.fingerprint,
                revision,
                former == nil ? 1 : 0,
                Int(time.milliseconds)
            )
        }
        if former == nil { tally.deckCount += 1 }
        known.decks[id] = revision
        documents[id] = document
        changedDecks.insert(id)
        return former == nil ? .created(revision: revision) : .replaced(revision: revision)
    }

    mutating func removeDeck(_ id: String, if condition: RevisionCondition) throws(JournalError) -> Bool {
        guard let former = known.decks[id] else { return false }
        guard condition.allows(former) else { throw .deckConflict(current: former) }
        tally.deckCount -= 1
        known.decks[id] = nil
        documents[id] = nil
        changedDecks.insert(id)
        return true
    }
}

// MARK: Statements

extension Changes {
    /// The statements that write the changes.
    var statements: [Statement] {
        var statements: [Statement] = []
        func insert(_ batch: Batch, _ table: String, _ conflict: String = "") {
            if !batch.isEmpty { statements.append(batch.insertion(into: table, conflict)) }
        }
        insert(newSessions, "session")
        statements += headStatements
        insert(notifications, "notification")
        insert(parts, "part")
        statements += cards.statements
        insert(logLines, "log_line")
        insert(verdicts, "verdict")
        insert(
            answers,
            "answer",
            """
            ON CONFLICT (session, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, at = EXCLUDED.at,
                revision = EXCLUDED.revision, total = EXCLUDED.total, outcome = EXCLUDED.outcome
            """
        )
        for (batch, table, column) in [
            (oldNotifications, "notification", "number"), (oldParts, "part", "number"), (oldAnswers, "answer", "total"),
        ] where !batch.isEmpty {
            let condition = "\(table).session = new.session AND \(table).\(column) <= new.number"
            statements.append(Statement("DELETE FROM \(table) USING \(batch.source) WHERE \(condition)", batch.values))
        }
        statements += countStatements("owner", "name", changedOwners, known.ownerCounts)
        statements += countStatements("family", "root", changedFamilies, known.familyCounts)
        statements += deckStatements
        insert(deckKeys, "deck_key")
        insert(leftovers, "leftover")
        if !leftovers.isEmpty {
            let hashes = "token_hash = NULL, spectator_token_hash = NULL"
            let sql = "UPDATE session SET \(hashes) FROM \(leftovers.source) WHERE session.number = new.session"
            statements.append(Statement(sql, leftovers.values))
        }
        return statements
    }

    private var headStatements: [Statement] {
        var statements: [Statement] = []
        var new = Head.batch
        for id in newHeads { if let head = known.heads[id] { head.append(to: &new) } }
        if !new.isEmpty { statements.append(new.insertion(into: "head")) }
        var changed = Head.batch
        for id in changedHeads { if let head = known.heads[id] { head.append(to: &changed) } }
        guard !changed.isEmpty else { return statements }
        let names = changed.names.split(separator: ", ").filter { $0 != "session" && $0 != "state" }
        let assignments = names.map { "\($0) = new.\($0)" }.joined(separator: ", ")
        statements.append(
            Statement(
                """
                UPDATE head SET \(assignments),
                    state = CASE WHEN new.has_ended = 1 THEN NULL ELSE COALESCE(new.state, head.state) END
                FROM \(changed.source) WHERE head.session = new.session
                """,
                changed.values
            )
        )
        return statements
    }

    private func countStatements(
        _ table: String,
        _ key: String,
        _ changed: Set<String>,
        _ counts: [String: Int]
    ) -> [Statement] {
        guard !changed.isEmpty else { return [] }
        var batch = Batch([(key, .text), ("count", .integer)])
        for name in changed { batch.append(name, counts[name] ?? 0) }
        return [
            batch.insertion(into: table, "ON CONFLICT (\(key)) DO UPDATE SET count = EXCLUDED.count"),
            Statement("DELETE FROM \(table) WHERE \(key) = ANY($1::text[]) AND count <= 0", [.texts(changed)]),
        ]
    }

    private var deckStatements: [Statement] {
        guard !changedDecks.isEmpty else { return [] }
        var batch = Batch([("id", .text), ("revision", .integer), ("document", .bytes)])
        var removed: [String] = []
        for id in changedDecks {
            if let document = documents[id], let revision = known.decks[id] {
                batch.append(id, revision, document)
            } else {
                removed.append(id)
            }
        }
        var statements: [Statement] = []
        if !removed.isEmpty {
            statements.append(Statement("DELETE FROM deck WHERE id = ANY($1::text[])", [.texts(removed)]))
        }
        let update = "ON CONFLICT (id) DO UPDATE SET revision = EXCLUDED.revision, document = EXCLUDED.document"
        if !batch.isEmpty { statements.append(batch.insertion(into: "deck", update)) }
        return statements
    }
}
