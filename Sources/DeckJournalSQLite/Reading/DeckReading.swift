import DeckJournal
import GRDB

/// Reads decks.
enum DeckReading {
    static func deck(_ id: String, in db: Database) throws -> StoredDeck? {
        let sql = "SELECT id, revision, document FROM deck WHERE id = ?"
        return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id]).map { try StoredDeck($0) }
    }

    static func page(after id: String, limit: Int, in db: Database) throws -> DeckPage {
        let sql = "SELECT id, revision, document FROM deck WHERE id > ? ORDER BY id"
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [id])
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
