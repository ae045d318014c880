import DeckJournal

extension WriteTransaction {
    /// With more rows without an index entry than this, new rows are indexed at once, so that memory is bounded.
    static let mostUnindexed = 262_144

    mutating func append(_ record: FeedRecord, of session: Int, deck: String?) throws {
        tally.lastFeedPosition += 1
        if record.kind.isNotice { return try insert(notice: record, of: session, deck: deck) }
        let sql = """
            INSERT INTO verdict (position, session, deck, number, atMilliseconds, cardIndex, cardID, direction, kind,
                at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try run(
            sql,
            [
                .integer(tally.lastFeedPosition), .integer(session), .textIfAny(deck), .integer(record.number),
                .real(record.atMilliseconds), .integer(record.cardIndex), .text(record.cardID),
                .text(record.direction), .integer(record.kind.rawValue), .time(time.milliseconds),
            ]
        )
        let row = UnindexedVerdict(number: record.number, place: tally.lastFeedPosition)
        guard verdicts.count < Self.mostUnindexed else { return try index(row, of: session) }
        verdictChanges.add(row, of: session)
    }

    private func insert(notice: FeedRecord, of session: Int, deck: String?) throws {
        let sql = "INSERT INTO notice (position, session, deck, kind, atMilliseconds, at) VALUES (?, ?, ?, ?, ?, ?)"
        try run(
            sql,
            [
                .integer(tally.lastFeedPosition), .integer(session), .textIfAny(deck), .integer(notice.kind.rawValue),
                .real(notice.atMilliseconds), .time(time.milliseconds),
            ]
        )
    }

    /// Writes the index entries of a session's rows.
    ///
    /// - Returns: whether all of them were written.
    mutating func indexVerdicts(of session: Int, atMost limit: Int) throws -> Bool {
        let rows = verdicts.rows(of: session, with: verdictChanges)
        for row in rows.prefix(limit) {
            try index(row, of: session)
            verdictChanges.settle(session, upTo: row.place)
        }
        return rows.count <= limit
    }

    private func index(_ row: UnindexedVerdict, of session: Int) throws {
        // A fold that was interrupted may have written the entry.
        let sql = "INSERT OR IGNORE INTO session_verdict (session, number, position) VALUES (?, ?, ?)"
        try run(sql, [.integer(session), .integer(row.number), .integer(row.place)])
    }

    /// Removes notices beyond the age of feed records.
    func removeNotices() throws -> (hasChanged: Bool, hasMore: Bool) {
        guard let time = due.feedRecords else { return (false, false) }
        let oldest = try rows("SELECT position, at FROM notice ORDER BY position LIMIT ?", [.integer(Self.rowsPerStep)])
        let old = try oldest.prefix { try $0.time(1) < time }
        guard let last = try old.last?.integer(0) else { return (false, false) }
        try run("DELETE FROM notice WHERE position <= ?", [.integer(last)])
        return (true, old.count == Self.rowsPerStep)
    }

    /// Removes changes of verdicts and pending swipes beyond the age of feed records.
    mutating func removeVerdicts() throws -> (hasChanged: Bool, hasMore: Bool) {
        guard let time = due.feedRecords else { return (false, false) }
        let sql = "SELECT position, at, session, number FROM verdict ORDER BY position LIMIT ?"
        let old = try rows(sql, [.integer(Self.rowsPerStep)]).prefix { try $0.time(1) < time }
        guard let last = try old.last?.integer(0) else { return (false, false) }
        for row in old {
            let (position, session) = (try row.integer(0), try row.integer(2))
            let sql = "DELETE FROM session_verdict WHERE session = ? AND number = ? AND position = ?"
            try run(sql, [.integer(session), .integer(try row.integer(3)), .integer(position)])
            verdictChanges.settle(session, upTo: position)
        }
        try run("DELETE FROM verdict WHERE position <= ?", [.integer(last)])
        return (true, old.count == Self.rowsPerStep)
    }
}
