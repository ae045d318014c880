import DeckJournal

/// The bases of cards that a group of changes needs or leaves. Sessions with equal cards share the row of one base. It has no count
/// of its sessions: the server stores each version of a row as long as an older transaction lasts, such as that of a dump, and all
/// new sessions of a deck would have to go through them.
struct SharedCards {
    private var stored: Set<[UInt8]> = []
    private var new: [CardsBase] = []
    private var left: Set<[UInt8]> = []

    /// Adds what was read.
    mutating func add(_ hash: [UInt8]) {
        stored.insert(hash)
    }

    /// A session has a base from now on.
    mutating func need(_ base: CardsBase) {
        if stored.insert(base.hash).inserted { new.append(base) }
    }

    /// A session has a base no longer.
    mutating func leave(_ hash: [UInt8]) {
        left.insert(hash)
    }

    /// The statements that store new bases.
    var insertions: [Statement] {
        var batch = Batch(.cardsBase)
        for base in new { batch.add(base) }
        return [batch].insertions
    }

    /// The statements that remove bases without sessions. They come after those that write the sessions.
    var removals: [Statement] {
        guard !left.isEmpty else { return [] }
        let sql = """
            DELETE FROM cards_base WHERE hash = ANY($1::bytea[])
                AND NOT EXISTS (SELECT 1 FROM session WHERE session.cards_base = cards_base.hash)
            """
        return [Statement(sql, [.byteStrings(left)])]
    }
}

extension Batch {
    /// Adds a row with the layout ``RowLayout/cardsBase``.
    mutating func add(_ base: CardsBase) {
        add(base.hash)
        add(base.bytes)
        endRow()
    }
}

extension RowLayout {
    static let cardsBase = RowLayout(
        "cards_base",
        [("hash", .bytes), ("bytes", .bytes)],
        "ON CONFLICT (hash) DO NOTHING"
    )
}
