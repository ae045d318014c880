import DeckJournal

/// Reads the feed of verdicts.
enum FeedReading {
    static func page(after cursor: Cursor, filter: FeedFilter, limit: Int, on connection: Connection) throws
        -> VerdictPage
    {
        let limit = max(limit, 0)
        let sql = """
            SELECT verdict.number, at_milliseconds, card_index, card_id, direction, kind, position, verdict.deck, session.id
            FROM verdict JOIN session ON session.number = verdict.session
            WHERE position > $1 AND \(condition(filter)) ORDER BY position LIMIT $2
            """
        // The end comes first: entries that are saved after it was read are of the next page.
        let values: [Value] = [.integer(Int(cursor.position)), .integer(limit)] + deck(filter)
        let results = try connection.run([Statement("SELECT last_position FROM tally"), Statement(sql, values)])
        let entries = try results[1].rows.map { row in
            VerdictEntry(
                cursor: Cursor(position: Int64(try row.integer(6))),
                session: try row.text(8),
                deck: row.textIfAny(7),
                verdict: try VerdictRecord(row)
            )
        }
        if entries.count == limit, let last = entries.last { return VerdictPage(entries: entries, end: last.cursor) }
        let end = Cursor(position: Int64(try results[0].first?.integer(0) ?? 0))
        let last = max(entries.last?.cursor ?? cursor, cursor, end)
        return VerdictPage(entries: entries, end: limit == 0 ? cursor : last)
    }

    static func end(after cursor: Cursor, filter: FeedFilter, limit: Int, on connection: Connection) throws -> Cursor {
        guard limit > 0 else { return cursor }
        let sql = """
            SELECT position FROM verdict WHERE position > $1 AND \(condition(filter))
            ORDER BY position LIMIT 1 OFFSET $2
            """
        let values: [Value] = [.integer(Int(cursor.position)), .integer(limit - 1)] + deck(filter)
        let results = try connection.run([Statement("SELECT last_position FROM tally"), Statement(sql, values)])
        if let last = try results[1].first?.integer(0) { return Cursor(position: Int64(last)) }
        return max(cursor, Cursor(position: Int64(try results[0].first?.integer(0) ?? 0)))
    }

    private static func condition(_ filter: FeedFilter) -> String {
        filter.deck == nil ? "TRUE" : "verdict.deck = $3"
    }

    private static func deck(_ filter: FeedFilter) -> [Value] {
        filter.deck.map { [.text($0)] } ?? []
    }
}
