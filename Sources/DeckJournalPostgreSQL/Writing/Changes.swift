import DeckJournal

/// The changes of a group. They are made in memory, one after the other, and then written with a few statements.
struct Changes {
    var tally: Tally
    /// Answers from before this time have expired; nil: answers do not expire.
    private let oldestAnswer: WallTime?
    private var known: Known
    private var newSessions = Batch(.session)
    private(set) var rows: EntryRows
    private var changedOwners: Set<String> = []
    private var changedFamilies: Set<String> = []
    private var documents: [String: [UInt8]] = [:]
    private var changedDecks: Set<String> = []
    private var deckKeys = Batch(.deckKey)
    private var leftovers = Batch(.leftover)
    /// The statements of a trial, which have no effect.
    var trial: [Statement] = []

    /// - Parameter time: when the group is written.
    init(_ known: Known, _ tally: Tally, at time: WallTime, oldestAnswer: WallTime?) {
        self.known = known
        self.tally = tally
        self.oldestAnswer = oldestAnswer
        rows = EntryRows(at: time)
    }
}

extension Changes {
    /// What other nodes must hear.
    var news: [JournalNews] { known.heads.news + changedDecks.map { .deckChanged(id: $0) } }

    /// Takes the heads that were read or changed, after the changes are written.
    mutating func takeHeads() -> Heads {
        defer { known.heads = Heads() }
        return known.heads
    }
}

// MARK: Sessions

extension Changes {
    /// When a session was last active; nil: there is none, or it has ended.
    func lastActivity(of id: String) -> WallTime? {
        known.heads[id].flatMap { $0.hasEnded ? nil : $0.lastActiveAt }
    }

    mutating func create(_ session: NewSession) throws(JournalError) -> Revision {
        let identity = session.identity
        if let revision = try known.heads[identity.id]?.status.earlierRevision(of: session) { return revision }
        let origin = session.origin.map { known.heads[$0.session] }
        if let origin { try (origin?.status ?? .unknown).checkIsOrigin() }
        let refusal = session.refusal(
            in: tally.generation,
            sessionCount: tally.sessionCount,
            ownerCount: { known.ownerCounts[$0] ?? 0 },
            familyCount: { known.familyCounts[$0] ?? 0 }
        )
        if let refusal { throw refusal }
        if let owner = identity.owner { setCount(ofOwner: owner, (known.ownerCounts[owner] ?? 0) + 1) }
        if let root = identity.root { setCount(ofFamily: root, (known.familyCounts[root] ?? 0) + 1) }
        tally.lastSession += 1
        tally.lastEntryPosition += 1
        tally.sessionCount += 1
        var head = Head(session, number: tally.lastSession, position: tally.lastEntryPosition)
        if let base = session.cards { known.cards.need(base) }
        add(session, head, originNumber: origin??.number)
        rows.add(session, of: &head, after: &tally.lastFeedPosition)
        for answer in session.answers { known.answers[KeyPlace(owner: head.id, key: answer.key)] = answer.at }
        known.heads.create(head)
        return head.revision
    }

    private mutating func add(_ session: NewSession, _ head: Head, originNumber: Int?) {
        let identity = session.identity
        newSessions.add(head.number, Int(identity.createdAt.milliseconds), identity.isRecorded ? 1 : 0)
        newSessions.add(tally.lastFeedPosition)
        newSessions.add(originNumber)
        newSessions.add(identity.id)
        newSessions.add(identity.deck)
        newSessions.add(identity.tokenHash)
        newSessions.add(identity.spectatorTokenHash)
        newSessions.add(identity.clock)
        newSessions.add(identity.owner)
        newSessions.add(identity.root)
        newSessions.add(session.origin.map { Ranges.encode($0.standing) })
        newSessions.add(identity.playerTokenHash)
        newSessions.add(identity.user?.text)
        newSessions.add(identity.metadata)
        newSessions.add(head.cardsBase)
        newSessions.endRow()
    }

