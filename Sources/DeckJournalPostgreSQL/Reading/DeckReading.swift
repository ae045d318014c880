import DeckJournal

/// Reads decks.
enum DeckReading {
    static func deck(_ id: String, on connection: Connection) throws -> StoredDeck? {
        let sql = "SELECT id, revision, document FROM deck WHERE id = $1"
        return try connection.run(sql, [.text(id)]).first.map { try StoredDeck($0) }
    }

    static func revision(of id: String, on connection: Connection) throws -> Int? {
        try connection.run("SELECT revision FROM deck WHERE id = $1", [.text(id)]).first?.integer(0)
    }

    /// The result of a request with a key; nil if the key was not used. Fails with `alreadyAnswered` if another request had
    /// it.
    static func putResult(of key: DeckKey, on connection: Connection) throws -> DeckPutResult? {
        let sql = "SELECT \(DeckKeyUse.columns) FROM deck_key WHERE owner = $1 AND key = $2"
        let row = try connection.run(sql, [.text(key.owner), .text(key.key)]).first
        return try row.map { try DeckKeyUse($0, from: 0).putResult(of: key) }
    }

    /// A page ends with the deck whose document brings it to `deckPageBytes`.
    static func page(after id: String, limit: Int, on connection: Connection) throws -> DeckPage {
        let limit = max(limit, 0)
        let sql = """
            SELECT id, revision, document FROM (
                SELECT id, revision, document, sum(length(document)) OVER (ORDER BY id) - length(document) AS before
                FROM (SELECT * FROM deck WHERE id > $1 ORDER BY id LIMIT $2) AS next
            ) AS page WHERE before < $3 ORDER BY id
            """
        let rows = try connection.run(sql, [.text(id), .integer(limit), .integer(deckPageBytes)]).rows
        let decks = try rows.map { try StoredDeck($0) }
        let more = "SELECT 1 FROM deck WHERE id > $1 LIMIT 1"
        let hasMore = try connection.run(more, [.text(decks.last?.id ?? id)]).count > 0
        return DeckPage(decks: decks, hasMore: hasMore)
    }
}

extension StoredDeck {
    fileprivate init(_ row: Row) throws(JournalError) {
        self.init(id: try row.text(0), revision: try row.integer(1), document: try row.bytes(2))
    }
}
