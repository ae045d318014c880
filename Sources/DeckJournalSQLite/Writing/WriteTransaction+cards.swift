import DeckJournal

extension WriteTransaction {
    func change(_ cards: CardsChange, of head: SessionHead) throws {
        switch cards {
        case .unchanged: break
        case .edited(let edit):
            let sql = "INSERT INTO cards_edit (session, position, bytes) VALUES (?, ?, ?)"
            try run(sql, [.integer(head.number), .integer(head.position), .blob(edit)])
        case .replaced(let base):
            let former = try setCardsBase(of: head.number, to: try SharedCards.find(base, in: db))
            // A session of an earlier format has a base that is not shared.
            for table in ["session_cards", "cards_part", "cards_edit"] { try removeRows(of: head.number, in: table) }
            // Otherwise a client that replaces cards again and again would be faster than housekeeping.
            guard let former, let unused = try SharedCards.removeIfUnused(former, in: db) else { return }
            for table in ["session_cards", "cards_part"] { try removeRows(of: unused, in: table) }
        }
    }

    /// Takes the base away from a session that ends. Housekeeping removes the rows if no other session has it.
    func leaveCardsBase(of session: Int) throws {
        guard let former = try setCardsBase(of: session, to: nil),
            let unused = try SharedCards.removeIfUnused(former, in: db)
        else { return }
        try run("INSERT INTO leftover (session) VALUES (?)", [.integer(unused)])
    }

    /// Returns the former base, if it had one that can be shared.
    private func setCardsBase(of session: Int, to base: Int?) throws -> Int? {
        let former = try row("SELECT cardsBase FROM session WHERE number = ?", [.integer(session)])?.integerIfAny(0)
        let value = base.map { SQLValue.integer($0) } ?? .null
        try run("UPDATE session SET cardsBase = ? WHERE number = ?", [value, .integer(session)])
        return former
    }

    private func removeRows(of session: Int, in table: String) throws {
        try run("DELETE FROM \(table) WHERE session = ?", [.integer(session)])
    }
}

extension WriteTransaction {
    /// The size of a trial.
    static let trialBytes = 64 << 10

    /// Writes cards of a session that does not exist, and has housekeeping remove them like those of a session that ended.
    func writeTrial() throws {
        let bytes = [UInt8](repeating: 0, count: Self.trialBytes)
        let values: [SQLValue] = [.integer(Self.trialSession), .blob(bytes)]
        try run("INSERT OR REPLACE INTO cards_part (session, part, bytes) VALUES (?, 0, ?)", values)
        try run("INSERT OR IGNORE INTO leftover (session) VALUES (?)", [.integer(Self.trialSession)])
    }

    /// The numbers of sessions start at 1.
    private static let trialSession = 0
}
