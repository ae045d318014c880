import DeckJournal

/// Cards are stored as a base and the edits after it. The base is stored in parts, so that housekeeping can remove large
/// cards in small steps: the first part in `session_cards`, the others in `cards_part`.
extension WriteTransaction {
    private static let partBytes = 256 << 10

    func change(_ cards: CardsChange, of head: SessionHead) throws {
        switch cards {
        case .unchanged: break
        case .edited(let edit):
            let sql = "INSERT INTO cards_edit (session, position, bytes) VALUES (?, ?, ?)"
            try run(sql, [.integer(head.number), .integer(head.position), .blob(edit)])
        case .replaced(let cards):
            try removeCards(of: head.number)
            try insert(cards, of: head.number)
        }
    }

    func insert(_ cards: [UInt8], of session: Int) throws {
        let parts = Self.parts(of: cards)
        try run("INSERT INTO session_cards (session, cards) VALUES (?, ?)", [.integer(session), .blob(parts[0])])
        let sql = "INSERT INTO cards_part (session, part, bytes) VALUES (?, ?, ?)"
        for (part, bytes) in zip(1..., parts.dropFirst()) {
            try run(sql, [.integer(session), .integer(part), .blob(bytes)])
        }
    }

    /// The parts of cards; at least one.
    static func parts(of cards: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: max(cards.count, 1), by: partBytes).map { start in
            Array(cards[start..<min(start + partBytes, cards.count)])
        }
    }

    private func removeCards(of session: Int) throws {
        for table in ["session_cards", "cards_part", "cards_edit"] {
            try run("DELETE FROM \(table) WHERE session = ?", [.integer(session)])
        }
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
