import DeckJournal

extension WriteTransaction {
    func change(_ cards: CardsChange, of head: SessionHead) throws {
        switch cards {
        case .unchanged: break
        case .edited(let edit):
            let sql = "INSERT INTO cards_edit (session, position, bytes) VALUES (?, ?, ?)"
            try run(sql, [.integer(head.number), .integer(head.position), .blob(edit)])
        case .replaced(let base):
            try removeCards(of: head.number)
            let sql = "UPDATE session SET cardsBase = ? WHERE number = ?"
            try run(sql, [.integer(try SharedCards.take(base, in: db)), .integer(head.number)])
        }
    }

    private func removeCards(of session: Int) throws {
        try leaveCardsBase(of: session)
        // A session of an earlier format has a base that is not shared.
        for table in ["session_cards", "cards_part", "cards_edit"] {
            try run("DELETE FROM \(table) WHERE session = ?", [.integer(session)])
        }
    }

    /// Takes a session away from its base, if that can be shared.
    func leaveCardsBase(of session: Int) throws {
        let sql = "SELECT cardsBase FROM session WHERE number = ?"
        guard let base = try row(sql, [.integer(session)])?.integerIfAny(0) else { return }
        try SharedCards.leave(base, in: db)
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
