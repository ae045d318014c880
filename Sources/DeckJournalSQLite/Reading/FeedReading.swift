import DeckJournal
import GRDB

/// Reads the feed of verdicts.
enum FeedReading {
    private static let select = """
        SELECT \(VerdictRecord.columns), verdict.position, verdict.deck, session.id, verdict.at,
            session.userName
        FROM verdict JOIN session ON session.number = verdict.session
        """

    static func page(
        after cursor: DeckJournal.Cursor,
        upTo end: DeckJournal.Cursor?,
        filter: FeedFilter,
        limit: Int,
        in db: Database
    ) throws -> VerdictPage {
        let limit = max(limit, 0)
        let last = end?.position ?? .max
        let rows: [Row]
        let places = "verdict.position > ? AND verdict.position <= ? ORDER BY verdict.position LIMIT ?"
        if let deck = filter.deck {
            let sql = "\(select) WHERE verdict.deck = ? AND \(places)"
            rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [deck, cursor.position, last, limit])
        } else {
            let sql = "\(select) WHERE \(places)"
            rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [cursor.position, last, limit])
        }
        let entries = try rows.map(VerdictEntry.init)
        if entries.count == limit { return VerdictPage(entries: entries, end: entries.last?.cursor ?? cursor) }
        return VerdictPage(entries: entries, end: try self.end(of: db, upTo: last, after: cursor))
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
        return try last.map { DeckJournal.Cursor(position: $0) } ?? self.end(of: db, upTo: .max, after: cursor)
    }

    /// Where a page ends that is not full.
    private static func end(of db: Database, upTo last: Int64, after cursor: DeckJournal.Cursor) throws
        -> DeckJournal.Cursor
    {
        DeckJournal.Cursor(position: max(cursor.position, min(last, Int64(try Tally(db).lastPosition))))
    }
}

extension VerdictEntry {
    fileprivate init(_ row: Row) throws {
        self.init(
            cursor: DeckJournal.Cursor(position: Int64(try row.integer(6))),
            session: try row.text(8),
            deck: try row.textIfAny(7),
            user: try row.textIfAny(10),
            savedAt: try row.time(9),
            verdict: try VerdictRecord(row, from: 0)
        )
    }
}
