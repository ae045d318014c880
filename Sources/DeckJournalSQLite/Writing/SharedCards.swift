import DeckJournal

/// The rows of bases of cards. Sessions with equal cards share those of one base. They are found by an index and not counted, so
/// that a new session of a deck writes nothing for its cards.
enum SharedCards {
    /// The number of a base, which is stored if it is new.
    static func find(_ base: CardsBase, in db: Connection) throws -> Int {
        let hash = SQLValue.blob(base.hash)
        if let number = try db.integer("SELECT number FROM cards_base WHERE hash = ?", [hash]) { return number }
        try db.run("INSERT INTO cards_base (hash) VALUES (?)", [hash])
        let number = db.lastInsertedRow
        try insert(base.bytes, asBase: number, in: db)
        return number
    }

    /// Large cards are stored in parts, so that housekeeping can remove them in small steps: the first one in `session_cards`, the
    /// others in `cards_part`.
    private static func insert(_ cards: [UInt8], asBase number: Int, in db: Connection) throws {
        let parts = stride(from: 0, to: max(cards.count, 1), by: partBytes).map { start in
            Array(cards[start..<min(start + partBytes, cards.count)])
        }
        let session = SQLValue.integer(session(ofBase: number))
        try db.run("INSERT INTO session_cards (session, cards) VALUES (?, ?)", [session, .blob(parts[0])])
        let sql = "INSERT INTO cards_part (session, part, bytes) VALUES (?, ?, ?)"
        for (part, bytes) in zip(1..., parts.dropFirst()) {
            try db.run(sql, [session, .integer(part), .blob(bytes)])
        }
    }

    /// Removes a base unless a session has it, except for its rows.
    ///
    /// - Returns: what its rows have in place of a session, if it was removed.
    static func removeIfUnused(_ number: Int, in db: Connection) throws -> Int? {
        let sql = """
            DELETE FROM cards_base WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM session WHERE cardsBase = ?1)
            """
        return try db.run(sql, [.integer(number)]) == 1 ? session(ofBase: number) : nil
    }

    /// What the rows of a base have in place of a session. It grows with the number, because SQLite fills pages only at the end of a
    /// table, and no session has such a number.
    static func session(ofBase number: Int) -> Int { firstSession + number }

    /// The same for a session's row. A session of an earlier format has its base under its own number.
    static let sessionOfBase = "IFNULL(cardsBase + \(firstSession), number)"

    private static let firstSession = 1 << 40
    private static let partBytes = 256 << 10
}
