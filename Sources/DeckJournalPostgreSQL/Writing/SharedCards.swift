import DeckJournal

/// The bases of cards that a group of changes takes or leaves. Sessions with equal cards share one base.
struct SharedCards {
    /// How many sessions have each base: as it was read, and then as the changes left it. nil: it is not stored.
    private var counts: [String: Int] = [:]
    private var new: [String: [UInt8]] = [:]
    private var changed: Set<String> = []

    /// Adds what was read.
    mutating func add(_ hash: String, count: Int) {
        counts[hash] = count
    }

    /// Adds a session to a base.
    mutating func take(_ base: CardsBase) {
        if counts[base.hash] == nil { new[base.hash] = base.bytes }
        counts[base.hash, default: 0] += 1
        changed.insert(base.hash)
    }

    /// Takes a session away from a base.
    mutating func leave(_ hash: String) {
        counts[hash, default: 1] -= 1
        changed.insert(hash)
    }

    /// The statements that write the changes. They remove bases without sessions.
    var statements: [Statement] {
        guard !changed.isEmpty else { return [] }
        var insertions = Batch(.cardsBase)
        var updates = Batch(.cardsBaseCount)
        for hash in changed {
            let count = counts[hash] ?? 0
            if let bytes = new[hash] {
                insertions.add(hash)
                insertions.add(count)
                insertions.add(bytes)
                insertions.endRow()
            } else {
                updates.add(hash)
                updates.add(count)
                updates.endRow()
            }
        }
        let source = updates.layout.source
        let update = "UPDATE cards_base SET count = new.count FROM \(source) WHERE cards_base.hash = new.hash"
        return [insertions].insertions + [
            Statement(update, updates.values),
            Statement("DELETE FROM cards_base WHERE hash = ANY($1::text[]) AND count <= 0", [.texts(changed)]),
        ]
    }
}

extension RowLayout {
    static let cardsBase = RowLayout("cards_base", [("hash", .text), ("count", .integer), ("bytes", .bytes)])
    fileprivate static let cardsBaseCount = RowLayout("cards_base", [("hash", .text), ("count", .integer)])
}
