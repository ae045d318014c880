import DeckJournal
import GRDB

/// Reads the feed of verdicts.
enum FeedReading {
    private static let select = """
        SELECT verdict.number, atMilliseconds, cardIndex, cardID, direction, kind, verdict.position, verdict.deck, session.id
        FROM verdict JOIN session ON session.number = verdict.session
        """

    static func page(after cursor: DeckJournal.Cursor, filter: FeedFilter, limit: Int, in db: Database) throws
        -> VerdictPage
    {
        let limit = max(limit, 0)
        let rows: [Row]
        if let deck = filter.deck {
            let sql = "\(select) WHERE verdict.deck = ? AND verdict.position > ? ORDER BY verdict.position LIMIT ?"
            rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [deck, cursor.position, limit])
        } else {
            let sql = "\(select) WHERE verdict.position > ? ORDER BY verdict.position LIMIT ?"
            rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [cursor.position, limit])
        }
        let entries = try rows.map(VerdictEntry.init)
        if entries.count == limit, let last = entries.last { return VerdictPage(entries: entries, end: last.cursor) }
        return VerdictPage(entries: entries, end: limit == 0 ? cursor : max(cursor, try endOfAll(in: db)))
    }

    /// Where the page with the same arguments ends.
    static func end(after cursor: DeckJournal.Cursor, filter: FeedFilter, limit: Int, in db: Database) throws
        -> DeckJournal.Cursor
    {
        guard limit > 0 else { return cursor }
        let last: Int64?
        if let deck = filter.deck {
            let sql = "SELECT position FROM verdict WHERE deck = ? AND position > ? ORDER BY position LIMIT 1 OFFSET ?"
            let arguments: StatementArguments = [deck, cursor.position, limit - 1]
            last = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
        } else {
            let sql = "SELECT position FROM verdict WHERE position > ? ORDER BY position LIMIT 1 OFFSET ?"
            last = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [cursor.position, limit - 1])
        }
        return try last.map { DeckJournal.Cursor(position: $0) } ?? max(cursor, endOfAll(in: db))
    }

    private static func endOfAll(in db: Database) throws -> DeckJournal.Cursor {
        DeckJournal.Cursor(position: Int64(try Tally(db).lastPosition))
    }
}

extension VerdictEntry {
    fileprivate init(_ row: Row) throws {
        self.init(
            cursor: DeckJournal.Cursor(position: Int64(try row.integer(6))),
            session: try row.text(8),
            deck: try row.textIfAny(7),
            verdict: try VerdictRecord(row, from: 0)
        )
    }
}
