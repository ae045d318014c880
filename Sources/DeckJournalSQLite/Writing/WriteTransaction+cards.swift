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
            try execute(sql, [.integer(head.number), .integer(head.position), .blob(edit)])
        case .replaced(let cards):
            try removeCards(of: head.number)
            try insert(cards, of: head.number)
        case .dropped:
            try removeCards(of: head.number)
        }
    }

    func insert(_ cards: [UInt8], of session: Int) throws {
        let first = Array(cards.prefix(Self.partBytes))
        try execute("INSERT INTO session_cards (session, cards) VALUES (?, ?)", [.integer(session), .blob(first)])
        let sql = "INSERT INTO cards_part (session, part, bytes) VALUES (?, ?, ?)"
        for (part, start) in zip(1..., stride(from: Self.partBytes, to: cards.count, by: Self.partBytes)) {
            let bytes = Array(cards[start..<min(start + Self.partBytes, cards.count)])
            try execute(sql, [.integer(session), .integer(part), .blob(bytes)])
        }
    }

    private func removeCards(of session: Int) throws {
        for table in ["session_cards", "cards_part", "cards_edit"] {
            try execute("DELETE FROM \(table) WHERE session = ?", [.integer(session)])
        }
    }
}
