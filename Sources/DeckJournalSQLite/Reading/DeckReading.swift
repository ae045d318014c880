import DeckJournal

/// Reads decks.
enum DeckReading {
    static func deck(_ id: String, in db: Connection) throws -> StoredDeck? {
        let sql = "SELECT id, revision, document FROM deck WHERE id = ?"
        return try db.row(sql, [.text(id)]).map { try StoredDeck($0) }
    }

    /// The result of a request with a key; nil if the key was not used. Fails with `alreadyAnswered` if another request had
    /// it.
    static func putResult(of key: DeckKey, in db: Connection) throws -> DeckPutResult? {
        let sql = "SELECT fingerprint, revision, isNew, cardCount FROM deck_key WHERE owner = ? AND key = ?"
        let row = try db.row(sql, [.text(key.owner), .text(key.key)])
        return try row.map { try DeckKeyUse($0).putResult(of: key) }
    }

    static func page(after id: String, limit: Int, in db: Connection) throws -> DeckPage {
        let sql = "SELECT id, revision, document FROM deck WHERE id > ? ORDER BY id"
        let rows = try db.lazyRows(sql, [.text(id)])
        var page = DeckPage(decks: [], hasMore: false)
        var bytes = 0
        while let row = try rows.next() {
            guard page.decks.count < limit, bytes < deckPageBytes else {
                page.hasMore = true
                break
            }
            let deck = try StoredDeck(row)
            bytes += deck.document.count
            page.decks.append(deck)
        }
        return page
    }
}

extension StoredDeck {
    fileprivate init(_ row: Row) throws {
        self.init(id: try row.text(0), revision: try row.integer(1), document: try row.bytes(2))
    }
}

extension DeckKeyUse {
    fileprivate init(_ row: Row) throws {
        self.init(
            fingerprint: try row.bytes(0),
            revision: try row.integer(1),
            isNew: try row.integer(2) != 0,
            cardCount: try row.integer(3)
        )
    }
}