    mutating func append(_ entry: Entry, to id: String, after revision: Revision) throws(JournalError) -> Revision {
        guard let place = known.heads.place(of: id) else { throw .conflict(current: nil) }
        let status = known.heads[place: place].status
        if let revision = try status.earlierRevision(of: entry, after: revision) { return revision }
        guard !entry.answers.hasDuplicateKeys else { throw .alreadyAnswered }
        for answer in entry.answers {
            guard let former = known.answers[KeyPlace(owner: id, key: answer.key)] else { continue }
            guard let oldestAnswer, former < oldestAnswer else { throw .alreadyAnswered }
        }
        tally.lastEntryPosition += 1
        known.heads[place: place].follow(entry, position: tally.lastEntryPosition)
        if case .replaced(let base) = entry.cards {
            leaveCardsBase(place)
            known.cards.need(base)
            known.heads[place: place].cardsBase = base.hash
        }
        rows.add(entry, to: &known.heads[place: place], after: &tally.lastFeedPosition)
        for answer in entry.answers { known.answers[KeyPlace(owner: id, key: answer.key)] = answer.at }
        known.heads.markChanged(place, isNews: true)
        return known.heads[place: place].revision
    }

    mutating func end(_ id: String, at revision: Revision?) throws(JournalError) -> SessionEnding {
        guard let place = known.heads.place(of: id) else { return .unknown }
        let ending = try known.heads[place: place].status.ending(at: revision)
        if ending == .ended { end(place) }
        return ending
    }

    private mutating func end(_ place: Int) {
        leaveCardsBase(place)
        known.heads[place: place].hasEnded = true
        known.heads[place: place].state = nil
        let head = known.heads[place: place]
        if let owner = head.owner { setCount(ofOwner: owner, (known.ownerCounts[owner] ?? 1) - 1) }
        if let root = head.root { setCount(ofFamily: root, (known.familyCounts[root] ?? 1) - 1) }
        leftovers.add(head.number)
        leftovers.endRow()
        rows.add(.notice(.ended, atMilliseconds: 0), of: head, after: &tally.lastFeedPosition)
        tally.sessionCount -= 1
        known.heads.markChanged(place, isNews: true)
    }

    mutating func touch(_ id: String, at time: WallTime) {
        guard let place = known.heads.place(of: id), !known.heads[place: place].hasEnded,
            known.heads[place: place].lastActiveAt < time
        else { return }
        known.heads[place: place].lastActiveAt = time
        known.heads.markChanged(place, isNews: false)
    }

    /// Takes a session away from the base of its cards, if that can be shared.
    private mutating func leaveCardsBase(_ place: Int) {
        guard let base = known.heads[place: place].cardsBase else { return }
        known.cards.leave(base)
        known.heads[place: place].cardsBase = nil
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
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?
    ) throws(JournalError) -> DeckPutResult {
        let place = key.map { KeyPlace(owner: $0.owner, key: $0.key) }
        if let key, let place, let former = known.deckKeys[place] {
            return try former.putResult(of: key)
        }
        let former = known.decks[id]
        let isAllowed = try condition.allowsPutting(over: former, count: tally.deckCount, atMost: maximumCount)
        guard isAllowed else { return .full }
        tally.lastDeckRevision += 1
        let revision = tally.lastDeckRevision
        if let key, let place {
            known.deckKeys[place] = DeckKeyUse(key, revision: revision, isNew: former == nil)
            deckKeys.add(revision, former == nil ? 1 : 0, Int(rows.time.milliseconds), key.cardCount)
            deckKeys.add(key.owner)
            deckKeys.add(key.key)
            deckKeys.add(key.fingerprint)
            deckKeys.endRow()
        }
        if former == nil { tally.deckCount += 1 }
        known.decks[id] = revision
        documents[id] = document
        changedDecks.insert(id)
        return former == nil ? .created(revision: revision) : .replaced(revision: revision)
    }

