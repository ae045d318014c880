import DeckJournal

extension WriteTransaction {
    mutating func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?
    ) throws -> DeckPutResult {
        if let key, let putResult = try DeckReading.putResult(of: key, in: db) { return putResult }
        let former = try deckRevision(id)
        let isAllowed = try condition.allowsPutting(over: former, count: tally.deckCount, atMost: maximumCount)
        guard isAllowed else { return .full }
        tally.lastDeckRevision += 1
        let revision = tally.lastDeckRevision
        if let key { try add(key, revision: revision, isNew: former == nil) }
        if former == nil {
            tally.deckCount += 1
            let sql = "INSERT INTO deck (id, revision, document) VALUES (?, ?, ?)"
            try run(sql, [.text(id), .integer(revision), .blob(document)])
            return .created(revision: revision)
        }
        let sql = "UPDATE deck SET revision = ?, document = ? WHERE id = ?"
        try run(sql, [.integer(revision), .blob(document), .text(id)])
        return .replaced(revision: revision)
    }

    private func add(_ key: DeckKey, revision: Int, isNew: Bool) throws {
        let sql = """
            INSERT INTO deck_key (owner, key, fingerprint, revision, isNew, at, cardCount)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        try run(
            sql,
            [
                .text(key.owner), .text(key.key), .blob(key.fingerprint), .integer(revision),
                .bool(isNew), .time(time.milliseconds), .integer(key.cardCount),
            ]
        )
    }

    mutating func removeDeck(_ id: String, if condition: DeckCondition) throws -> Bool {
        guard try condition.allowsRemoval(of: try deckRevision(id)) else { return false }
        tally.deckCount -= 1
        try run("DELETE FROM deck WHERE id = ?", [.text(id)])
        return true
    }

    private func deckRevision(_ id: String) throws -> Int? {
        try row("SELECT revision FROM deck WHERE id = ?", [.text(id)])?.integer(0)
    }
}
