/// Decks by id.
struct MemoryDecks {
    private var decks: [String: StoredDeck] = [:]
    private var lastDeckRevision = 0
    private var keys = MemoryDeckKeys()

    var count: Int { decks.count }

    func deck(_ id: String) -> StoredDeck? { decks[id] }

    /// Whether a deck was ever put.
    var hasHadDecks: Bool { lastDeckRevision > 0 }

    mutating func put(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        at time: WallTime
    ) throws(JournalError) -> DeckPutResult {
        if let key, let putResult = try keys.putResult(of: key) { return putResult }
        let former = decks[id]?.revision
        guard try condition.allowsPutting(over: former, count: decks.count, atMost: maximumCount) else { return .full }
        lastDeckRevision += 1
        decks[id] = StoredDeck(id: id, revision: lastDeckRevision, document: document)
        if let key { keys.add(key, DeckKeyUse(key, revision: lastDeckRevision, isNew: former == nil), at: time) }
        return former == nil ? .created(revision: lastDeckRevision) : .replaced(revision: lastDeckRevision)
    }

    /// The result of the request with a key; nil if the key was not used.
    func putResult(of key: DeckKey) throws(JournalError) -> DeckPutResult? { try keys.putResult(of: key) }

    /// Removes keys that were used before a time.
    mutating func removeKeys(before time: WallTime) {
        keys.remove(before: time)
    }

    mutating func remove(_ id: String, if condition: DeckCondition) throws(JournalError) -> Bool {
        guard try condition.allowsRemoval(of: decks[id]?.revision) else { return false }
        decks[id] = nil
        return true
    }

    func page(after id: String, limit: Int) -> DeckPage {
        let ids = decks.keys.filter { id.utf8.lexicographicallyPrecedes($0.utf8) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var page = DeckPage(decks: [], hasMore: false)
        var bytes = 0
        for deck in ids.lazy.compactMap({ decks[$0] }) {
            guard page.decks.count < limit, bytes < deckPageBytes else {
                page.hasMore = true
                break
            }
            bytes += deck.document.count
            page.decks.append(deck)
        }
        return page
    }
}