    mutating func removeDeck(_ id: String, if condition: DeckCondition) throws(JournalError) -> Bool {
        guard try condition.allowsRemoval(of: known.decks[id]) else { return false }
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
        var statements = trial + known.cards.insertions + [newSessions, known.heads.newRows].insertions
        let changed = known.heads.changedRows
        if !changed.isEmpty { statements.append(Statement(RowLayout.headUpdate, changed.values)) }
        statements += rows.statements
        statements += countStatements(.owner, "owner", "name", changedOwners, known.ownerCounts)
        statements += countStatements(.family, "family", "root", changedFamilies, known.familyCounts)
        statements += deckStatements
        statements += [deckKeys, leftovers].insertions
        if !leftovers.isEmpty {
            let members = """
                token_hash = NULL, spectator_token_hash = NULL, player_token_hash = NULL, metadata = NULL,
                origin_verdicts = NULL, cards_base = NULL
                """
            let source = RowLayout.leftover.source
            let sql = "UPDATE session SET \(members) FROM \(source) WHERE session.number = new.session"
            statements.append(Statement(sql, leftovers.values))
        }
        return statements + known.cards.removals
    }

    private func countStatements(
        _ layout: RowLayout,
        _ table: String,
        _ key: String,
        _ changed: Set<String>,
        _ counts: [String: Int]
    ) -> [Statement] {
        guard !changed.isEmpty else { return [] }
        var batch = Batch(layout)
        for name in changed {
            batch.add(name)
            batch.add(counts[name] ?? 0)
            batch.endRow()
        }
        return [
            batch.insertion,
            Statement("DELETE FROM \(table) WHERE \(key) = ANY($1::text[]) AND count <= 0", [.texts(changed)]),
        ]
    }

    private var deckStatements: [Statement] {
        guard !changedDecks.isEmpty else { return [] }
        var batch = Batch(.deck)
        var removed: [String] = []
        for id in changedDecks {
            if let document = documents[id], let revision = known.decks[id] {
                batch.add(id)
                batch.add(revision)
                batch.add(document)
                batch.endRow()
            } else {
                removed.append(id)
            }
        }
        var statements: [Statement] = []
        if !removed.isEmpty {
            statements.append(Statement("DELETE FROM deck WHERE id = ANY($1::text[])", [.texts(removed)]))
        }
        return statements + [batch].insertions
    }
}

extension RowLayout {
    fileprivate static let session = RowLayout(
        "session",
        [
            ("number", .integer), ("created_at", .integer), ("is_recorded", .integer), ("origin_position", .integer),
            ("origin", .integer), ("id", .text), ("deck", .text), ("token_hash", .bytes),
            ("spectator_token_hash", .bytes), ("clock", .text), ("owner", .text), ("root", .text),
            ("origin_verdicts", .bytes), ("player_token_hash", .bytes), ("user_name", .text), ("metadata", .text),
            ("cards_base", .bytes),
        ]
    )
    fileprivate static let deck = RowLayout(
        "deck",
        [("id", .text), ("revision", .integer), ("document", .bytes)],
        "ON CONFLICT (id) DO UPDATE SET revision = EXCLUDED.revision, document = EXCLUDED.document"
    )
    fileprivate static let deckKey = RowLayout(
        "deck_key",
        [
            ("revision", .integer), ("is_new", .integer), ("at", .integer), ("card_count", .integer), ("owner", .text),
            ("key", .text), ("fingerprint", .bytes),
        ]
    )
    fileprivate static let leftover = RowLayout("leftover", [("session", .integer)])
    fileprivate static let owner = RowLayout(
        "owner",
        [("name", .text), ("count", .integer)],
        "ON CONFLICT (name) DO UPDATE SET count = EXCLUDED.count"
    )
    fileprivate static let family = RowLayout(
        "family",
        [("root", .text), ("count", .integer)],
        "ON CONFLICT (root) DO UPDATE SET count = EXCLUDED.count"
    )
}
