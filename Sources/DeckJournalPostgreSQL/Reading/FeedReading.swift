import DeckJournal

/// Reads the feed of verdicts.
enum FeedReading {
    static func page(
        after cursor: Cursor,
        upTo end: Cursor?,
        filter: FeedFilter,
        limit: Int,
        on connection: Connection
    ) throws -> VerdictPage {
        let last = end?.position ?? .max
        let limit = max(limit, 0)
        let sql = """
            SELECT verdict.number, at_milliseconds, card_index, card_id, direction, kind, position, verdict.deck, session.id,
                verdict.at, session.user_name
            FROM verdict JOIN session ON session.number = verdict.session
            WHERE position > $1 AND position <= $2 AND \(condition(filter)) ORDER BY position LIMIT $3
            """
        // The end comes first: entries that are saved after it was read are of the next page.
        let values: [Value] = [.integer(Int(cursor.position)), .integer(Int(last)), .integer(limit)] + deck(filter)
        let results = try connection.run([Statement("SELECT last_position FROM tally"), Statement(sql, values)])
        let entries = try results[1].rows.map { row in
            VerdictEntry(
                cursor: Cursor(position: Int64(try row.integer(6))),
                session: try row.text(8),
                deck: row.textIfAny(7),
                user: row.textIfAny(10),
                savedAt: try row.time(9),
                verdict: try VerdictRecord(row)
            )
        }
        if entries.count == limit { return VerdictPage(entries: entries, end: entries.last?.cursor ?? cursor) }
        let passed = max(cursor.position, min(last, Int64(try results[0].first?.integer(0) ?? 0)))
        return VerdictPage(entries: entries, end: Cursor(position: max(passed, entries.last?.cursor.position ?? 0)))
    }

    static func end(after cursor: Cursor, filter: FeedFilter, limit: Int, on connection: Connection) throws -> Cursor {
        guard limit > 0 else { return cursor }
        let sql = """
            SELECT position FROM verdict WHERE position > $1 AND position <= $2 AND \(condition(filter))
            ORDER BY position LIMIT 1 OFFSET $3
            """
        let values: [Value] = [.integer(Int(cursor.position)), .integer(.max), .integer(limit - 1)] + deck(filter)
        let results = try connection.run([Statement("SELECT last_position FROM tally"), Statement(sql, values)])
        if let last = try results[1].first?.integer(0) { return Cursor(position: Int64(last)) }
        return Cursor(position: max(cursor.position, Int64(try results[0].first?.integer(0) ?? 0)))
    }

    private static func condition(_ filter: FeedFilter) -> String {
        filter.deck == nil ? "TRUE" : "verdict.deck = $4"
    }

    private static func deck(_ filter: FeedFilter) -> [Value] {
        filter.deck.map { [.text($0)] } ?? []
    }
}
