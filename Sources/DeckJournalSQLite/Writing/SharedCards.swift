import DeckJournal

/// The rows of bases of cards. Sessions with equal cards share those of one base.
enum SharedCards {
    /// Adds a session to a base, and stores the base if it is new. Returns its number.
    static func take(_ base: CardsBase, in db: Connection) throws -> Int {
        if let number = try db.integer("SELECT number FROM cards_base WHERE hash = ?", [.text(base.hash)]) {
            let sql = "UPDATE cards_base SET sessionCount = sessionCount + 1 WHERE number = ?"
            try db.run(sql, [.integer(number)])
            return number
        }
        try db.run("INSERT INTO cards_base (hash, sessionCount) VALUES (?, 1)", [.text(base.hash)])
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

    /// Takes a session away from a base. Housekeeping removes the rows of one that has no session left.
    static func leave(_ number: Int, in db: Connection) throws {
        let sql = "UPDATE cards_base SET sessionCount = sessionCount - 1 WHERE number = ?"
        try db.run(sql, [.integer(number)])
        let removal = "DELETE FROM cards_base WHERE number = ? AND sessionCount = 0"
        guard try db.run(removal, [.integer(number)]) == 1 else { return }
        try db.run("INSERT INTO leftover (session) VALUES (?)", [.integer(session(ofBase: number))])
    }

    /// What the rows of a base have in place of a session.
    static func session(ofBase number: Int) -> Int { -number }

    private static let partBytes = 256 << 10
}
